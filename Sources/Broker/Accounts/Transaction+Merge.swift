import BrokerStore

extension Transaction {
    /// Makes two users one: the survivor gets every identity with its grants, and every further subject. The absorbed
    /// user goes, and with them their sessions and profile.
    ///
    /// - Returns: The survivor as they are afterwards.
    /// - Throws: ``BrokerError`` or a store's error; then the transaction must write nothing.
    func carryOut(_ plan: MergePlan, at now: Timestamp) throws -> User {
        if let replaced = plan.replaced, let heir = plan.heir {
            // Aliases go with their identity, so they leave it first.
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
        guard let merged = try user(key: plan.survivor.key) else { throw BrokerError.userNotFound }
        return merged
    }

    /// Makes further subjects stand for an identity.
    ///
    /// - Throws: ``InternalError/uniqueKeyTaken(_:)`` when one of them is somebody's after all, or a store's error.
    func claim(_ subjects: [IdentityKey], for identity: Identity, at now: Timestamp) throws {
        for subject in subjects where subject != identity.identity {
            guard try addAlias(subject, to: identity.key, at: now) else { throw InternalError.uniqueKeyTaken("identity_aliases") }
        }
    }
}
