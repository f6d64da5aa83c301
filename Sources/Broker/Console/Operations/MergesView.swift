import ProviderKit

/// The merges that wait for an administrator, and those that can be undone.
struct MergesView: Sendable {
    let pending: ListMerges.Answer
    let undoable: ListMerges.Answer
    let labels: ProviderLabels
    let buttons: OperationButtons

    /// How many of each are shown.
    static let maximum = 50
    static let pendingOperation = ListMerges(all: nil, undoable: nil, limit: maximum)
    static let undoableOperation = ListMerges(all: nil, undoable: true, limit: maximum)

    var page: ConsolePage {
        let waiting: Markup =
            pending.merges.isEmpty
            ? .panel(.empty("No merge waits for you", isGood: true)) : pending.merges.map(question).joined()
        let done: Markup =
            undoable.merges.isEmpty
            ? .empty("Merges of the last 30 days stand here.") : .rows(undoable.merges.map(row))
        return ConsolePage(
            title: "Merges", section: .merges,
            content: .head("Merges") + waiting + .panel("Can be undone", done),
            commands: [Self.pendingOperation.commandLine, Self.undoableOperation.commandLine].compactMap(\.self))
    }

    private func source(_ merge: MergeAnswer) -> String {
        merge.provider.isEmpty
            ? "The user asked for it" : "\(labels.name(merge.provider)) reported that they are one account"
    }

    private func question(_ merge: MergeAnswer) -> Markup {
        let id = [("id", merge.id)]
        let at: Markup? = merge.createdAt.map { " · \(Markup.moment($0))" }
        let actions = [
            buttons.button(ApproveMerge.self, "Approve", id, spoken: merge.id),
            buttons.button(DismissMerge.self, "Dismiss", id, spoken: merge.id),
        ]
        return .panel(
            "Are these two users one?",
            """
            <p class="soft">\(source(merge))\(at)</p>\
            \(Markup.facts([("Stays", person(merge.survivor)), ("Goes", person(merge.absorbed)), ("ID", .code(merge.id))]))\
            \(Markup.actions(actions))
            """)
    }

    private func person(_ user: JSONObject) -> Markup {
        let providers = (user["providerUserInfo"]?.array ?? []).compactMap { $0["providerId"]?.string }.map(labels.name)
        let claims: Markup? = user["customAttributes"]?.string.map { "<br />Claims <code>\($0)</code>" }
        let second = [user["email"]?.string, providers.joined(separator: ", ")].compactMap(\.self).filter {
            !$0.isEmpty
        }
        return """
            \(Markup.user(user)) \(Self.id(of: user))<br /><span class="soft">\(second.joined(separator: " · "))</span>\(claims)
            """
    }

    /// Two users of one merge often have one name.
    private static func id(of user: JSONObject) -> Markup {
        "<code class=\"soft\">\(user["localId"]?.string ?? "")</code>"
    }

    private func row(_ merge: MergeAnswer) -> Markup {
        let until: Markup? = merge.undoableUntil.map { "until \(Markup.moment($0))" }
        let notes = (merge.conflicts ?? []).map { "<br />\($0.message)" as Markup }.joined()
        return .row(
            """
            \(Markup.user(merge.absorbed)) \(Self.id(of: merge.absorbed)) became \(Markup.user(merge.survivor)) \
            \(Self.id(of: merge.survivor))
            """,
            "\(source(merge)) · can be undone \(until)\(notes)",
            end: buttons.button(UndoMergeOperation.self, "Undo", [("id", merge.id)], spoken: merge.id))
    }
}
