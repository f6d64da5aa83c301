import BrokerStore

/// What a sign-in does when its provider says that several users are one person.
///
/// A provider's word alone joins nobody: the merge waits for an administrator, unless the operator said `autoMerge` of
/// this provider.
struct MergeStep: Sendable {
    private let evidence: Evidence
    private let isAutomatic: Bool
    private let pairs: [MergeKeys]
    private let origin: Origin
    private let now: Timestamp

    /// Draws what the transaction may need, which for evidence of a single subject is nothing.
    init(_ evidence: Evidence, isAutomatic: Bool, keys: KeyGenerator, origin: Origin, at now: Timestamp) {
        self.evidence = evidence
        self.isAutomatic = isAutomatic
        self.origin = origin
        self.now = now
        pairs = evidence.subjects.dropFirst().map { _ in MergeKeys(keys, at: now) }
    }

    /// Joins the other holders with the owner, or leaves word for an administrator.
    ///
    /// - Returns: The owner as they are afterwards.
    /// - Throws: ``BrokerError`` or a store's error.
    func callAsFunction(
        _ owner: User, _ holders: SubjectHolders, in transaction: borrowing Transaction
    ) throws -> User {
        var owner = owner
        for (other, keys) in zip(holders.others, pairs) {
            let record = MergeRecord(
                survivor: owner, absorbed: other.user, identity: other.identity.identity, keys: keys, origin: origin,
                now: now)
            owner = try settle(record, in: transaction)
        }
        return owner
    }

    private func settle(_ record: MergeRecord, in transaction: borrowing Transaction) throws -> User {
        let (plan, rule) = try plan(record, in: transaction)
        if let plan {
            let merged = try transaction.carryOut(plan, at: now)
            try record.append(.merged, rule: rule, in: transaction)
            return merged
        }
        let pending = PendingMerge(
            key: record.keys.merge, id: record.keys.id, survivorKey: record.survivor.key,
            absorbedKey: record.absorbed.key, provider: evidence.key.provider, createdAt: now)
        if try transaction.insert(pending) { try record.append(.pending, rule: rule, in: transaction) }
        return record.survivor
    }

    /// How the two become one at once, or by which rule they do not.
    private func plan(
        _ record: MergeRecord, in transaction: borrowing Transaction
    ) throws -> (plan: MergePlan?, rule: String) {
        guard isAutomatic else { return (nil, "M-pending") }
        let survivor = try transaction.record(of: record.survivor.localID)
        let absorbed = try transaction.record(of: record.absorbed.localID)
        do {
            let plan = try MergePlan(survivor, absorbing: absorbed, mergedBy: evidence.key.provider)
            return (plan, "M-automatic")
        } catch .mergeConflict {
            return (nil, "M-conflict")
        } catch {
            return (nil, "M-disabled")
        }
    }
}
