/// What providers report about identities after their sign-in.
extension Transaction {
    /// Stores whether the provider forwards mail to an identity's relay address, unless a later report is stored.
    ///
    /// - Returns: false if a later one is stored, or the identity is gone.
    package func setMailDisabled(
        _ isDisabled: Bool, ofIdentity key: Int64, since moment: Timestamp
    ) throws(StoreError) -> Bool {
        try run(
            "set_identity_mail",
            """
            UPDATE identities SET mail_disabled = $2, mail_changed_at = $3
            WHERE key = $1 AND coalesce(mail_changed_at, 0) < $3
            """, .integer(key), .flag(isDisabled), .time(moment)) > 0
    }

    /// Marks an identity whose user withdrew consent at the provider. The next sign-in with it removes the mark.
    package func markConsentRevoked(ofIdentity key: Int64, at moment: Timestamp) throws(StoreError) {
        try run(
            "mark_identity_consent", "UPDATE identities SET consent_revoked_at = $2 WHERE key = $1", .integer(key),
            .time(moment))
    }

    /// Has housekeeping remove an identity from `moment` on. The next sign-in with it cancels the removal.
    package func scheduleRemoval(ofIdentity key: Int64, at moment: Timestamp) throws(StoreError) {
        try run(
            "schedule_identity_removal", "UPDATE identities SET removal_at = $2 WHERE key = $1", .integer(key),
            .time(moment))
    }

    /// Cancels the removals of a user's identities.
    ///
    /// - Returns: How many there were.
    @discardableResult
    package func cancelRemovals(of userKey: Int64) throws(StoreError) -> Int {
        try run(
            "cancel_identity_removals",
            "UPDATE identities SET removal_at = NULL WHERE user_key = $1 AND removal_at IS NOT NULL",
            .integer(userKey))
    }

    /// The identities that are due for removal at `moment`, the earliest first.
    package func dueRemovals(at moment: Timestamp, limit: Int) throws(StoreError) -> [Identity] {
        try all(
            "due_identity_removals",
            """
            SELECT \(Identity.columns) FROM identities WHERE removal_at IS NOT NULL AND removal_at <= $1
            ORDER BY removal_at LIMIT $2
            """, .time(moment), .limit(limit))
    }

    /// Removes the grants of an identity.
    ///
    /// - Parameters:
    ///   - key: The identity.
    ///   - moment: Only grants obtained until then; nil for all of them.
    /// - Returns: How many there were.
    /// - Throws: ``StoreError``.
    @discardableResult
    package func removeGrants(ofIdentity key: Int64, obtainedBy moment: Timestamp? = nil) throws(StoreError) -> Int {
        try run(
            "remove_grants_of_identity",
            "DELETE FROM provider_grants WHERE identity_key = $1 AND obtained_at <= $2", .integer(key),
            .integer(moment?.milliseconds ?? .max))
    }

    /// Makes the access tokens of an identity expire at `moment`, except those obtained later.
    ///
    /// - Returns: How many expire earlier than before.
    @discardableResult
    package func expireGrants(ofIdentity key: Int64, at moment: Timestamp) throws(StoreError) -> Int {
        try run(
            "expire_grants_of_identity",
            """
            UPDATE provider_grants SET expires_at = $2
            WHERE identity_key = $1 AND obtained_at <= $2 AND (expires_at IS NULL OR expires_at > $2)
            """, .integer(key), .time(moment))
    }
}
