import BrokerStore
import Foundation

/// Users that a search has found, with the filters that narrow it.
struct SearchView: Sendable {
    /// As it was typed.
    let text: String
    let filters: Filters
    let answer: SearchUsers.Answer
    let labels: ProviderLabels
    /// The provider entries to choose from.
    let providers: [String]
    let buttons: OperationButtons
    let now: Timestamp

    /// What narrows a search, as the address of the page has it.
    struct Filters: Sendable, Hashable {
        var provider: String?
        var state: SearchUsers.State?
        var created: Span?
        var signedIn: Span?

        /// A time before now.
        enum Span: String, Sendable, CaseIterable {
            case day, week, month
            /// Longer ago than 90 days, or never.
            case longAgo = "90-days-ago"

            var days: Int64 {
                switch self {
                case .day: 1
                case .week: 7
                case .month: 30
                case .longAgo: 90
                }
            }
        }

        /// The parameters of the page's address.
        func parameters(_ text: String) -> [(name: String, value: String)] {
            let all: [(String, String?)] = [
                ("q", text.isEmpty ? nil : text), ("provider", provider), ("state", state?.rawValue),
                ("created", created?.rawValue), ("signed-in", signedIn?.rawValue),
            ]
            return all.compactMap { name, value in value.map { (name, $0) } }
        }
    }

    var page: ConsolePage {
        // A filter that few users satisfy ends a page before it has found one.
        let isNothing = answer.users.isEmpty && answer.next == nil
        let list = isNothing ? nothing : "\(Markup.rows(answer.users.map(row)))\(pager)"
        let parts = [
            Markup.head("Users", .actions([buttons.button(CreateUserOperation.self, "Create a user")])),
            hint ?? "", incomplete ?? "",
            "<div class=\"grid two\"><section class=\"panel block\" aria-label=\"Users\">\(list)</section>\(filterPanel)</div>",
        ]
        return ConsolePage(
            title: text.isEmpty ? "Users" : "Search for \(text)", section: .users, content: parts.joined(),
            commands: [search(after: nil).commandLine].compactMap(\.self), query: text)
    }

    /// The operation that the page shows.
    func search(after: String?) -> SearchUsers {
        Self.search(text, filters, after: after, now: now)
    }

    static func search(_ text: String, _ filters: Filters, after: String?, now: Timestamp) -> SearchUsers {
        func since(_ span: Filters.Span?) -> Timestamp? {
            span.map { Timestamp(milliseconds: now.milliseconds - $0.days * 86_400_000) }
        }
        let isOld = filters.signedIn == .longAgo
        return SearchUsers(
            text: text.isEmpty ? nil : text, provider: filters.provider, state: filters.state,
            createdSince: since(filters.created), signedInSince: isOld ? nil : since(filters.signedIn),
            signedInBefore: isOld ? since(.longAgo) : nil, after: after)
    }

    private func address(_ filters: Filters, after: String? = nil) -> String {
        ConsoleLink.address(
            ConsoleSection.users.path, filters.parameters(text) + (after.map { [("after", $0)] } ?? []))
    }

    private var hint: Markup? {
        answer.requestId.map { id in
            .banner(
                .neutral, "This looks like the number of a request.", .link(ConsoleLink.request(id), "Open the request")
            )
        }
    }

    private var incomplete: Markup? {
        answer.complete
            ? nil
            : .banner(
                .warn, "Not all users can be found yet.",
                "Their words are being written since an upgrade. Search again in a few minutes.")
    }

    private var nothing: Markup {
        guard text.isEmpty, filters == Filters() else {
            return .empty("No user fits.", .button(ConsoleSection.users.path, "Show all users"))
        }
        return .empty(
            "Users stand here once they have signed in.", .button(ConsoleSection.providers.path, "See the providers"))
    }

    private var pager: Markup {
        let count = answer.users.count
        let shown =
            switch (count, answer.next == nil) {
            case (1, true): "1 user"
            case (_, true): "\(count) users"
            case (0, false): "No users yet"
            case (_, false): "more than \(count) users"
            }
        return .pager(shown, next: answer.next.map { (address(filters, after: $0), "Next") })
    }

    private func row(_ user: FoundUser) -> Markup {
        let name = user.displayName ?? user.email ?? user.localId
        let second: Markup? =
            user.displayName == nil ? nil : user.email.map { "\(Self.marked($0, by: user.word)) · " }
        let seen: Markup = user.lastLoginAt.map { "Last sign-in \(Markup.day($0))" } ?? "Never signed in"
        let marks = user.providers.map { labels.mark($0) }.joined()
        let names = user.providers.map(labels.name).joined(separator: ", ")
        let states = user.states.map { Markup.badge($0 == "disabled" ? .bad : .neutral, $0.capitalized) }.joined()
        return """
            <li><span class="avatar" aria-hidden="true">\(MonogramView(name).letters)</span><div class="about">\
            <p class="name"><a class="calm" href="\(ConsoleLink.user(user.localId))">\(Self.marked(name, by: user.word))</a>\
            \(states)</p><p class="soft tiny">\(second)\(seen)</p></div>\
            <span class="marks">\(marks)<span class="spoken">\(names)</span></span></li>
            """
    }

    /// The text, with what a search has found in it in bold: all between two spaces that the word stands in.
    private static func marked(_ text: String, by word: String?) -> Markup {
        guard let word else { return .name(text) }
        let pieces = text.split(separator: " ", omittingEmptySubsequences: false).map { piece -> Markup in
            let isFound = SearchWords.typed(String(piece)).contains { $0.contains(word) }
            return isFound ? "<mark>\(String(piece))</mark>" : "\(String(piece))"
        }
        return "<bdi>\(pieces.joined(separator: " "))</bdi>"
    }
}

extension SearchView {
    private var filterPanel: Markup {
        let parts = [
            group("State", [(nil, "Any"), (.enabled, "Enabled"), (.disabled, "Disabled")], \.state),
            group("Provider", [(nil, "Any")] + providers.map { ($0, labels.name($0)) }, \.provider),
            group(
                "Created",
                [(nil, "Any time"), (.day, "Last 24 hours"), (.week, "Last 7 days"), (.month, "Last 30 days")],
                \.created),
            group(
                "Last sign-in",
                [
                    (nil, "Any time"), (.day, "Last 24 hours"), (.week, "Last 7 days"), (.month, "Last 30 days"),
                    (.longAgo, "More than 90 days ago"),
                ], \.signedIn),
        ]
        return "<div class=\"column\">\(Markup.panel("Filters", parts.joined()))</div>"
    }

    private func group<Value: Hashable>(
        _ title: String, _ choices: [(value: Value?, text: String)],
        _ member: WritableKeyPath<Filters, Value?>
    ) -> Markup {
        let links = choices.map { choice -> Markup in
            var chosen = filters
            chosen[keyPath: member] = choice.value
            let isCurrent = filters[keyPath: member] == choice.value
            let mark: Markup = isCurrent ? " aria-current=\"true\"" : ""
            return "<li><a href=\"\(address(chosen))\"\(mark)>\(choice.text)</a></li>"
        }
        return "<h3>\(title)</h3><ul class=\"filters\">\(links.joined())</ul>"
    }
}
