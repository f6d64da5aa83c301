package import BrokerStore

/// A user as an administrator creates it. Texts are validated by the transport.
package struct NewUser: Sendable {
    /// The public id; nil for one that the broker draws.
    package var localID: String?
    /// The address as it was written.
    package var email: String?
    package var isEmailVerified = false
    package var displayName: String?
    package var photoURL: String?
    package var isDisabled = false

    package init() {}
}

extension AccountContext {
    /// Creates a user for an administrator (contract §2.1). The user has no identity yet: custom tokens, a link by the
    /// administrator or a sign-in with the same verified address lead to it.
    ///
    /// - Returns: The user, without a last sign-in.
    /// - Throws: ``BrokerError/invalidLocalID``, ``BrokerError/duplicateLocalID``, ``BrokerError/invalidEmail``,
    ///   ``BrokerError/emailHeldByAnotherUser`` in this order; then nothing was written.
    package func createUser(_ new: NewUser, origin: Origin) async throws -> UserRecord {
        if let chosen = new.localID, !LocalID.isUsable(chosen) { throw BrokerError.invalidLocalID }
        let localID = new.localID ?? LocalID.generate()
        let canonical = new.email.flatMap(EmailAddress.init)?.canonical
        return try await write(by: origin) { transaction in
            guard try !transaction.isTaken(localID) else { throw BrokerError.duplicateLocalID }
            if new.email != nil {
                guard let canonical else { throw BrokerError.invalidEmail }
                guard try transaction.user(holdingEmail: canonical) == nil else {
                    throw BrokerError.emailHeldByAnotherUser
                }
            }
            let user = User(
                key: transaction.nextKey(), localID: localID, email: canonical, emailCanonical: canonical,
                isEmailVerified: canonical != nil && new.isEmailVerified,
                emailAssertedAt: canonical == nil ? nil : transaction.now, displayName: new.displayName,
                photoURL: new.photoURL, isDisabled: new.isDisabled, createdAt: transaction.now)
            guard try transaction.insert(user) else { throw InternalError.uniqueKeyTaken("users") }
            try transaction.audit("user.created", of: localID)
            return UserRecord(user: user, identities: [])
        }
    }
}

extension Transaction {
    /// Whether a local id belongs to a user, or to one who was merged into another.
    func isTaken(_ localID: String) throws(StoreError) -> Bool {
        if try user(localID: localID) != nil { return true }
        return try user(absorbing: localID) != nil
    }
}
