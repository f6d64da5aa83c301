/// The reason a stored grant yields no more tokens.
package struct GrantRefusal: Sendable, Hashable {
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The provider refused the grant, or reported its withdrawal.
        case revoked
        /// An earlier refresh was never completed here, and the provider no longer takes the token that it used.
        case lost
    }

    package let at: Timestamp
    package let reason: Reason

    package init(at: Timestamp, reason: Reason) {
        self.at = at
        self.reason = reason
    }
}

/// The right of one process to refresh a grant.
package struct GrantLease: Sendable, Hashable {
    /// A random id of the attempt.
    package let holder: String
    package let until: Timestamp

    /// The maximum duration. A lease that ends later was written with a wrong clock and is ignored.
    package static let longest = Duration.seconds(300)

    package init(holder: String, until: Timestamp) {
        self.holder = holder
        self.until = until
    }
}

extension Transaction {
    /// Leases `grant` for one refresh, unless another process holds it or the grant was replaced.
    ///
    /// - Returns: whether `holder` has it.
    package func lease(_ grant: ProviderGrant, to lease: GrantLease, at now: Timestamp) throws(StoreError) -> Bool {
        try run(
            "lease_grant",
            """
            UPDATE provider_grants SET lease_holder = $3, lease_until = $4, attempted_version = $2
            WHERE key = $1 AND version = $2 AND (lease_holder IS NULL OR lease_until <= $5 OR lease_until > $6)
            """, .integer(grant.key), .integer(grant.version), .text(lease.holder),
            .time(min(lease.until, now.advanced(by: GrantLease.longest))), .time(now),
            .time(now.advanced(by: GrantLease.longest))) > 0
    }

    /// Ends the lease of `holder`.
    ///
    /// - Parameters:
    ///   - key: The grant.
    ///   - holder: The holder; a lease of another stays.
    ///   - isSettled: Whether the provider answered the attempt. When it may have answered one that never arrived,
    ///     ``ProviderGrant/isUnsettled`` stays true.
    /// - Returns: false if `holder` has no lease of it.
    /// - Throws: ``StoreError``.
    @discardableResult
    package func releaseGrant(
        key: Int64, holder: String, isSettled: Bool
    ) throws(StoreError) -> Bool {
        if isSettled {
            return try run(
                "settle_grant",
                """
                UPDATE provider_grants SET lease_holder = NULL, lease_until = NULL, attempted_version = NULL
                WHERE key = $1 AND lease_holder = $2
                """, .integer(key), .text(holder)) > 0
        }
        return try run(
            "release_grant",
            """
            UPDATE provider_grants SET lease_holder = NULL, lease_until = NULL WHERE key = $1 AND lease_holder = $2
            """, .integer(key), .text(holder)) > 0
    }

    /// Marks this version of a grant as refused. A later version of it is not affected.
    ///
    /// - Returns: false if the grant was replaced, removed, or marked before.
    package func refuse(_ grant: ProviderGrant, _ refusal: GrantRefusal) throws(StoreError) -> Bool {
        try run(
            "refuse_grant",
            """
            UPDATE provider_grants SET refused_at = $3, refused_version = $2, refused_reason = $4
            WHERE key = $1 AND version = $2 AND coalesce(refused_version, -1) <> $2
            """, .integer(grant.key), .integer(grant.version), .time(refusal.at),
            .text(refusal.reason.rawValue)) > 0
    }
}
