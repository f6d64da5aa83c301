/// What the export of a user's own data has of the rows of a table. A column that is not named stays out, so a new one
/// does. A test wants a decision about each column of each table with rows of users.
package struct Disclosure: Sendable, Hashable {
    package let table: TableDefinition
    /// The name of the rows in the export.
    package let name: String
    /// What the rows are, for the description of the export.
    package let text: String
    package let columns: [ColumnDefinition]
    /// The names of those of ``columns`` whose text is a JSON document.
    package let documents: Set<String>

    private init(
        _ name: String, of table: TableDefinition, _ text: String, _ columns: [String], documents: Set<String> = []
    ) {
        self.name = name
        self.text = text
        self.table = table
        self.columns = columns.compactMap { name in table.columns.first { $0.name == name } }
        self.documents = documents
    }
}

extension Disclosure {
    package static let all: [Disclosure] = [
        Disclosure(
            "user", of: .users, "The user.",
            [
                "local_id", "email", "email_verified", "email_asserted_by", "email_asserted_at", "display_name",
                "display_name_edited_at", "photo_url", "photo_url_edited_at", "screen_name", "disabled",
                "custom_attributes", "custom_auth", "initial_email", "created_at", "last_login_at", "last_refresh_at",
            ], documents: ["custom_attributes"]),
        Disclosure(
            "formerIds", of: .userAliases, "The ids of users who were merged into this one.",
            ["local_id", "created_at"]),
        Disclosure(
            "identities", of: .identities, "The identities at providers.",
            [
                "provider", "issuer", "subject", "email", "email_verified", "display_name", "photo_url", "screen_name",
                "profile", "linked_at", "last_sign_in_at", "anonymous", "was_anonymous", "mail_disabled",
                "mail_changed_at", "consent_revoked_at", "removal_at", "imported_at",
            ], documents: ["profile"]),
        Disclosure(
            "identityAliases", of: .identityAliases, "Further subjects of the identities.",
            ["provider", "issuer", "subject", "created_at"]),
        Disclosure(
            "firstTimeProfiles", of: .firstTimeProfiles, "What providers sent at the first sign-in only.",
            [
                "provider", "issuer", "subject", "given_name", "family_name", "email", "email_verified", "captured_at",
            ]),
        Disclosure(
            "grants", of: .providerGrants, "What the user has granted at providers, without the tokens.",
            ["provider", "client_id", "scopes", "expires_at", "obtained_at", "refused_at", "probed_at"]),
        Disclosure(
            "sessions", of: .sessions, "The sessions, also those that have ended.",
            [
                "id", "family", "client_id", "scope", "sign_in_provider", "amr", "acr", "auth_time", "created_at",
                "last_used_at", "revoked_at", "user_agent", "address", "claims", "parent_id", "merged_at",
                "merged_from",
            ], documents: ["claims"]),
        Disclosure(
            "devices", of: .providerDevices, "The devices that sign in at a provider through the broker.",
            ["provider", "created_at", "used_at"]),
        Disclosure(
            "merges", of: .mergeSnapshots, "The merges that can be undone.",
            ["id", "absorbed_local_id", "provider", "created_at", "expires_at"]),
        Disclosure(
            "migrations", of: .migratingSubjects, "The transfers of identities to the app's new owner.",
            ["subject", "new_subject", "email", "email_relay", "profile", "state", "changed_at"],
            documents: ["profile"]),
        Disclosure(
            "notices", of: .accountNotices, "What each app is told once about the account.", ["kind", "created_at"]),
    ]

    /// The columns that stay out although they are neither keys nor sealed nor bytes: what only the broker's own
    /// bookkeeping needs, what repeats another column, and what names another user or an administrator.
    package static let withheld: [String: Set<String>] = [
        "users": ["email_canonical", "valid_since", "epoch"],
        "provider_grants": [
            "version", "refused_version", "refused_reason", "lease_holder", "lease_until", "attempted_version",
            "probed_version", "probe_result",
        ],
        "sessions": ["generation", "rotated_at", "epoch", "revoked_reason", "identity_key"],
        "provider_devices": ["claim", "claimed_until"],
        // The transfer subject opens the account at the app's new owner.
        "migrating_subjects": ["transfer_subject", "reason"],
        // Of an undone merge it is another user.
        "account_notices": ["value", "session_id", "generation", "delivered_at"],
    ]

    /// The tables with rows of users that have none in the export by themselves.
    package static let withheldTables: Set<String> = [
        // The history says what happened. Details, actors and reasons name other users and administrators.
        "audit", "decisions",
        // They repeat the history for apps.
        "event_deliveries", "event_sequences",
        // They repeat names, addresses and ids for the search of administrators.
        "user_words",
        // An administrator is to decide about two users.
        "pending_merges",
        // They are valid once, for an hour at most.
        "authorization_codes", "device_authorizations", "pending_tokens", "used_id_tokens",
    ]
}
