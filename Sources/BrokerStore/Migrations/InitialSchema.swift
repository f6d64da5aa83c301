extension Migration {
    /// Users and how they sign in, sessions, provider grants, signing keys, and the records of what happened.
    static let initialSchema = Migration(
        version: 1, name: "initial schema",
        statements: [
            users, usersByEmail, identities, sessions, sessionsByUser, providerGrants, signingKeys,
            audit, auditByUser, decisions, decisionsByUser, settings,
        ])

    private static let users = """
        CREATE TABLE users (
            key bigint PRIMARY KEY,
            local_id broker_text NOT NULL UNIQUE,
            email broker_text,
            email_canonical broker_text,
            email_verified bigint NOT NULL CHECK (email_verified IN (0, 1)),
            email_asserted_by broker_text,
            email_asserted_at bigint,
            display_name broker_text,
            photo_url broker_text,
            screen_name broker_text,
            disabled bigint NOT NULL CHECK (disabled IN (0, 1)),
            custom_attributes broker_text,
            custom_auth bigint NOT NULL CHECK (custom_auth IN (0, 1)),
            initial_email broker_text,
            created_at bigint NOT NULL,
            last_login_at bigint,
            last_refresh_at bigint,
            valid_since bigint,
            epoch bigint NOT NULL DEFAULT 0,
            CHECK ((email IS NULL) = (email_canonical IS NULL)),
            CHECK (email IS NOT NULL OR email_verified = 0)
        )
        """

    private static let usersByEmail = """
        CREATE UNIQUE INDEX users_email_canonical ON users (email_canonical) WHERE email_canonical IS NOT NULL
        """

    private static let identities = """
        CREATE TABLE identities (
            key bigint PRIMARY KEY,
            user_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
            provider broker_text NOT NULL,
            issuer broker_text NOT NULL,
            subject broker_text NOT NULL CHECK (subject <> ''),
            email broker_text,
            email_verified bigint NOT NULL CHECK (email_verified IN (0, 1)),
            display_name broker_text,
            photo_url broker_text,
            screen_name broker_text,
            profile broker_text NOT NULL,
            linked_at bigint NOT NULL,
            last_sign_in_at bigint NOT NULL,
            UNIQUE (provider, issuer, subject),
            UNIQUE (user_key, provider)
        )
        """

    private static let sessions = """
        CREATE TABLE sessions (
            key bigint PRIMARY KEY,
            id broker_text NOT NULL UNIQUE,
            user_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
            sign_in_provider broker_text NOT NULL,
            generation bigint NOT NULL,
            auth_time bigint NOT NULL,
            created_at bigint NOT NULL,
            rotated_at bigint,
            claims broker_text,
            epoch bigint NOT NULL,
            revoked_at bigint,
            revoked_reason broker_text
        )
        """

    private static let sessionsByUser = "CREATE INDEX sessions_user_key ON sessions (user_key)"

    private static let providerGrants = """
        CREATE TABLE provider_grants (
            key bigint PRIMARY KEY,
            identity_key bigint NOT NULL REFERENCES identities (key) ON DELETE CASCADE,
            provider broker_text NOT NULL,
            client_id broker_text NOT NULL,
            scopes broker_text NOT NULL,
            sealed_access_token bytea NOT NULL,
            sealed_refresh_token bytea,
            expires_at bigint,
            obtained_at bigint NOT NULL,
            version bigint NOT NULL,
            UNIQUE (identity_key, client_id)
        )
        """

    private static let signingKeys = """
        CREATE TABLE signing_keys (
            key bigint PRIMARY KEY,
            kid broker_text NOT NULL UNIQUE,
            family broker_text NOT NULL CHECK (family IN ('identity-toolkit', 'oidc')),
            algorithm broker_text NOT NULL CHECK (algorithm IN ('ES256', 'RS256')),
            state broker_text NOT NULL CHECK (state IN ('next', 'active', 'retired', 'revoked')),
            sealed_private_key bytea NOT NULL,
            public_jwk broker_text NOT NULL,
            certificate broker_text NOT NULL,
            created_at bigint NOT NULL,
            activates_at bigint NOT NULL,
            retires_at bigint
        )
        """

    // Rows of what happened outlive the user, hence no foreign keys.
    private static let audit = """
        CREATE TABLE audit (
            key bigint PRIMARY KEY,
            at bigint NOT NULL,
            actor_kind broker_text NOT NULL CHECK (actor_kind IN ('user', 'client', 'admin', 'system')),
            actor broker_text,
            event broker_text NOT NULL,
            local_id broker_text,
            provider broker_text,
            subject_hash broker_text,
            request_id broker_text,
            detail broker_text NOT NULL
        )
        """

    private static let auditByUser = "CREATE INDEX audit_local_id ON audit (local_id, key)"

    private static let decisions = """
        CREATE TABLE decisions (
            key bigint PRIMARY KEY,
            at bigint NOT NULL,
            request_id broker_text NOT NULL,
            provider broker_text NOT NULL,
            issuer broker_text NOT NULL,
            subject_hash broker_text NOT NULL,
            local_id broker_text,
            rule broker_text NOT NULL,
            outcome broker_text NOT NULL,
            evidence broker_text NOT NULL
        )
        """

    private static let decisionsByUser = "CREATE INDEX decisions_local_id ON decisions (local_id, key)"

    private static let settings = """
        CREATE TABLE settings (
            name broker_text PRIMARY KEY,
            value bytea NOT NULL
        )
        """
}
