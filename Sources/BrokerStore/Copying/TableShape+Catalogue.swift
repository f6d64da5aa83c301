extension TableShape {
    /// Every table that is copied, parents before their children. A migration that changes a table changes it here.
    package static let all: [TableShape] = [
        settings, masterKeys, wrappedKeys, signingKeys, users, identities, identityAliases, providerGrants, sessions,
        pendingTokens, signInAttempts, usedIDTokens, firstTimeProfiles, pendingMerges, userAliases, accountNotices,
        mergeSnapshots, clients, authorizationCodes, deviceAuthorizations, withdrawals, providerEvents, providerFeeds,
        refusedSignatureKeys, probePauses, subjectMigrations, migratingSubjects, adminCredentials, serviceAccounts,
        serviceAccountKeys, providerDevices, providerEntries, subjectMappings, webhooks, eventDeliveries,
        eventSequences, audit,
        auditAnchors, decisions,
    ]

    /// The tables about the store itself, which are not copied.
    package static let ofTheStoreItself = ["key_holders", "leases", "rate_counts", "schema_migrations", "transfers"]

    /// The table with this name.
    static func named(_ name: String) -> TableShape? { all.first { $0.name == name } }

    private static let settings = TableShape("settings", [.text("name"), .blob("value")], key: ["name"])

    private static let masterKeys = TableShape(
        "master_keys",
        [
            .integer("key"), .text("id"), .blob("check_value"), .integer("began_at"), .integer("ended_at"),
            .integer("rewrapped_at"), .integer("compromised_at"),
        ], uniques: [Uniqueness("id")])

    private static let wrappedKeys = TableShape(
        "wrapped_keys",
        [
            .integer("key"), .text("purpose"), .integer("generation"), .text("id"), .blob("sealed_key"),
            .integer("created_at"), .integer("activates_at"),
        ], uniques: [Uniqueness("purpose", "generation")])

    private static let signingKeys = TableShape(
        "signing_keys",
        [
            .integer("key"), .text("kid"), .text("family"), .text("algorithm"), .text("state"),
            .blob("sealed_private_key"), .text("public_jwk"), .text("certificate"), .integer("created_at"),
            .integer("activates_at"), .integer("retires_at"),
        ], uniques: [Uniqueness("kid")])

    private static let users = TableShape(
        "users",
        [
            .integer("key"), .text("local_id"), .text("email"), .text("email_canonical"), .integer("email_verified"),
            .text("email_asserted_by"), .integer("email_asserted_at"), .text("display_name"), .text("photo_url"),
            .text("screen_name"), .integer("disabled"), .text("custom_attributes"), .integer("custom_auth"),
            .text("initial_email"), .integer("created_at"), .integer("last_login_at"), .integer("last_refresh_at"),
            .integer("valid_since"), .integer("epoch"),
        ],
        uniques: [
            Uniqueness("local_id", release: .assignment("local_id = 'released ' || CAST(key AS text)")),
            Uniqueness(
                "email_canonical",
                release: .assignment("email = NULL, email_canonical = NULL, email_verified = 0")),
        ])

    private static let identities = TableShape(
        "identities",
        [
            .integer("key"), .integer("user_key"), .text("provider"), .text("issuer"), .text("subject"),
            .text("email"), .integer("email_verified"), .text("display_name"), .text("photo_url"),
            .text("screen_name"), .text("profile"), .integer("linked_at"), .integer("last_sign_in_at"),
            .integer("anonymous"), .integer("was_anonymous"), .integer("mail_disabled"), .integer("mail_changed_at"),
            .integer("consent_revoked_at"), .integer("removal_at"),
        ],
        parents: [Parent(column: "user_key", table: "users")],
        uniques: [
            Uniqueness("provider", "issuer", "subject", release: releasedProvider),
            Uniqueness("user_key", "provider", release: releasedProvider),
        ])

    private static let releasedProvider = Uniqueness.Release.assignment(
        "provider = 'released ' || CAST(key AS text)")

    private static let identityAliases = TableShape(
        "identity_aliases",
        [
            .text("provider"), .text("issuer"), .text("subject"), .integer("identity_key"), .integer("created_at"),
        ],
        key: ["provider", "issuer", "subject"], parents: [Parent(column: "identity_key", table: "identities")])

    private static let providerGrants = TableShape(
        "provider_grants",
        [
            .integer("key"), .integer("identity_key"), .text("provider"), .text("client_id"), .text("scopes"),
            .blob("sealed_access_token"), .blob("sealed_refresh_token"), .integer("expires_at"),
            .integer("obtained_at"), .integer("version"), .integer("refused_at"), .integer("refused_version"),
            .text("refused_reason"), .integer("probed_at"), .text("lease_holder"), .integer("lease_until"),
            .integer("attempted_version"), .integer("probed_version"), .text("probe_result"),
        ],
        parents: [Parent(column: "identity_key", table: "identities")],
        uniques: [Uniqueness("identity_key", "client_id")])

    private static let probePauses = TableShape(
        "probe_pauses", [.text("provider"), .integer("paused_at"), .integer("probes"), .integer("failures")],
        key: ["provider"])

    private static let sessions = TableShape(
        "sessions",
        [
            .integer("key"), .text("id"), .integer("user_key"), .text("sign_in_provider"), .integer("generation"),
            .integer("auth_time"), .integer("created_at"), .integer("rotated_at"), .text("claims"),
            .integer("epoch"), .integer("revoked_at"), .text("revoked_reason"), .text("family"), .text("client_id"),
            .text("scope"), .text("amr"), .text("parent_id"), .integer("last_used_at"), .text("user_agent"),
            .text("address"), .text("acr"), .integer("identity_key"), .integer("merged_at"),
        ],
        parents: [Parent(column: "user_key", table: "users")], uniques: [Uniqueness("id")])

    private static let pendingTokens = TableShape(
        "pending_tokens",
        [
            .integer("key"), .blob("token_hash"), .blob("sealed_evidence"), .integer("created_at"),
            .integer("expires_at"), .integer("consumed_at"), .integer("auth_time"), .integer("user_key"),
            .integer("epoch"), .integer("identity_key"), .text("session_id"),
        ], uniques: [Uniqueness("token_hash")])

    private static let signInAttempts = TableShape(
        "sign_in_attempts",
        [
            .integer("key"), .blob("state_hash"), .text("purpose"), .text("provider"), .blob("binding_hash"),
            .blob("sealed_request"), .blob("handle_hash"), .blob("sealed_response"), .integer("created_at"),
            .integer("expires_at"), .integer("consumed_at"), .text("requester"),
        ], uniques: [Uniqueness("state_hash")])

    private static let usedIDTokens = TableShape(
        "used_id_tokens",
        [
            .integer("key"), .blob("token_hash"), .text("local_id"), .integer("used_at"), .integer("expires_at"),
        ], uniques: [Uniqueness("token_hash")])

    private static let firstTimeProfiles = TableShape(
        "first_time_profiles",
        [
            .integer("key"), .text("provider"), .text("issuer"), .text("subject"), .text("given_name"),
            .text("family_name"), .text("email"), .integer("email_verified"), .integer("captured_at"),
        ], uniques: [Uniqueness("provider", "issuer", "subject")])

    private static let pendingMerges = TableShape(
        "pending_merges",
        [
            .integer("key"), .text("id"), .integer("survivor_key"), .integer("absorbed_key"), .text("provider"),
            .integer("created_at"), .integer("dismissed_at"), .integer("proven_identity_key"),
        ],
        parents: [
            Parent(column: "survivor_key", table: "users"), Parent(column: "absorbed_key", table: "users"),
        ], uniques: [Uniqueness("id"), Uniqueness("survivor_key", "absorbed_key")])

    private static let userAliases = TableShape(
        "user_aliases", [.text("local_id"), .integer("user_key"), .integer("created_at")], key: ["local_id"],
        parents: [Parent(column: "user_key", table: "users")])

    private static let accountNotices = TableShape(
        "account_notices",
        [
            .integer("key"), .integer("user_key"), .text("kind"), .text("value"), .integer("created_at"),
            .text("session_id"), .integer("generation"), .integer("delivered_at"),
        ], parents: [Parent(column: "user_key", table: "users")])

    private static let mergeSnapshots = TableShape(
        "merge_snapshots",
        [
            .integer("key"), .text("id"), .integer("survivor_key"), .text("absorbed_local_id"), .text("provider"),
            .integer("created_at"), .integer("expires_at"), .blob("sealed_users"),
        ], parents: [Parent(column: "survivor_key", table: "users")], uniques: [Uniqueness("id")])

    private static let clients = TableShape(
        "clients",
        [
            .integer("key"), .text("id"), .text("type"), .text("name"), .text("redirect_uris"),
            .text("post_logout_redirect_uris"), .text("id_token_algorithm"), .blob("secret_hash"),
            .blob("previous_secret_hash"), .integer("previous_secret_until"), .integer("created_at"), .text("pkce"),
            .integer("provider_tokens"), .text("backchannel_logout_uri"),
            .integer("backchannel_logout_session_required"),
        ], uniques: [Uniqueness("id")])

    private static let authorizationCodes = TableShape(
        "authorization_codes",
        [
            .integer("key"), .blob("code_hash"), .text("client_id"), .text("redirect_uri"), .text("code_challenge"),
            .text("scope"), .text("nonce"), .integer("user_key"), .integer("epoch"), .text("provider"),
            .integer("auth_time"), .text("amr"), .text("session_id"), .text("parent_id"), .integer("created_at"),
            .integer("expires_at"), .integer("consumed_at"), .text("acr"),
        ],
        parents: [Parent(column: "user_key", table: "users")], uniques: [Uniqueness("code_hash")])

    private static let deviceAuthorizations = TableShape(
        "device_authorizations",
        [
            .integer("key"), .blob("device_code_hash"), .blob("user_code_hash"), .text("purpose"), .text("party"),
            .text("scope"), .blob("sealed_request"), .integer("created_at"), .integer("expires_at"),
            .integer("poll_interval"), .integer("last_polled_at"), .integer("polled_early"), .text("decision"),
            .integer("user_key"), .integer("epoch"), .text("provider"), .integer("auth_time"), .text("amr"),
            .text("parent_id"), .blob("sealed_outcome"), .integer("consumed_at"), .text("requester"),
        ], uniques: [Uniqueness("device_code_hash"), Uniqueness("user_code_hash")])

    static let withdrawals = TableShape(
        "withdrawals",
        [
            .integer("key"), .text("id"), .text("provider"), .text("issuer"), .text("subject_hash"),
            .text("client_id"), .text("token_hint"), .text("cause"), .text("state"), .text("reason"),
            .blob("sealed_grant"), .integer("attempts"), .integer("created_at"), .integer("queued_at"),
            .integer("next_attempt_at"), .text("lease_holder"), .integer("lease_until"), .integer("ended_at"),
        ], uniques: [Uniqueness("id")])

    private static let providerEvents = TableShape(
        "provider_events",
        [
            .integer("key"), .text("provider"), .blob("event_hash"), .integer("received_at"), .integer("expires_at"),
        ], uniques: [Uniqueness("provider", "event_hash")])

    private static let providerFeeds = TableShape(
        "provider_feeds", [.text("provider"), .text("cursor"), .integer("polled_at")], key: ["provider"])

    private static let refusedSignatureKeys = TableShape(
        "refused_signature_keys", [.text("provider"), .text("key_id"), .integer("refused_at")],
        key: ["provider", "key_id"])

    private static let subjectMigrations = TableShape(
        "subject_migrations",
        [
            .integer("key"), .text("provider"), .text("source_issuer"), .text("target_issuer"), .text("phase"),
            .integer("window_seconds"), .integer("started_at"), .integer("transferred_at"), .integer("warned_days"),
            .integer("paused_at"), .text("pause_code"), .text("pause_reason"),
        ], uniques: [Uniqueness("provider", "source_issuer", "target_issuer", release: releasedProvider)])

    private static let migratingSubjects = TableShape(
        "migrating_subjects",
        [
            .integer("migration_key"), .integer("identity_key"), .text("subject"), .text("transfer_subject"),
            .text("new_subject"), .text("email"), .integer("email_relay"), .text("profile"), .text("state"),
            .text("reason"), .integer("changed_at"),
        ],
        key: ["migration_key", "identity_key"],
        parents: [
            Parent(column: "migration_key", table: "subject_migrations"),
            Parent(column: "identity_key", table: "identities"),
        ])

    private static let adminCredentials = TableShape(
        "admin_credentials",
        [
            .integer("key"), .text("id"), .text("name"), .blob("token_hash"), .text("scopes"), .integer("created_at"),
            .integer("expires_at"), .integer("revoked_at"), .integer("last_used_at"),
        ], uniques: [Uniqueness("id"), Uniqueness("token_hash")])

    private static let serviceAccounts = TableShape(
        "service_accounts",
        [
            .integer("key"), .text("id"), .text("name"), .text("email"), .text("scopes"), .integer("created_at"),
            .integer("revoked_at"), .integer("last_used_at"),
        ], uniques: [Uniqueness("id"), Uniqueness("name"), Uniqueness("email")])

    private static let serviceAccountKeys = TableShape(
        "service_account_keys",
        [
            .integer("key"), .integer("account_key"), .text("id"), .text("public_jwk"), .integer("created_at"),
            .integer("expires_at"),
        ], parents: [Parent(column: "account_key", table: "service_accounts")], uniques: [Uniqueness("id")])

    private static let audit = TableShape(
        "audit",
        [
            .integer("key"), .integer("at"), .text("actor_kind"), .text("actor"), .text("event"), .text("local_id"),
            .text("provider"), .text("subject_hash"), .text("request_id"), .text("detail"), .text("address"),
            .text("reason"), .integer("sequence"), .text("seal_key"), .blob("seal"),
        ])

    private static let auditAnchors = TableShape(
        "audit_anchors",
        [
            .text("name"), .integer("sequence"), .blob("seal"), .integer("at"), .text("key_id"), .blob("signature"),
        ], key: ["name"])

    private static let decisions = TableShape(
        "decisions",
        [
            .integer("key"), .integer("at"), .text("request_id"), .text("provider"), .text("issuer"),
            .text("subject_hash"), .text("local_id"), .text("rule"), .text("outcome"), .text("evidence"),
        ])

    private static let webhooks = TableShape(
        "webhooks",
        [
            .integer("key"), .text("id"), .text("url"), .text("events"), .blob("sealed_secret"),
            .blob("sealed_previous_secret"), .integer("previous_secret_until"), .integer("created_at"),
            .integer("disabled_at"), .text("disabled_reason"),
        ], uniques: [Uniqueness("id")])

    static let eventDeliveries = TableShape(
        "event_deliveries",
        [
            .integer("key"), .text("event_id"), .text("target_kind"), .text("target_id"), .text("type"),
            .text("local_id"), .integer("sequence"), .integer("occurred_at"), .text("data"), .text("state"),
            .text("reason"), .integer("attempts"), .integer("queued_at"), .integer("next_attempt_at"),
            .text("lease_holder"), .integer("lease_until"), .integer("ended_at"),
        ], uniques: [Uniqueness("event_id", "target_id")])

    private static let eventSequences = TableShape(
        "event_sequences", [.text("local_id"), .integer("last"), .integer("ended_at")], key: ["local_id"])

    private static let providerDevices = TableShape(
        "provider_devices",
        [
            .integer("key"), .text("provider"), .blob("device_hash"), .blob("secret_hash"), .blob("sealed_secret"),
            .integer("identity_key"), .text("claim"), .integer("claimed_until"), .integer("created_at"),
            .integer("used_at"),
        ],
        parents: [Parent(column: "identity_key", table: "identities")],
        uniques: [Uniqueness("provider", "device_hash")])

    private static let providerEntries = TableShape(
        "provider_entries",
        [
            .integer("key"), .text("id"), .blob("sealed_entry"), .integer("version"), .integer("created_at"),
            .integer("changed_at"),
        ], uniques: [Uniqueness("id")])

    private static let subjectMappings = TableShape(
        "subject_mappings",
        [
            .text("provider"), .integer("version"), .text("instance"), .text("subject_rule"), .text("issuer"),
            .integer("in_force"), .integer("created_at"),
        ], key: ["provider", "version"], uniques: [Uniqueness("provider", "issuer")])
}
