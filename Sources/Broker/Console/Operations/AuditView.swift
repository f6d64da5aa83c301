import BrokerStore
import ProviderKit

/// The audit, with what selects its entries, and its verification.
struct AuditView: Sendable {
    let answer: ListAudit.Answer
    let filter: Filter
    /// Where the page begins; at the newest entry when nil.
    let before: String?
    /// The report of a verification; nil before one.
    let report: AuditReport?
    let problem: String?

    /// How many entries stand on a page.
    static let size = 50
    static let beforeName = "before"
    static let verifyName = "verify"

    /// What selects entries, as the address of the page has it.
    struct Filter: Sendable {
        let user, actor, event, since, until: String?

        /// The names of the parameters with their labels.
        fileprivate static let names: [(name: String, label: String, example: String)] = [
            ("user", "User", "ann@example.com"), ("actor", "Actor", "credential:4fJqW8xT0aPz"),
            ("event", "Event", "identity."), ("since", "Since (UTC)", ""), ("until", "Before (UTC)", ""),
        ]

        init(_ value: (String) -> String?) {
            (user, actor, event) = (value("user"), value("actor"), value("event"))
            (since, until) = (value("since"), value("until"))
        }

        fileprivate func value(_ name: String) -> String? {
            switch name {
            case "user": user
            case "actor": actor
            case "event": event
            case "since": since
            default: until
            }
        }

        /// The parameters of the address.
        fileprivate var parameters: [(name: String, value: String)] {
            Self.names.compactMap { name, _, _ in value(name).map { (name, $0) } }
        }

        /// What the operation takes.
        var selection: AuditSelection {
            func moment(_ text: String?) -> Timestamp? {
                text.flatMap { Timestamp(dateText: $0.utf8.count == 16 ? "\($0):00Z" : $0) }
            }
            return AuditSelection(user: user, actor: actor, event: event, since: moment(since), until: moment(until))
        }
    }

    var operation: ListAudit { ListAudit(filter.selection, limit: Self.size, before: before) }

    var page: ConsolePage {
        let verify = Markup.button(
            ConsoleLink.address(ConsoleSection.audit.path, [(Self.verifyName, "1")]), "Verify the audit")
        let banner: Markup = problem.map { .banner(.bad, "Nothing was searched.", "\($0)") } ?? verification ?? ""
        return ConsolePage(
            title: "Audit", section: .audit,
            content: .head("Audit", .actions([verify])) + banner + .panel("Filter", form) + .panel(list),
            commands: [operation.commandLine, report == nil ? nil : "broker audit verify"].compactMap(\.self))
    }

    private var form: Markup {
        let fields = Filter.names.map { name, label, example -> Markup in
            let type: Markup = example.isEmpty ? "datetime-local" : "text"
            return """
                <div class="field"><label for="f-\(name)">\(label)</label><input class="entry" type="\(type)" id="f-\(name)" \
                name="\(name)" value="\(filter.value(name) ?? "")" placeholder="\(example)" autocomplete="off" \
                spellcheck="false" /></div>
                """
        }
        return """
            <form method="get" action="\(ConsoleSection.audit.path)" class="filter">\(fields.joined())\
            <div class="actions"><button class="button" type="submit">Filter</button>\
            \(.button(ConsoleSection.audit.path, "Show all"))</div></form>
            """
    }

    private var list: Markup {
        guard !answer.entries.isEmpty else { return .empty("No entries.") }
        let next = answer.next.map { next in
            (
                address: ConsoleLink.address(
                    ConsoleSection.audit.path, filter.parameters + [(Self.beforeName, next)]), text: "Older"
            )
        }
        return .table(["Event", "By", "User", "Time"], answer.entries.map(Self.row))
            + .pager("\(answer.entries.count) entries", next: next)
    }

    private static func row(_ entry: AuditRecord) -> [Markup] {
        let user: Markup? = entry.user.map { .link(ConsoleLink.user($0), $0) }
        let actor = entry.actorName ?? entry.actor ?? ""
        let reason: Markup? = entry.reason.map { "<br />“\($0)”" }
        let request: Markup? = entry.requestId.map { .requestNumber($0) }
        let detail = entry.detail.isEmpty ? "" : entry.detail.serialized()
        let provider = entry.provider ?? ""
        let facts = [provider, detail].filter { !$0.isEmpty }.joined(separator: " · ")
        return [
            .named("\(entry.event)", "\(facts)"), "\(entry.actorKind.capitalizedFirst) \(Markup.name(actor))\(reason)",
            "\(user)", "\(Markup.moment(entry.time))<br /><span class=\"tiny\">\(request)</span>",
        ]
    }

    private var verification: Markup? {
        report.map { report in
            let end = report.head.map { " The end of the chain is \(Markup.code($0.description))." as Markup } ?? ""
            let rest: Markup? = report.next.map {
                "The entries after \(Int(clamping: $0).grouped) were not verified here."
            }
            guard report.findingCount > 0 else {
                return .banner(.good, "\(report.entries.grouped) entries verified, no finding.", "\(rest)\(end)")
            }
            let findings = report.findings.prefix(20).map { "\($0.text.description.capitalizedFirst)" as Markup }
            return .banner(
                .bad, "\(report.findingCount.grouped) findings in \(report.entries.grouped) entries.", "\(rest)\(end)")
                + .panel("Findings", .bullets(Array(findings)))
        }
    }
}
