package import BrokerStore
import ProviderKit

/// A merge with both users as they are now.
package struct MergeCandidate: Sendable {
    package let merge: PendingMerge
    package let survivor: UserRecord
    package let absorbed: UserRecord
}

/// Lists, approves and dismisses merges of users that one provider reports as the same account, or that a user asked for.
extension AccountContext {
    /// The pending merges, oldest first; on request the dismissed ones as well.
    package func pendingMerges(includingDismissed: Bool, limit: Int) async throws -> [MergeCandidate] {
        try await store.read { transaction in
            try transaction.pendingMerges(includingDismissed: includingDismissed, limit: limit).map {
                try MergeCandidate($0, in: transaction)
            }
        }
    }

    /// A merge, also one that was dismissed.
    ///
    /// - Throws: ``BrokerError/mergeNotFound``.
    package func mergeCandidate(_ id: String) async throws -> MergeCandidate {
        try await store.read { try MergeCandidate(id: id, in: $0) }
    }

    /// Merges the two users, also when the merge was dismissed before.
    ///
    /// - Parameters:
    ///   - id: The merge's id.
    ///   - claims: Whose custom claims the merged user has. Needed where the absorbed user has some that the survivor lacks
    ///     or has otherwise.
    ///   - origin: The administrator.
    /// - Returns: The survivor.
    /// - Throws: ``BrokerError/mergeNotFound``, ``BrokerError/mergeConflict(provider:)``, ``BrokerError/userDisabled``,
    ///   ``MergedClaimsUndecided``; then nothing was written.
    package func approveMerge(
        _ id: String, claims: MergedClaims? = nil, origin: Origin
    ) async throws -> UserRecord {
        try await write(by: origin) { [self] transaction in
            let candidate = try MergeCandidate(id: id, in: transaction)
            let plan = try MergePlan(
                candidate.survivor, absorbing: candidate.absorbed, mergedBy: candidate.merge.provider,
                provenIdentityKey: candidate.merge.provenIdentityKey)
            guard claims != nil || plan.differingClaims.isEmpty else {
                throw MergedClaimsUndecided(
                    survivor: JSONValue.object(candidate.survivor.user.customClaims).serialized(),
                    absorbed: JSONValue.object(candidate.absorbed.user.customClaims).serialized())
            }
            let outcome = try merge(
                plan, id: candidate.merge.id, claims: claims ?? .survivor, in: transaction)
            try candidate.record(origin).append(.merged, rule: .mergeApproved, outcome.detail, in: transaction)
            return try transaction.record(of: outcome.survivor)
        }
    }

    /// Dismisses a merge: the two users stay, and another report by the provider does not make it pending again.
    ///
    /// - Returns: The merge that was dismissed.
    /// - Throws: ``BrokerError/mergeNotFound`` when there is no pending one of this id.
    package func dismissMerge(_ id: String, origin: Origin) async throws -> MergeCandidate {
        try await write(by: origin) { transaction in
            guard try transaction.dismissMerge(id: id, at: transaction.now) else { throw BrokerError.mergeNotFound }
            let candidate = try MergeCandidate(id: id, in: transaction)
            try candidate.record(origin).append(.dismissed, rule: .mergeDismissed, in: transaction)
            return candidate
        }
    }
}

extension MergeCandidate {
    fileprivate init(id: String, in transaction: borrowing Transaction) throws {
        guard let merge = try transaction.pendingMerge(id: id) else { throw BrokerError.mergeNotFound }
        try self.init(merge, in: transaction)
    }

    fileprivate init(_ merge: PendingMerge, in transaction: borrowing Transaction) throws {
        self.merge = merge
        survivor = try transaction.record(ofUser: merge.survivorKey)
        absorbed = try transaction.record(ofUser: merge.absorbedKey)
    }

    fileprivate func record(_ origin: Origin) -> MergeRecord {
        let identity = (absorbed.identities + survivor.identities).first {
            merge.provider == PendingMerge.ofUser || $0.provider.hasSameBytes(as: merge.provider)
        }
        return MergeRecord(
            survivor: survivor.user, absorbed: absorbed.user,
            // Either of them may have unlinked the provider since.
            identity: identity?.identity ?? IdentityKey(provider: merge.provider, issuer: "", subject: ""),
            origin: origin)
    }
}

extension Transaction {
    fileprivate func record(ofUser key: Int64) throws -> UserRecord {
        guard let user = try user(key: key) else { throw BrokerError.userNotFound }
        return try record(of: user)
    }
}
