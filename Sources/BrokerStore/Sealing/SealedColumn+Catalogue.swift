extension SealedColumn {
    /// Every column of sealed values. A migration that adds one (`sealed_…`) adds it here, with the name its writer seals
    /// it for: a rotation of the master key and `broker vault verify` know no others.
    package static let all: [SealedColumn] =
        [
            wrappedKeys, signingKeys, accessTokens, refreshTokens, withdrawals, pendingTokens, mergeSnapshots,
            providerDevices, providerEntries, webhookSecrets, previousWebhookSecrets,
        ] + signInAttempts + deviceAuthorizations

    /// The statements of all columns.
    static let statements: [Statement] = all.flatMap(\.statements)

    private static let wrappedKeys = SealedColumn(
        "wrapped_keys", "sealed_key", purpose: "wrapped-key/v1",
        name: [
            .literal("wrapped_keys"), .text("purpose"), .integer("generation"), .text("id"), .integer("activates_at"),
        ])

    private static let signingKeys = SealedColumn(
        "signing_keys", "sealed_private_key", purpose: "sealed-signing-key/v1",
        name: [.literal("signing_keys"), .text("family"), .text("kid")])

    private static let accessTokens = grants("access_token")
    private static let refreshTokens = grants("refresh_token")

    private static func grants(_ token: String) -> SealedColumn {
        SealedColumn(
            "provider_grants", "sealed_\(token)", purpose: "vault/v1",
            name: [
                .text("identities.provider"), .text("identities.issuer"), .text("identities.subject"),
                .text("client_id"), .literal(token), .integer("version"),
            ], join: "JOIN identities ON identities.key = provider_grants.identity_key")
    }

    private static let withdrawals = SealedColumn(
        "withdrawals", "sealed_grant", purpose: "withdrawal/v1",
        name: [
            .literal("withdrawals"), .text("id"), .text("provider"), .text("issuer"), .text("client_id"),
        ])

    private static let mergeSnapshots = SealedColumn(
        "merge_snapshots", "sealed_users", purpose: "merge-snapshot/v1",
        name: [.literal("merge_snapshots"), .text("id"), .text("absorbed_local_id")])

    private static let providerDevices = SealedColumn(
        "provider_devices", "sealed_secret", purpose: "vault/v1",
        name: [.literal("provider_devices"), .text("provider"), .base64URL("device_hash")])

    private static let providerEntries = SealedColumn(
        "provider_entries", "sealed_entry", purpose: "provider-entry/v1",
        name: [.literal("provider_entries"), .text("id"), .integer("version")])

    private static let webhookSecrets = webhooks("sealed_secret")
    private static let previousWebhookSecrets = webhooks("sealed_previous_secret")

    // A rotation moves a value from one column to the other.
    private static func webhooks(_ column: String) -> SealedColumn {
        SealedColumn("webhooks", column, purpose: "webhook/v1", name: [.literal("webhooks"), .text("id")])
    }

    private static let pendingTokens = SealedColumn(
        "pending_tokens", "sealed_evidence", purpose: "pending-token/v1",
        name: [.literal("pending_tokens"), .base64URL("token_hash")])

    private static let signInAttempts = [
        SealedColumn(
            "sign_in_attempts", "sealed_request", purpose: "sign-in-attempt/v1",
            name: [.literal("sign_in_attempts"), .literal("content/2"), .base64URL("state_hash")]),
        SealedColumn(
            "sign_in_attempts", "sealed_response", purpose: "sign-in-attempt/v1",
            name: [.literal("sign_in_attempts"), .literal("response"), .base64URL("handle_hash")]),
    ]

    private static let deviceAuthorizations = ["request", "outcome"].map { name in
        SealedColumn(
            "device_authorizations", "sealed_\(name)", purpose: "device-authorization/v1",
            name: [.literal("device_authorizations"), .literal(name), .base64URL("device_code_hash")])
    }
}
