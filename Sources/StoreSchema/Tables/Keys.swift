extension TableDefinition {
    package static let settings = TableDefinition(
        "settings", key: ["name"], ownership: .noUser, fields: [.text("name"), .blob("value")])

    package static let masterKeys = TableDefinition(
        "master_keys", record: "MasterKeyRow",
        "A master key the store was or is sealed under. The store knows it by its id and check value only.",
        uniques: [.columns("id")], ownership: .noUser,
        fields: [
            .key(),
            .text("id", comment: "Eight hexadecimal digits, as in the header of sealed values."),
            .blob("check_value", comment: "Recognises the key."),
            .time(
                "began_at", .optional,
                comment: "When values began to be sealed under it; nil for the key the store was made with."),
            .time("ended_at", .optional, comment: "When another one took over; nil for the current key."),
            .time("rewrapped_at", .optional, comment: "When no value was left under it."),
            .time("compromised_at", .optional, comment: "When a rotation declared it compromised."),
        ])

    package static let wrappedKeys = TableDefinition(
        "wrapped_keys", record: "WrappedKey",
        """
        A random key of one purpose, sealed under the master key, so that what it signs survives a rotation of that one.
        """,
        uniques: [.columns("purpose", "generation")], ownership: .noUser,
        fields: [
            .key(),
            .text("purpose", comment: "The raw value of the purpose."),
            .integer(
                "generation",
                comment: """
                    0 for the key that was derived from the first master key, which only verifies once a later one is active.
                    """),
            .text("id", comment: "Names it in what it signs."),
            .sealed(
                "sealed_key",
                by: SealDefinition(
                    "wrapped-key/v1",
                    [
                        .literal("wrapped_keys"), .text("purpose"), .integer("generation"), .text("id"),
                        .integer("activates_at"),
                    ])),
            .time("created_at"),
            .time("activates_at", comment: "When it replaces the generation before."),
        ])

    package static let signingKeys = TableDefinition(
        "signing_keys", record: "StoredSigningKey",
        "A key the broker signs tokens with; its private half is sealed.",
        uniques: [.columns("kid")], ownership: .noUser,
        fields: [
            .key(),
            .text("kid"),
            .choice("family", of: "Family"),
            .choice("algorithm", of: "Algorithm"),
            .choice("state", of: "State"),
            .sealed(
                "sealed_private_key",
                by: SealDefinition(
                    "sealed-signing-key/v1", [.literal("signing_keys"), .text("family"), .text("kid")])),
            .text("public_jwk", comment: "RFC 7517, JSON as text."),
            .text("certificate", comment: "PEM."),
            .time("created_at"),
            .time("activates_at"),
            .time("retires_at", .optional),
        ])

    package static let adminCredentials = TableDefinition(
        "admin_credentials", record: "AdminCredential",
        "A credential of a backend or an administrator at the HTTP API.",
        uniques: [.columns("id"), .columns("token_hash")], ownership: .noUser,
        fields: [
            .key(),
            .text("id", comment: "The public id, for lists and the audit."),
            .text("name"),
            .blob("token_hash", comment: "SHA-256 of the token."),
            .text("scopes", comment: "The granted scopes, separated by spaces."),
            .time("created_at"),
            .time("expires_at", .optional, comment: "`nil`: it is valid until it is revoked."),
            .time("revoked_at", .optional),
            .time("last_used_at", .optional, comment: "The last use, to the minute."),
        ])

    package static let serviceAccounts = TableDefinition(
        "service_accounts", record: "StoredServiceAccount",
        "A service account: an identity of a backend with scopes, which authenticates with keys of its own.",
        uniques: [.columns("id"), .columns("name"), .columns("email")], ownership: .noUser,
        fields: [
            .key(),
            .text("id", comment: "The public id, for lists and the audit."),
            .text("name"),
            .text("email", comment: "Issuer and subject of what the account signs."),
            .text("scopes", comment: "The granted scopes, separated by spaces."),
            .time("created_at"),
            .time("revoked_at", .optional),
            .time("last_used_at", .optional, comment: "The last use of an access token, to the minute."),
        ])

    package static let serviceAccountKeys = TableDefinition(
        "service_account_keys", record: "StoredServiceAccountKey",
        "The public half of a service account's key; the private half is not stored.",
        uniques: [.columns("id")], indexes: [.index("service_account_keys_account", "account_key")],
        ownership: .noUser,
        fields: [
            .key(),
            .reference("account_key", to: "service_accounts"),
            .text("id", comment: "The `kid` of what the key signs."),
            .text("public_jwk", comment: "The public key as a JWK."),
            .time("created_at"),
            .time("expires_at", .optional, comment: "`nil` until a later key replaces it."),
        ])

    package static let providerEntries = TableDefinition(
        "provider_entries", record: "StoredProviderEntry",
        "A provider entry that stands in the store instead of `plugins.json`.",
        uniques: [.columns("id")], ownership: .noUser,
        fields: [
            .key(),
            .text("id", comment: "The wire's `providerId`."),
            .sealed(
                "sealed_entry",
                by: SealDefinition(
                    "provider-entry/v1", [.literal("provider_entries"), .text("id"), .integer("version")]),
                comment: "The entry as `plugins.json` would have it, with its secrets."),
            .integer("version", comment: "1, 2, 3, …: each change has the next."),
            .time("created_at"),
            .time("changed_at"),
        ])

    package static let consoleAdministrators = TableDefinition(
        "console_administrators", record: "ConsoleAdministrator",
        "An administrator of the console: a subject at a provider. No user's row is involved.",
        uniques: [
            .columns("id"), .columns("provider", "issuer", "subject"), .columns("provider", "email"),
        ], ownership: .noUser,
        fields: [
            .key(),
            .text("id", comment: "The public id, for lists and the audit."),
            .text("provider", comment: "The id of the provider entry that verifies the subject."),
            .text("issuer"),
            .text("subject"),
            .text("name", comment: "The name at the provider at the latest sign-in."),
            .text(
                "role", .optional,
                comment: "The role that an invitation gave; nil where the configuration names the administrator."),
            .text(
                "email", .optional,
                comment: "The address of the configuration that was bound to the subject at its first use, canonical."),
            .time("created_at"),
            .time("last_sign_in_at", .optional),
        ])

    package static let consoleSessions = TableDefinition(
        "console_sessions", record: "ConsoleSession",
        "A session of an administrator at the console.",
        uniques: [.columns("token_hash")],
        indexes: [.index("console_sessions_administrator", "administrator_key")], ownership: .noUser,
        fields: [
            .key(),
            .reference("administrator_key", to: "console_administrators"),
            .blob("token_hash", comment: "SHA-256 of the cookie."),
            .blob("parties_hash", comment: "SHA-256 of what the provider's entry trusted at the sign-in."),
            .integer("auth_time", comment: "The time of the authentication, in whole seconds since 1970."),
            .time("created_at"),
            .time("last_used_at", comment: "The time of the latest use, to 15 seconds."),
            .text("user_agent", .optional),
            .text("address", .optional),
        ])
}
