/// A provider's tokens for a user, sealed and stored for refresh and revocation.
package struct ProviderGrant: Sendable, Hashable {
    /// Private, time-ordered; stays when the grant is replaced.
    package var key: Int64
    package var identityKey: Int64
    package var provider: String
    /// The broker's client at the provider that obtained the tokens, and the only one that can use them up.
    package var clientID: String
    /// The granted scopes, separated by spaces.
    package var scopes: String
    package var sealedAccessToken: [UInt8]
    package var sealedRefreshToken: [UInt8]?
    package var expiresAt: Timestamp?
    package var obtainedAt: Timestamp
    /// Grows with each replacement; part of what the seal authenticates.
    package var version: Int64
    /// The reason this version yields no more tokens; nil while it may.
    package private(set) var refusal: GrantRefusal?
    /// When the provider was last asked whether the grant is valid.
    package private(set) var probedAt: Timestamp?
    /// Whether the latest probe of this version was refused, which takes effect later.
    package private(set) var isRefusedByProbe = false
    /// The refresh that is under way, or was when its process ended.
    package private(set) var lease: GrantLease?
    /// Whether a refresh of this version began and its outcome was never stored.
    package private(set) var isUnsettled = false

    package init(
        key: Int64, identityKey: Int64, provider: String, clientID: String, scopes: String,
        sealedAccessToken: [UInt8], sealedRefreshToken: [UInt8]? = nil, expiresAt: Timestamp? = nil,
        obtainedAt: Timestamp, version: Int64
    ) {
        self.key = key
        self.identityKey = identityKey
        self.provider = provider
        self.clientID = clientID
        self.scopes = scopes
        self.sealedAccessToken = sealedAccessToken
        self.sealedRefreshToken = sealedRefreshToken
        self.expiresAt = expiresAt
        self.obtainedAt = obtainedAt
        self.version = version
    }
}

/// The statements of `provider_grants`.
enum ProviderGrantStatements {
    static let columns = """
        provider_grants.key, provider_grants.identity_key, provider_grants.provider, provider_grants.client_id, \
        provider_grants.scopes, provider_grants.sealed_access_token, provider_grants.sealed_refresh_token, \
        provider_grants.expires_at, provider_grants.obtained_at, provider_grants.version, \
        provider_grants.refused_at, provider_grants.refused_version, provider_grants.refused_reason, \
        provider_grants.probed_at, provider_grants.lease_holder, provider_grants.lease_until, \
        provider_grants.attempted_version, provider_grants.probe_result, provider_grants.probed_version
        """

    static let upsert = Statement(
        "upsert_grant",
        """
        INSERT INTO provider_grants (key, identity_key, provider, client_id, scopes, sealed_access_token,
            sealed_refresh_token, expires_at, obtained_at, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        ON CONFLICT (identity_key, client_id) DO UPDATE SET
            provider = excluded.provider, scopes = excluded.scopes,
            sealed_access_token = excluded.sealed_access_token,
            sealed_refresh_token = excluded.sealed_refresh_token,
            expires_at = excluded.expires_at, obtained_at = excluded.obtained_at, version = excluded.version
        WHERE provider_grants.key = excluded.key AND provider_grants.version < excluded.version
        RETURNING key
        """, .integer, .integer, .text, .text, .text, .blob, .blob, .integer, .integer, .integer)

    static let ofUser = Statement(
        "grants_of_user",
        """
        SELECT \(columns) FROM provider_grants JOIN identities ON identities.key = provider_grants.identity_key
        WHERE identities.user_key = $1 ORDER BY provider_grants.key
        """, .integer)

    static let one = Statement(
        "grant_of_client", "SELECT \(columns) FROM provider_grants WHERE identity_key = $1 AND client_id = $2",
        .integer, .text)

    static let all = [upsert, ofUser, one]
}

extension Transaction {
    /// Keeps `grant`, in place of the one of the same identity and client if there is one.
    ///
    /// The replaced grant was read in the same transaction: `grant` has its key and a greater version, because the
    /// seals are bound to both. Anything else is `.misuse`.
    package func upsertGrant(_ grant: ProviderGrant) throws(StoreError) {
        let rows = try run(
            ProviderGrantStatements.upsert, .integer(grant.key), .integer(grant.identityKey), .text(grant.provider),
            .text(grant.clientID), .text(grant.scopes), .blob(grant.sealedAccessToken),
            .blob(orNull: grant.sealedRefreshToken), .time(orNull: grant.expiresAt), .time(grant.obtainedAt),
            .integer(grant.version))
        guard rows.isEmpty else { return }
        throw StoreError(.misuse, "a provider grant was replaced without its key and a greater version")
    }

    /// All grants of a user's identities, oldest first.
    package func grants(of userKey: Int64) throws(StoreError) -> [ProviderGrant] {
        try run(ProviderGrantStatements.ofUser, .integer(userKey)).map { row throws(StoreError) in
            try ProviderGrant(reading: row)
        }
    }

    /// The grant one of our clients obtained for an identity.
    package func grant(identityKey: Int64, clientID: String) throws(StoreError) -> ProviderGrant? {
        let rows = try run(ProviderGrantStatements.one, .integer(identityKey), .text(clientID))
        return try rows.first.map { row throws(StoreError) in try ProviderGrant(reading: row) }
    }
}

extension ProviderGrant {
    init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), identityKey: row.integer(), provider: row.text(), clientID: row.text(),
            scopes: row.text(), sealedAccessToken: row.blob(), sealedRefreshToken: row.optionalBlob(),
            expiresAt: row.optionalTime(), obtainedAt: row.time(), version: row.integer())
        let (refusedAt, refusedVersion) = (try row.optionalTime(), try row.optionalInteger())
        let reason = try row.optionalText().flatMap(GrantRefusal.Reason.init(rawValue:))
        if let refusedAt, refusedVersion == version {
            refusal = GrantRefusal(at: refusedAt, reason: reason ?? .revoked)
        }
        probedAt = try row.optionalTime()
        let (holder, until) = (try row.optionalText(), try row.optionalTime())
        if let holder, let until { lease = GrantLease(holder: holder, until: until) }
        isUnsettled = try row.optionalInteger() == version
        let probed = try row.optionalText().flatMap(GrantProbeResult.init(rawValue:))
        isRefusedByProbe = try row.optionalInteger() == version && probed == .refused
    }
}
