package import BrokerStore

extension AccountContext {
    /// Disables or enables a user, for an administrator.
    ///
    /// Every endpoint reads the flag on each use, so it takes effect at once. No session ends: those of an enabled user
    /// are valid again.
    ///
    /// - Returns: The user as they are now; an audit row is written when that is a change.
    /// - Throws: ``BrokerError/userNotFound``.
    package func disableUser(
        _ isDisabled: Bool = true, localID: String, origin: Origin
    ) async throws -> UserRecord {
        try await write(by: origin) { transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            try transaction.setDisabled(isDisabled, of: user)
            return try transaction.record(of: localID)
        }
    }
}

extension Transaction {
    /// Disables or enables a user, for an administrator.
    func setDisabled(_ isDisabled: Bool, of user: User) throws(StoreError) {
        if try setDisabled(isDisabled, userKey: user.key) {
            try audit(isDisabled ? "user.disabled" : "user.enabled", of: user.localID)
        }
        // An administrator who enables the user of a deleted account decides that the user stays.
        if !isDisabled { try cancelRemovals(of: user.key) }
    }
}
