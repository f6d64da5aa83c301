import BrokerStore

/// The refused requests, with a field for the number of any request.
struct RequestsView: Sendable {
    /// A number of which nothing is known.
    var unknown: String?
    let filter: RefusalFilter
    /// Where the page begins; at the newest request when nil.
    var before: String?
    let answer: ListRefusals.Answer
    let labels: ProviderLabels

    /// The field of the form.
    static let numberName = "number"
    static let beforeName = "before"

    var page: ConsolePage {
        ConsolePage(
            title: ConsoleSection.requests.title, section: .requests,
            content: .head(ConsoleSection.requests.title) + (problem ?? "") + .panel("Explain a request", form)
                + .panel("Refused requests", aside: whole ?? "", list),
            commands: [
                filter.operation(before: before).commandLine, unknown.flatMap { ExplainDecisions(of: $0).commandLine },
            ].compactMap(\.self))
    }

    private var problem: Markup? {
        unknown.map { number in
            .banner(
                .warn, "No request has the number \(number).",
                "Compare it with the one on the error page. Refusals are kept for some days; the log keeps its lines longer."
            )
        }
    }

    private var form: Markup {
        """
        <p class="soft">Each error page shows a number of 20 letters and digits. Each error of the API has it as the header \
        <code>X-Request-Id</code>.</p>\
        <form class="find" method="get" action="\(ConsoleSection.requests.path)"><div class="wrap">\(.number)\
        <label class="spoken" for="number">Request number</label><input class="entry" id="number" \
        name="\(Self.numberName)" value="\(unknown ?? "")" placeholder="Request number" autocomplete="off" \
        autocapitalize="none" spellcheck="false" maxlength="64" required="required" /></div>\
        <button class="button primary" type="submit">Explain</button></form>
        """
    }

    /// What the list is narrowed to, with the way to all.
    private var whole: Markup? {
        let words = [filter.provider.map(labels.name), filter.client.map { "client \($0)" }, filter.code]
            .compactMap(\.self)
        guard !words.isEmpty else { return nil }
        return """
            <p class="tiny soft">\(Markup.name(words.joined(separator: " · "))) · \
            <a href="\(ConsoleSection.requests.path)">Show all</a></p>
            """
    }

    private var list: Markup {
        guard !answer.refusals.isEmpty else {
            return whole == nil && before == nil
                ? .empty("No refused requests", isGood: true) : .empty("No refused request fits.")
        }
        let rows = answer.refusals.map { refusal -> [Markup] in
            let advice = RefusalAdvice(code: refusal.code, text: refusal.text)
            return [
                """
                <p class="name"><a class="calm" href="\(ConsoleLink.request(refusal.requestId))">\(advice.cause)</a></p>\
                \(Markup.place(of: refusal.code, refusal.provider.map(labels.name), refusal.clientId))
                """,
                .moment(refusal.at), .requestNumber(refusal.requestId),
            ]
        }
        let next = answer.next.map { next in (address: filter.address(before: next), text: "Older") }
        return .table(["Cause", "Time", "Request"], rows)
            + .pager("\(rows.count.grouped) \(rows.count == 1 ? "request" : "requests")", next: next)
    }
}

/// What narrows the refused requests, as the address of the page has it.
struct RefusalFilter: Sendable {
    var code, provider, client: String?

    /// The address of the page that shows them.
    var address: String { address(before: nil) }

    func address(before: String?) -> String {
        let all = [("code", code), ("provider", provider), ("client", client), (RequestsView.beforeName, before)]
        return ConsoleLink.address(
            ConsoleSection.requests.path, all.compactMap { name, value in value.map { (name, $0) } })
    }

    /// The operation that lists them.
    func operation(before: String?) -> ListRefusals {
        ListRefusals(code: code, provider: provider, client: client, before: before)
    }
}

extension Markup {
    /// The second line of a refusal: where it occurred, and its code.
    static func place(of code: String, _ provider: String?, _ client: String?) -> Markup {
        let places = [provider, client.map { "client \($0)" }].compactMap(\.self)
        let place: Markup? = places.isEmpty ? nil : "\(Markup.name(places.joined(separator: " · "))) · "
        return "<p class=\"soft tiny\">\(place)<code>\(code)</code></p>"
    }
}
