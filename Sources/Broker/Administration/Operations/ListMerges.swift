package import BrokerStore
package import ProviderKit

/// A merge of two users that a provider reported or a user asked for: pending, or one that can be undone.
package struct MergeAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "id": "The merge's id.",
        "provider": "The provider that reported it; empty where a user asked for it.",
        "createdAt": "The report of a pending merge.",
        "mergedAt": "When it was done.",
        "undoableUntil": "Until when it can be undone; absent for a pending merge.",
        "survivor": .user("The record of the user who stays."),
        "absorbed": .user("The record of the user who goes, or went."),
        "conflicts": "The parts that an undo would not restore; absent for a pending merge.",
        "dismissedAt": "When it was dismissed.",
    ]

    package let id: String
    package let provider: String
    package let createdAt: Timestamp?
    package let mergedAt: Timestamp?
    package let undoableUntil: Timestamp?
    package let survivor: JSONObject
    package let absorbed: JSONObject
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
package struct UndoConflictAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "code": "Stable.",
        "message": "What is not restored, and why.",
        "providerId": "The provider entry it is about.",
        "localId": "The user it is about.",
    ]

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
    private static let limits = DeclaredLimit("The maximum number of merges, 1 to 1000.", standard: 100)

    package static let declaration = OperationDeclaration(
        "merges.list", "Lists the pending merges of users, or those that can be undone, the oldest first.", .readUsers,
        .reads,
        [
            .option("all", "Include dismissed merges."),
            .option("undoable", "List the merges of the last 30 days that can be undone instead."),
            limits.argument,
        ],
        command: DeclaredCommand(
            "list", "List the pending merges, or those that can be undone, the oldest first.",
            """
            Examples:
              broker merges list
              broker merges list --undoable
              broker merges list --all --limit 1000 --json
            """))

    let all: Bool?
    let undoable: Bool?
    let limit: Int?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["merges": "The merges, the oldest first."]

        package let merges: [MergeAnswer]
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        guard undoable ?? false else {
            let pending = try await call.admin.accounts.pendingMerges(includingDismissed: all ?? false, limit: limit)
            return Answer(merges: pending.map { MergeAnswer($0) })
        }
        return Answer(merges: try await call.admin.accounts.undoableMerges(limit: limit).map { MergeAnswer($0) })
    }

    package func text(of answer: Answer) -> TerminalText {
        answer.merges.isEmpty ? "No merges." : answer.merges.map(\.text).joined(separator: "\n\n")
    }

    package func rowCount(of answer: Answer) -> Int? { answer.merges.count }

    package var misuse: String? {
        all == true && undoable == true ? "Use --all or --undoable, not both." : nil
    }
}

/// `merges.show`: a pending merge, or one that can be undone with what an undo would not restore.
package struct ShowMerge: AdminOperation {
    package static let declaration = OperationDeclaration(
        "merges.show", "Returns a pending merge of users, or one that can be undone.", .readUsers, .reads, [.merge],
        command: DeclaredCommand(
            "show", "Show a pending merge, or one that can be undone with what an undo would not restore.",
            """
            Examples:
              broker merges show 4mXq…
              broker merges show 4mXq… --json
            """))
    package typealias Answer = MergeAnswer

    let id: String

    package func run(for call: AdminCall) async throws -> MergeAnswer {
        if let undoable = try await call.admin.accounts.undoableMerge(id) { return MergeAnswer(undoable) }
        return MergeAnswer(try await call.admin.accounts.mergeCandidate(id))
    }

    package func text(of answer: MergeAnswer) -> TerminalText { answer.text }
}

extension DeclaredArgument {
    static let merge = positional(
        "id", "The merge's id, shown by broker merges list.", as: "merge", example: "4mXqW8xT0aPz")
}

extension MergeAnswer {
    var text: TerminalText {
        guard let mergedAt, let undoableUntil else {
            return """
                \(id)  \(createdAt?.text ?? "")  \(source)\(dismissedAt == nil ? "" : "  dismissed")
                  stays   \(survivor.userSummary)\(survivor.claimsLine)
                  goes    \(absorbed.userSummary)\(absorbed.claimsLine)
                """
        }
        let notes = (conflicts ?? []).map { "\n  note    \($0.message)" as TerminalText }.joined()
        return """
            \(id)  \(mergedAt.text)  \(source)  can be undone until \(undoableUntil.text)
              stays   \(survivor.userSummary)\(survivor.claimsLine)
              merged  \(absorbed.userSummary)\(absorbed.claimsLine)\(notes)
            """
    }
}

extension MergeAnswer {
    /// Who says that the two are one person.
    private var source: String { provider == PendingMerge.ofUser ? "asked for by the user" : provider }
}

extension JSONObject {
    /// A line with the custom claims, which a merge does not carry over by itself; empty without any.
    fileprivate var claimsLine: TerminalText {
        self["customAttributes"]?.string.map { "\n          claims  \($0)" as TerminalText } ?? ""
    }
}
