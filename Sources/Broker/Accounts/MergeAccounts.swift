package import BrokerStore
import Foundation

/// What administrators do about users whom a provider calls one person.
package struct MergeAccounts: Sendable {
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// A merge with both users as they are now.
    package struct Candidate: Sendable {
        package let merge: PendingMerge
        package let survivor: UserRecord
        package let absorbed: UserRecord
    }

    /// The merges that wait, oldest first; on request those that were dismissed as well.
    package func pending(includingDismissed: Bool, limit: Int) async throws -> [Candidate] {
        try await store.read { transaction in
            try transaction.pendingMerges(includingDismissed: includingDismissed, limit: limit).map {
                try Candidate($0, in: transaction)
            }
        }
    }

    /// - Throws: ``BrokerError/mergeNotFound``.
    package func candidate(_ id: String) async throws -> Candidate {
        try await store.read { try Candidate(id: id, in: $0) }
    }

    /// Makes the two users one, also when that was dismissed before.
    ///
    /// - Returns: The survivor.
    /// - Throws: ``BrokerError/mergeNotFound``, ``BrokerError/mergeConflict(provider:)``, ``BrokerError/userDisabled``;
    ///   then nothing was written.
    package func approve(_ id: String, origin: Origin) async throws -> UserRecord {
        let now = Timestamp(now())
        let keys = MergeKeys(keys, at: now)
        return try await store.write { transaction in
            let candidate = try Candidate(id: id, in: transaction)
            let plan = try MergePlan(
                candidate.survivor, absorbing: candidate.absorbed, mergedBy: candidate.merge.provider)
            _ = try transaction.carryOut(plan, at: now)
            try candidate.record(keys, origin, at: now).append(.merged, rule: "M-approved", in: transaction)
            return try transaction.record(of: plan.survivor.localID)
        }
    }

    /// Keeps the two users apart: the provider's saying it again does not bring the merge back.
    ///
    /// - Returns: The merge that was dismissed.
    /// - Throws: ``BrokerError/mergeNotFound`` when there is none that waits.
    package func dismiss(_ id: String, origin: Origin) async throws -> Candidate {
        let now = Timestamp(now())
        let keys = MergeKeys(keys, at: now)
        return try await store.write { transaction in
            guard try transaction.dismissMerge(id: id, at: now) else { throw BrokerError.mergeNotFound }
            let candidate = try Candidate(id: id, in: transaction)
            try candidate.record(keys, origin, at: now).append(.dismissed, rule: "M-dismissed", in: transaction)
            return candidate
        }
    }
}

extension MergeAccounts.Candidate {
    fileprivate init(id: String, in transaction: borrowing Transaction) throws {
        guard let merge = try transaction.pendingMerge(id: id) else { throw BrokerError.mergeNotFound }
        try self.init(merge, in: transaction)
    }

    fileprivate init(_ merge: PendingMerge, in transaction: borrowing Transaction) throws {
        self.merge = merge
        survivor = try transaction.record(ofUser: merge.survivorKey)
        absorbed = try transaction.record(ofUser: merge.absorbedKey)
    }

    fileprivate func record(_ keys: MergeKeys, _ origin: Origin, at now: Timestamp) -> MergeRecord {
        let identity = (absorbed.identities + survivor.identities).first {
            $0.provider.utf8.elementsEqual(merge.provider.utf8)
        }
        return MergeRecord(
            survivor: survivor.user, absorbed: absorbed.user,
            // Either of them may have unlinked the provider since.
            identity: identity?.identity ?? IdentityKey(provider: merge.provider, issuer: "", subject: ""), keys: keys,
            origin: origin, now: now)
    }
}

extension Transaction {
    fileprivate func record(ofUser key: Int64) throws -> UserRecord {
        guard let user = try user(key: key) else { throw BrokerError.userNotFound }
        return UserRecord(user: user, identities: try identities(of: user.key))
    }
}
