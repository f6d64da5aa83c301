package import BrokerStore
package import ProviderKit

/// A merge of two users that a provider reported or a user asked for: pending, or one that can be undone.
package struct MergeAnswer: Codable, Sendable {
    package let id: String
    /// The provider that reported it; empty where a user asked for it.
    package let provider: String
    /// The report of a pending merge.
    package let createdAt: Timestamp?
    package let mergedAt: Timestamp?
    /// Until when it can be undone; nil for a pending merge.
    package let undoableUntil: Timestamp?
    /// The record of the user who stays.
    package let survivor: JSONObject
    /// The record of the user who goes, or went.
    package let absorbed: JSONObject
    /// The parts that an undo would not restore; nil for a pending merge.
    package let conflicts: [UndoConflictAnswer]?
    package let dismissedAt: Timestamp?

    init(_ candidate: MergeCandidate) {
        (id, provider) = (candidate.merge.id, candidate.merge.provider)
        (createdAt, mergedAt, undoableUntil) = (candidate.merge.createdAt, nil, nil)
        (survivor, absorbed) = (JSONObject(candidate.survivor), JSONObject(candidate.absorbed))
        (conflicts, dismissedAt) = (nil, candidate.merge.dismissedAt)
    }

    init(_ candidate: UndoableMerge) {
        (id, provider) = (candidate.id, candidate.provider)
        (createdAt, mergedAt, undoableUntil) = (nil, candidate.mergedAt, candidate.expiresAt)
        (survivor, absorbed) = (JSONObject(candidate.survivor), JSONObject(candidate.absorbed))
        (conflicts, dismissedAt) = (candidate.conflicts.map { UndoConflictAnswer($0) }, nil)
    }
}

/// The parts that the undo of a merge does not restore.
package struct UndoConflictAnswer: Codable, Sendable {
    package let code: String
    package let message: String
    package let providerId: String?
    package let localId: String?

    init(_ conflict: UndoConflict) {
        (code, message) = (conflict.code, conflict.message)
        (providerId, localId) = (conflict.provider, conflict.localID)
    }
}

/// `merges.list`: the pending merges, or those that can be undone, the oldest first.
package struct ListMerges: AdminOperation {
    package static let name = "merges.list"
    package static let summary = "Lists the pending merges of users, or those that can be undone, the oldest first."
    package static let scope: AdminScope? = .readUsers

    /// Whether dismissed merges are included.
    let all: Bool?
    /// Whether the merges that can be undone are listed instead.
    let undoable: Bool?
    /// The maximum number of merges, 1 to 1000; 100 when absent.
    let limit: Int?

    package struct Answer: Codable, Sendable {
        package let merges: [MergeAnswer]
    }

    package init(all: Bool, undoable: Bool, limit: Int) {
        self.all = all
        self.undoable = undoable
        self.limit = limit
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try AdminContext.checked(limit: limit, standard: 100)
        guard undoable ?? false else {
            let pending = try await call.admin.accounts.pendingMerges(includingDismissed: all ?? false, limit: limit)
            return Answer(merges: pending.map { MergeAnswer($0) })
        }
        return Answer(merges: try await call.admin.accounts.undoableMerges(limit: limit).map { MergeAnswer($0) })
    }
}

/// `merges.show`: a pending merge, or one that can be undone with what an undo would not restore.
package struct ShowMerge: AdminOperation {
    package static let name = "merges.show"
    package static let summary = "Returns a pending merge of users, or one that can be undone."
    package static let scope: AdminScope? = .readUsers
    package typealias Answer = MergeAnswer

    /// The merge's id.
    let id: String

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> MergeAnswer {
        if let undoable = try await call.admin.accounts.undoableMerge(id) { return MergeAnswer(undoable) }
        return MergeAnswer(try await call.admin.accounts.mergeCandidate(id))
    }
}
