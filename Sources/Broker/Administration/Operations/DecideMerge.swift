package import ProviderKit

/// `merges.approve`: makes two users one.
package struct ApproveMerge: AdminOperation {
    package static let name = "merges.approve"
    package static let summary = "Merges the two users of a pending merge."
    package static let scope: AdminScope? = .writeUsers

    /// The merge's id.
    let id: String
    /// The user whose custom claims the merged user has: needed where the user who goes has some that the other one
    /// lacks or has otherwise.
    let claims: MergedClaims?

    package struct Answer: Codable, Sendable {
        /// The record of the user who stays.
        package let survivor: JSONObject
        /// The record of the other user, as it was.
        package let absorbed: JSONObject
    }

    package init(id: String, claims: MergedClaims? = nil) {
        self.id = id
        self.claims = claims
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let candidate = try await call.admin.accounts.mergeCandidate(id)
        do {
            let survivor = try await call.admin.accounts.approveMerge(id, claims: claims, origin: call.origin)
            return Answer(survivor: JSONObject(survivor), absorbed: JSONObject(candidate.absorbed))
        } catch BrokerError.userDisabled {
            throw AdminFailure(
                code: .userDisabled,
                "one of the two users is disabled: enable that user first, or dismiss the merge")
        } catch BrokerError.mergeConflict(let provider) {
            throw AdminFailure(
                code: .mergeConflict,
                "both users have an identity of \(provider), and a user has at most one: unlink one with "
                    + "broker unlink --provider \(provider), then approve again")
        } catch let undecided as MergedClaimsUndecided {
            throw AdminFailure(
                code: "MERGE_CLAIMS_UNDECIDED",
                "the user who goes has custom claims \(undecided.absorbed), the user who stays has "
                    + "\(undecided.survivor): approve with --claims survivor to drop those of the user who goes, or "
                    + "with --claims absorbed to have them replace the others")
        }
    }
}

/// `merges.dismiss`: the two users stay separate.
package struct DismissMerge: AdminOperation {
    package static let name = "merges.dismiss"
    package static let summary = "Dismisses a pending merge: the two users stay separate."
    package static let scope: AdminScope? = .writeUsers
    package typealias Answer = MergeAnswer

    /// The merge's id.
    let id: String

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> MergeAnswer {
        MergeAnswer(try await call.admin.accounts.dismissMerge(id, origin: call.origin))
    }
}

/// `merges.undo`: restores a merged user.
package struct UndoMergeOperation: AdminOperation {
    package static let name = "merges.undo"
    package static let summary = "Undoes a merge of the last 30 days."
    package static let scope: AdminScope? = .writeUsers

    /// The merge's id.
    let id: String

    package struct Answer: Codable, Sendable {
        /// The record of the user who stayed.
        package let survivor: JSONObject
        /// The record of the restored user.
        package let restored: JSONObject
        /// The parts that were not restored.
        package let conflicts: [UndoConflictAnswer]
    }

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard try await call.admin.accounts.undoableMerge(id) != nil else {
            throw AdminFailure(
                code: .mergeNotFound,
                "no merge with this id can be undone: broker merges list --undoable shows those that can")
        }
        let outcome = try await call.admin.accounts.undoMerge(id, origin: call.origin)
        return Answer(
            survivor: JSONObject(outcome.survivor), restored: JSONObject(outcome.restored),
            conflicts: outcome.conflicts.map { UndoConflictAnswer($0) })
    }
}
