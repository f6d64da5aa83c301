import BrokerStore
import ProviderKit

/// How two users become one: decided from values first, carried out in a transaction afterwards.
struct MergePlan: Sendable {
    let survivor: User
    let absorbed: User
    /// The absorbed user's identity at the provider that merged the accounts, whose subject becomes an alias of ``heir``;
    /// `nil` when the survivor has none there and it simply moves.
    let replaced: Identity?
    /// The survivor's identity at that provider.
    let heir: Identity?
    /// Whether the survivor gets the absorbed user's address, having none.
    let takesEmail: Bool

    /// - Throws: ``BrokerError/mergeConflict(provider:)`` when both have an identity of another provider, since one user
    ///   never has two of one; ``BrokerError/userDisabled`` when either is disabled, since a merge must not be the way
    ///   around that.
    init(_ survivor: UserRecord, absorbing absorbed: UserRecord, mergedBy provider: String) throws(BrokerError) {
        guard !survivor.user.isDisabled, !absorbed.user.isDisabled else { throw .userDisabled }
        var replaced: Identity?
        var heir: Identity?
        for identity in absorbed.identities {
            guard
                let twin = survivor.identities.first(where: { $0.provider.hasSameBytes(as: identity.provider) })
            else { continue }
            guard identity.provider.hasSameBytes(as: provider) else {
                throw .mergeConflict(provider: identity.provider)
            }
            replaced = identity
            heir = twin
        }
        self.survivor = survivor.user
        self.absorbed = absorbed.user
        self.replaced = replaced
        self.heir = heir
        takesEmail = survivor.user.email == nil && absorbed.user.isEmailVerified
    }
}

extension Transaction {
    /// Merges two users: the survivor gets every identity with its grants, and every further subject. The absorbed user
    /// is deleted with their sessions and profile.
    ///
    /// - Returns: The survivor as they are afterwards.
    /// - Throws: ``BrokerError`` or a store's error; then the transaction must write nothing.
    func carryOut(_ plan: MergePlan) throws -> User {
        if let replaced = plan.replaced, let heir = plan.heir {
            // Aliases are deleted with their identity, so they move first.
            try moveAliases(from: replaced.key, to: heir.key)
            guard try deleteIdentity(key: replaced.key), try addAlias(replaced.identity, to: heir.key, at: now) else {
                throw InternalError.uniqueKeyTaken("identity_aliases")
            }
        }
        try moveIdentities(from: plan.absorbed.key, to: plan.survivor.key)
        guard try deleteUser(key: plan.absorbed.key) else { throw BrokerError.userNotFound }
        if plan.takesEmail, let email = plan.absorbed.email, let canonical = plan.absorbed.emailCanonical {
            _ = try setEmail(
                of: plan.survivor.key, email: email, canonical: canonical, verified: true,
                assertedBy: plan.absorbed.emailAssertedBy, at: plan.absorbed.emailAssertedAt ?? now)
        }
        return try current(plan.survivor)
    }
}
