package import BrokerStore

/// A user with what `Linked` has of all identities.
package struct LinkedUser<Linked: Sendable>: Sendable {
    package let user: User
    package let identities: [Linked]
    /// The local id it was looked up by, where that is of a user who was merged into this one.
    package let alias: String?

    package init(user: User, identities: [Linked], alias: String? = nil) {
        self.user = user
        self.identities = identities
        self.alias = alias
    }
}

/// A user with all that is stored about all identities.
package typealias UserRecord = LinkedUser<Identity>

extension LinkedUser where Linked: ProviderSubject {
    /// Whether the user is only a device: all identities are anonymous, or there are none; there is no address, and
    /// the user never had a custom token.
    var isAnonymous: Bool { user.isAnonymousByItself && identities.allSatisfy(\.isAnonymous) }
}

extension LinkedUser<LinkedIdentity> {
    package init(_ record: UserRecord) {
        self.init(user: record.user, identities: record.identities.map(LinkedIdentity.init), alias: record.alias)
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
