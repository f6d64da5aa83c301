package import BrokerStore

/// A user with all identities.
package struct UserRecord: Sendable {
    package let user: User
    package let identities: [Identity]
    /// The local id it was looked up by, where that is of a user who was merged into this one.
    package let alias: String?

    package init(user: User, identities: [Identity], alias: String? = nil) {
        self.user = user
        self.identities = identities
        self.alias = alias
    }
}

extension Transaction {
    /// A user with all identities.
    ///
    /// - Throws: ``BrokerError/userNotFound``, or a store's error.
    func record(of localID: String) throws -> UserRecord {
        guard let user = try user(localID: localID) else { throw BrokerError.userNotFound }
        return try record(of: user)
    }

    /// The user with all identities, as the transaction has them now.
    func record(of user: User) throws(StoreError) -> UserRecord {
        UserRecord(user: user, identities: try identities(of: user.key))
    }

    /// The user as the transaction has it now.
    ///
    /// - Throws: ``BrokerError/userNotFound``, or a store's error.
    func current(_ user: User) throws -> User {
        guard let current = try self.user(key: user.key) else { throw BrokerError.userNotFound }
        return current
    }
}
