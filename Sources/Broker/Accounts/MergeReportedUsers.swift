import BrokerStore

/// Merges users that one provider reports as the same account, as a step of a sign-in.
///
/// The provider's report alone merges no users: the merge waits for an administrator, unless the operator has set
/// `autoMerge` for this provider.
struct MergeReportedUsers: Sendable {
    /// The provider that reports it.
    let provider: String
    let isAutomatic: Bool
    let origin: Origin

    /// Merges the other holders with the owner, or leaves the decision to an administrator.
    ///
    /// - Returns: The owner as they are afterwards.
    /// - Throws: ``BrokerError`` or a store's error.
    func callAsFunction(
        _ owner: User, with others: [AccountSnapshot.SubjectHolder], in transaction: borrowing Transaction
    ) throws -> User {
        var owner = owner
        for other in others { owner = try merge(owner, with: other, in: transaction) }
        return owner
    }

    private func merge(
        _ owner: User, with other: AccountSnapshot.SubjectHolder, in transaction: borrowing Transaction
    ) throws -> User {
        let record = MergeRecord(
            survivor: owner, absorbed: other.user, identity: other.identity.identity, origin: origin)
        switch try decide(owner, other.user, in: transaction) {
        case .merge(let plan):
            let merged = try transaction.carryOut(plan)
            try record.append(.merged, rule: "M-automatic", in: transaction)
            return merged
        case .wait(let rule):
            let pending = PendingMerge(
                key: transaction.nextKey(), id: RandomText.alphanumeric(12), survivorKey: owner.key,
                absorbedKey: other.user.key, provider: provider, createdAt: transaction.now)
            if try transaction.insert(pending) { try record.append(.pending, rule: rule, in: transaction) }
            return owner
        }
    }

    private enum MergeDecision {
        case merge(MergePlan)
        /// By the rule that says why the users are not merged at once.
        case wait(rule: String)
    }

    private func decide(
        _ survivor: User, _ absorbed: User, in transaction: borrowing Transaction
    ) throws -> MergeDecision {
        guard isAutomatic else { return .wait(rule: "M-pending") }
        let survivor = try transaction.record(of: survivor)
        let absorbed = try transaction.record(of: absorbed)
        do {
            return .merge(try MergePlan(survivor, absorbing: absorbed, mergedBy: provider))
        } catch .mergeConflict {
            return .wait(rule: "M-conflict")
        } catch {
            return .wait(rule: "M-disabled")
        }
    }
}
