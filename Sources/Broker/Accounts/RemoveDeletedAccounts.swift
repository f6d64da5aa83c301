package import BrokerStore

extension AccountContext {
    /// Removes the identities of accounts that were deleted at their provider, when the time has passed in which they
    /// could return. A user who was disabled for it and has no other way to sign in is deleted.
    ///
    /// - Parameters:
    ///   - moment: Identities due by then are removed.
    ///   - limit: The maximum number of identities.
    ///   - transaction: The transaction of the batch.
    /// - Returns: The number of identities removed.
    /// - Throws: A store's error.
    package func removeDeletedAccounts(
        dueBy moment: Timestamp, limit: Int, in transaction: borrowing Transaction
    ) throws -> Int {
        let origin = Origin(.system, actor: "housekeeping")
        let due = try transaction.dueRemovals(at: moment, limit: limit)
        for identity in due {
            guard let user = try transaction.user(key: identity.userKey) else { continue }
            let isLast = try transaction.identities(of: user.key).count == 1 && !user.isCustomAuth
            if isLast, user.isDisabled {
                _ = try transaction.delete(user, withdrawing: outbox.withdrawals.order(.delete), by: origin)
            } else {
                try transaction.remove([identity], of: user, by: origin)
            }
        }
        return due.count
    }
}
