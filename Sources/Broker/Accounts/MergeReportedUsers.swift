import BrokerStore
import OAuth

/// A provider's report that several users are the same account, with what the sign-in or event says beside it.
struct MergeReport: Sendable {
    /// The evidence that carries the report.
    let evidence: Evidence
    /// Whether the operator has set `autoMerge` for this provider.
    let isAutomatic: Bool
    let origin: Origin
}

extension AccountContext {
    /// Merges users that one provider reports as the same account, as a step of a sign-in.
    ///
    /// The provider's report alone merges no users: the merge waits for an administrator, unless the operator has set
    /// `autoMerge` for this provider, or the user who goes is a device whose merge was proven.
    ///
    /// - Parameters:
    ///   - report: The provider's report.
    ///   - owner: The user who remains.
    ///   - others: The other holders of the reported subjects.
    ///   - transaction: The transaction of the sign-in.
    /// - Returns: The owner as they are afterwards.
    /// - Throws: ``BrokerError`` or a store's error.
    func mergeUsers(
        by report: MergeReport, _ owner: AccountSnapshot.SubjectHolder, with others: [AccountSnapshot.SubjectHolder],
        in transaction: borrowing Transaction
    ) throws -> User {
        var user = owner.user
        for other in others {
            let isProven = report.evidence.merge?.isProven(other, into: owner) ?? false
            user = try merge(user, with: other, report, provenKey: isProven ? other.identity.key : nil, in: transaction)
        }
        return user
    }

    private func merge(
        _ owner: User, with other: AccountSnapshot.SubjectHolder, _ report: MergeReport, provenKey: Int64?,
        in transaction: borrowing Transaction
    ) throws -> User {
        let record = MergeRecord(
            survivor: owner, absorbed: other.user, identity: other.identity.identity, origin: report.origin)
        let id = RandomText.alphanumeric(12)
        switch try decide(report, owner, other.user, provenKey: provenKey, in: transaction) {
        case .merge(let plan, let rule):
            let outcome = try merge(plan, id: id, in: transaction)
            try record.append(.merged, rule: rule, outcome.detail, in: transaction)
            return outcome.survivor
        case .wait(let rule):
            let pending = PendingMerge(
                key: transaction.nextKey(), id: id, survivorKey: owner.key, absorbedKey: other.user.key,
                provider: report.evidence.key.provider, createdAt: transaction.now, provenIdentityKey: provenKey)
            if try transaction.insert(pending) { try record.append(.pending, rule: rule, in: transaction) }
            return owner
        }
    }

    private enum MergeDecision {
        /// By the rule that allows it.
        case merge(MergePlan, rule: AccountRule)
        /// By the rule that says why the users are not merged at once.
        case wait(rule: AccountRule)
    }

    private func decide(
        _ report: MergeReport, _ survivor: User, _ absorbed: User, provenKey: Int64?,
        in transaction: borrowing Transaction
    ) throws -> MergeDecision {
        let mergesDevices = policy.anonymousMerges == .automatic && provenKey != nil
        guard report.isAutomatic || mergesDevices else { return .wait(rule: .mergePending) }
        // An administrator has decided that the two stay separate, which also holds for the provider's next report.
        guard try !transaction.isMergeDismissed(between: survivor.key, and: absorbed.key) else {
            return .wait(rule: .mergeDismissed)
        }
        let survivor = try transaction.record(of: survivor)
        let absorbed = try transaction.record(of: absorbed)
        do {
            let plan = try MergePlan(
                survivor, absorbing: absorbed, mergedBy: report.evidence.key.provider, provenIdentityKey: provenKey)
            if mergesDevices, plan.isOfProvenAnonymousUser { return .merge(plan, rule: .mergeOfDevice) }
            guard report.isAutomatic else { return .wait(rule: .mergePending) }
            if plan.movesOtherSignInMethods { return .wait(rule: .mergeMovesSignInMethods) }
            return plan.differingClaims.isEmpty ? .merge(plan, rule: .mergeAutomatic) : .wait(rule: .mergeChangesClaims)
        } catch .mergeConflict {
            return .wait(rule: report.isAutomatic ? .mergeOfSameProvider : .mergePending)
        } catch {
            return .wait(rule: report.isAutomatic ? .mergeOfDisabledUser : .mergePending)
        }
    }
}
