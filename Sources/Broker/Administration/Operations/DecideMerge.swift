package import ProviderKit

/// `merges.approve`: makes two users one.
package struct ApproveMerge: AdminOperation {
    package static let declaration = OperationDeclaration(
        "merges.approve", "Merges the two users of a pending merge.", .writeUsers, .irreversible,
        [
            .merge,
            .option("claims", "Whose custom claims the merged user has: survivor or absorbed."),
        ],
        command: DeclaredCommand(
            "approve", "Merge the two users.",
            """
            The remaining user gets the other user's identities with their provider tokens, and the other user's
            verified address if it has none. The other user is deleted; its id leads to the remaining user. Its
            sessions are revoked, except for app sessions that began with the merged account where the user proved
            to own both. For 30 days broker merges undo reverts the merge. A user never has two identities of one
            provider: if both users have an identity of a provider that did not merge them, unlink one of the two
            first.

            Custom claims are rights that you have given to one of the two users. If the user who goes has some that
            the other one lacks or has otherwise, read both sets in broker merges show, and decide with --claims:
            survivor keeps those of the user who stays, absorbed replaces them.

            Examples:
              broker merges approve 4mXq… --yes
              broker merges approve 4mXq… --claims survivor --yes
              broker merges approve 4mXq… --json --yes
            """))

    let id: String
    let claims: MergedClaims?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "survivor": .user("The record of the user who stays."),
            "absorbed": .user("The record of the other user, as it was."),
        ]

        package let survivor: JSONObject
        package let absorbed: JSONObject
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

    package func text(of answer: Answer) -> TerminalText {
        let (gone, stays) = (answer.absorbed["localId"]?.string, answer.survivor["localId"]?.string)
        return "Merged \(gone ?? "") into \(stays ?? "")."
    }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        let found = try await runner.run(ShowMerge(id: id))
        return OperationQuestion("\(found.text)\nMake these two users one?", otherwise: "nothing was merged")
    }
}

/// `merges.dismiss`: the two users stay separate.
package struct DismissMerge: AdminOperation {
    package static let declaration = OperationDeclaration(
        "merges.dismiss", "Dismisses a pending merge: the two users stay separate.", .writeUsers, .irreversible,
        [.merge],
        command: DeclaredCommand(
            "dismiss", "Dismiss a merge. The two users stay separate.",
            """
            Further reports of the provider do not reopen the merge. `broker merges list --all` shows it, and
            `broker merges approve` still approves it.

            Examples:
              broker merges dismiss 4mXq… --yes
              broker merges dismiss 4mXq… --json --yes
            """))
    package typealias Answer = MergeAnswer

    let id: String

    package func run(for call: AdminCall) async throws -> MergeAnswer {
        MergeAnswer(try await call.admin.accounts.dismissMerge(id, origin: call.origin))
    }

    package func text(of answer: MergeAnswer) -> TerminalText { "Dismissed merge \(answer.id)." }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        let found = try await runner.run(ShowMerge(id: id))
        return OperationQuestion("\(found.text)\nKeep them apart?", otherwise: "nothing was dismissed")
    }
}

/// `merges.undo`: restores a merged user.
package struct UndoMergeOperation: AdminOperation {
    package static let declaration = OperationDeclaration(
        "merges.undo", "Undoes a merge of the last 30 days.", .writeUsers, .irreversible,
        [
            .positional(
                "id", "The merge's id, shown by broker merges list --undoable.", as: "merge", example: "4mXqW8xT0aPz")
        ],
        command: DeclaredCommand(
            "undo", "Undo a merge of the last 30 days.",
            """
            The merged user is restored under its old id, with its profile, identities and provider tokens, and
            without custom claims. All sessions of both users are revoked. What changed since the merge stays with
            the remaining user; custom claims that the merge gave it are removed. The command lists both, and what
            it cannot restore, before it asks. The provider's next report of the merge
            does not merge the two again; broker merges approve still does.

            Examples:
              broker merges undo 4mXq…
              broker merges undo 4mXq… --json --yes
            """))

    let id: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "survivor": .user("The record of the user who stayed."),
            "restored": .user("The record of the restored user."),
            "conflicts": "The parts that were not restored.",
        ]

        package let survivor: JSONObject
        package let restored: JSONObject
        package let conflicts: [UndoConflictAnswer]
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

    package func text(of answer: Answer) -> TerminalText {
        let notes = answer.conflicts.map { "\n  \($0.message)" as TerminalText }.joined()
        let (restored, stayed) = (answer.restored["localId"]?.string, answer.survivor["localId"]?.string)
        return "Restored \(restored ?? ""), who had been merged into \(stayed ?? "").\(notes)"
    }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        let found = try await runner.run(ShowMerge(id: id))
        // The operation refuses a pending merge with its reason.
        guard found.undoableUntil != nil else { return nil }
        return OperationQuestion("\(found.text)\nMake these two users again?", otherwise: "nothing was undone")
    }
}
