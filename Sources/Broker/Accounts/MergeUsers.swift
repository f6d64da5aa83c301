import BrokerStore
import ProviderKit

/// The outcome of a merge.
struct MergeOutcome: Sendable {
    /// The survivor as it is afterwards.
    let survivor: User
    /// The absorbed user's sessions that go on as the survivor's, and those that ended.
    let movedSessions: Int
    let endedSessions: Int
    /// The user whose custom claims the survivor has; nil where the absorbed user had no others.
    let claims: MergedClaims?

    /// The detail of the audit entries.
    var detail: JSONObject {
        var detail: JSONObject = [
            "sessionsMoved": .integer(Int64(movedSessions)), "sessionsEnded": .integer(Int64(endedSessions)),
        ]
        detail["claims"] = claims.map { .string($0.rawValue) }
        return detail
    }
}

extension AccountContext {
    /// Merges two users, in the transaction that decides it: the survivor gets every identity with its grants, every
    /// further subject, and the sessions of a proven merge. The absorbed user is deleted with its other sessions and
    /// its profile; its local id becomes an alias of the survivor's. A sealed snapshot of both is stored for an undo.
    ///
    /// - Parameters:
    ///   - plan: What to merge.
    ///   - id: The merge's id, by which it can be undone.
    ///   - claims: Whose custom claims the survivor has.
    ///   - transaction: The transaction.
    /// - Returns: The outcome.
    /// - Throws: ``BrokerError`` or a store's error; then the transaction must write nothing.
    func merge(
        _ plan: MergePlan, id: String, claims: MergedClaims = .survivor, in transaction: borrowing Transaction
    ) throws -> MergeOutcome {
        let (survivor, absorbed, now) = (plan.survivor.user, plan.absorbed.user, transaction.now)
        try mergeSnapshots.keep(plan, id: id, claims: claims, in: transaction)
        if claims == .absorbed {
            try transaction.setCustomAttributes(absorbed.customAttributes, of: survivor)
        }
        let liveSessions = try transaction.liveSessionCount(of: absorbed)
        let movedSessions = try moveSessions(of: plan, in: transaction)
        if let replaced = plan.replaced, let heir = plan.heir {
            // What is left is deleted with its identity, so rows move first.
            try transaction.moveRows(ofIdentity: replaced.key, to: heir.key)
            guard try transaction.deleteIdentity(key: replaced.key),
                try transaction.addAlias(replaced.identity, to: heir.key, at: now)
            else { throw InternalError.uniqueKeyTaken("identity_aliases") }
        }
        // An earlier merge of the two was undone.
        try transaction.removeNotices(ofMerge: survivor.localID, for: absorbed.key)
        try transaction.removeNotices(ofMerge: absorbed.localID, for: survivor.key)
        try transaction.moveRows(from: absorbed.key, to: survivor.key)
        guard try transaction.deleteUser(key: absorbed.key) else { throw BrokerError.userNotFound }
        guard try transaction.addUserAlias(absorbed.localID, of: survivor.key, at: now) else {
            throw InternalError.uniqueKeyTaken("user_aliases")
        }
        try transaction.insert(
            AccountNotice(
                key: transaction.nextKey(), userKey: survivor.key, kind: .mergedFrom, value: absorbed.localID,
                createdAt: now))
        let edited = survivor.takingEdits(of: absorbed)
        if edited != survivor { try transaction.setProfile(of: edited) }
        if plan.takesEmail, let email = absorbed.email, let canonical = absorbed.emailCanonical {
            _ = try transaction.setEmail(
                of: survivor.key, email: email, canonical: canonical, verified: true,
                assertedBy: absorbed.emailAssertedBy, at: absorbed.emailAssertedAt ?? now)
        }
        return MergeOutcome(
            survivor: try transaction.current(survivor), movedSessions: movedSessions,
            endedSessions: liveSessions - movedSessions, claims: plan.differingClaims.isEmpty ? nil : claims)
    }

    private func moveSessions(of plan: MergePlan, in transaction: borrowing Transaction) throws(StoreError) -> Int {
        guard let proven = plan.proven else { return 0 }
        let (now, rules) = (transaction.now, sessions.rules)
        return try transaction.move(
            MergedSessions(
                of: plan.absorbed.user, begunWith: proven.key, to: plan.survivor.user,
                with: plan.heir?.key ?? proven.key,
                appSessions: rules.age(of: .identityToolkit, at: now), clientSessions: rules.age(of: .oauth, at: now)),
            at: now)
    }
}

extension Transaction {
    /// Replaces the custom claims of a user; nil removes them.
    func setCustomAttributes(_ attributes: String?, of user: User) throws(StoreError) {
        var user = user
        user.customAttributes = attributes
        try writeAdministeredFields(of: user)
    }
}
