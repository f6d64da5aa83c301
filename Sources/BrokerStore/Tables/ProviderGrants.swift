extension ProviderGrant {
    /// The reason this version yields no more tokens; nil while it may.
    package var refusal: GrantRefusal? {
        guard let refusedAt, refusedVersion == version else { return nil }
        return GrantRefusal(at: refusedAt, reason: refusedReason.flatMap(GrantRefusal.Reason.init) ?? .revoked)
    }

    /// Whether the latest probe of this version was refused, which takes effect later.
    package var isRefusedByProbe: Bool { probedVersion == version && probeResult == GrantProbeResult.refused.rawValue }

    /// The refresh that is under way, or was when its process ended.
    package var lease: GrantLease? {
        guard let leaseHolder, let leaseUntil else { return nil }
        return GrantLease(holder: leaseHolder, until: leaseUntil)
    }

    /// Whether a refresh of this version began and its outcome was never stored.
    package var isUnsettled: Bool { attemptedVersion == version }
}

extension Transaction {
    /// Keeps `grant`, in place of the one of the same identity and client if there is one.
    ///
    /// The replaced grant was read in the same transaction: `grant` has its key and a greater version, because the
    /// seals are bound to both. Anything else is `.misuse`.
    package func upsertGrant(_ grant: ProviderGrant) throws(StoreError) {
        let stored = try run(
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
            """, .integer(grant.key), .integer(grant.identityKey), .text(grant.provider), .text(grant.clientID),
            .text(grant.scopes), .blob(grant.sealedAccessToken), .blob(orNull: grant.sealedRefreshToken),
            .time(orNull: grant.expiresAt), .time(grant.obtainedAt), .integer(grant.version))
        guard stored == 0 else { return }
        throw StoreError(.misuse, "a provider grant was replaced without its key and a greater version")
    }

    /// All grants of a user's identities, oldest first.
    package func grants(of userKey: Int64) throws(StoreError) -> [ProviderGrant] {
        try all(
            "grants_of_user",
            """
            SELECT \(ProviderGrant.columns) FROM provider_grants
            JOIN identities ON identities.key = provider_grants.identity_key
            WHERE identities.user_key = $1 ORDER BY provider_grants.key
            """, .integer(userKey))
    }

    /// The grant one of our clients obtained for an identity.
    package func grant(identityKey: Int64, clientID: String) throws(StoreError) -> ProviderGrant? {
        try first(
            "grant_of_client",
            "SELECT \(ProviderGrant.columns) FROM provider_grants WHERE identity_key = $1 AND client_id = $2",
            .integer(identityKey), .text(clientID))
    }
}
