import BrokerStore
import ProviderKit

/// An identifier of a user.
package enum UserCriterion: Sendable {
    case localID(String)
    /// The user's address, in any case of letters.
    case email(String)
    /// The subject of an identity at the entry with this id.
    case identity(provider: String, subject: String)
    /// The address the user had before the first change of it.
    case initialEmail(String)
}

extension AccountContext {
    /// Finds users for an administrator (contract §2.5).
    ///
    /// - Returns: The users in the order of the criteria, each once; of a user who was merged into another one, that one
    ///   with the id it was found by as ``UserRecord/alias``.
    /// - Throws: A store's error.
    package func findUsers(_ criteria: [UserCriterion]) async throws -> [UserRecord] {
        let directory = providers.current
        return try await store.read { transaction in
            var known: Set<Int64> = []
            return try criteria.flatMap { criterion in
                try transaction.users(criterion, directory).filter { known.insert($0.user.key).inserted }.map { found in
                    let user = try transaction.withLastRefresh(found.user)
                    return UserRecord(
                        user: user, identities: try transaction.identities(of: user.key), alias: found.alias)
                }
            }
        }
    }
}

extension Transaction {
    /// The user with the time of the last refresh: a refresh writes its session alone, so the user's latest is the latest
    /// of theirs.
    func withLastRefresh(_ user: User) throws(StoreError) -> User {
        var user = user
        user.lastRefreshAt = [user.lastRefreshAt, try lastRefresh(of: user.key)].compactMap(\.self).max()
        return user
    }

    fileprivate func users(
        _ criterion: UserCriterion, _ providers: ProviderDirectory
    ) throws(StoreError) -> [(user: User, alias: String?)] {
        switch criterion {
        case .localID(let localID):
            if let user = try user(localID: localID) { return [(user, nil)] }
            return try user(absorbing: localID).map { [($0, localID)] } ?? []
        case .email(let text):
            guard let canonical = EmailAddress(text)?.canonical else { return [] }
            return try user(holdingEmail: canonical).map { [($0, nil)] } ?? []
        case .identity(let provider, let subject):
            if let issuer = providers.provider(provider)?.instance,
                let owner = try user(owning: IdentityKey(provider: provider, issuer: issuer, subject: subject))
            {
                return [(owner, nil)]
            }
            // An entry that is disabled, removed or has another instance now still has its users.
            return try users(withSubject: subject, at: provider).map { ($0, nil) }
        case .initialEmail(let text):
            guard let canonical = EmailAddress(text)?.canonical else { return [] }
            return try users(initialEmail: canonical).map { ($0, nil) }
        }
    }
}
