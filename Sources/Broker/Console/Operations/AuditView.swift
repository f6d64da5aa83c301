import BrokerStore
import ProviderKit

/// The audit, with what selects its entries.
struct AuditView: Sendable {
    let answer: ListAudit.Answer
    let filter: Filter
    /// Where the page begins; at the newest entry when nil.
    let before: String?
    /// Asks for a verification.
    let verifyForm: HiddenForm
    let problem: String?

    /// How many entries stand on a page.
    static let size = 50
    static let beforeName = "before"
    static let verifyPath = ConsoleSection.audit.path + "/verify"

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
        let banner: Markup = problem.map { .banner(.bad, "Nothing was searched.", "\($0)") } ?? ""
        return ConsolePage(
            title: "Audit", section: .audit,
            content: .head("Audit", .actions([.sendButton(verifyForm, "Verify the audit")])) + banner
                + .panel("Filter", form) + .panel(list), commands: [operation.commandLine].compactMap(\.self))
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
            + .pager("\(answer.entries.count) \(answer.entries.count == 1 ? "entry" : "entries")", next: next)
    }

    private static func row(_ entry: AuditRecord) -> [Markup] {
        let user: Markup? = entry.user.map { .link(ConsoleLink.user($0), $0) }
        let actor = entry.actorName ?? entry.actor ?? ""
        let reason: Markup? = entry.reason.map { "<br />“\($0)”" }
        let request: Markup? = entry.requestId.map { .requestNumber($0) }
        let shown = JSONObject(entry.detail.filter { !AnswerView.isHash($0.name) }.map { ($0.name, $0.value) })
        let detail = shown.isEmpty ? "" : shown.serialized()
        let provider = entry.provider ?? ""
        let facts = [provider, detail].filter { !$0.isEmpty }.joined(separator: " · ")
        return [
            .named("\(entry.event)", "\(facts)"), "\(entry.actorKind.capitalizedFirst) \(Markup.name(actor))\(reason)",
            "\(user)", "\(Markup.moment(entry.time))<br /><span class=\"tiny\">\(request)</span>",
        ]
    }
}

/// What a verification of the audit found, stretch by stretch.
struct AuditVerificationView: Sendable {
    let report: AuditReport
    /// What the stretches before found.
    let earlier: Sums
    /// Verifies the next stretch.
    let form: HiddenForm

    /// What was found up to a place of the chain. It comes from the form, so it decides nothing.
    struct Sums: Sendable {
        /// The place; nil at the beginning.
        let after: Int64?
        let entries, findings: Int

        init(_ value: (String) -> String?) {
            after = value("after").flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
            entries = Self.count(value("entries"))
            findings = Self.count(value("findings"))
        }

        private init(after: Int64?, entries: Int, findings: Int) {
            (self.after, self.entries, self.findings) = (after, entries, findings)
        }

        private static func count(_ text: String?) -> Int { min(max(text.flatMap { Int($0) } ?? 0, 0), 1 << 40) }

        func adding(_ report: AuditReport) -> Sums {
            Sums(after: report.next, entries: entries + report.entries, findings: findings + report.findingCount)
        }

        var fields: [(name: String, value: String)] {
            [("after", after.map { String($0) } ?? ""), ("entries", String(entries)), ("findings", String(findings))]
        }
    }

    var page: ConsolePage {
        let sums = earlier.adding(report)
        let findings = report.findings.prefix(20).map { "\($0.text.description.capitalizedFirst)" as Markup }
        let next: Markup =
            report.next == nil
            ? "" : .panel("<p>The chain is longer.</p>" + .actions([.sendButton(form, "Verify the next entries")]))
        return ConsolePage(
            title: "Verify the audit", section: .audit,
            content: .head("Verify the audit", .actions([.button(ConsoleSection.audit.path, "Open audit")]))
                + banner(sums) + (findings.isEmpty ? "" : .panel("Findings", .bullets(findings))) + next,
            commands: ["broker audit verify"])
    }

    private func banner(_ sums: Sums) -> Markup {
        let entries = "\(sums.entries.grouped) entries verified"
        guard sums.findings == 0 else {
            return .banner(
                .bad, "\(sums.findings.grouped) \(sums.findings == 1 ? "finding" : "findings").", "\(entries).")
        }
        return .banner(
            .good, "\(entries), no finding.",
            """
            A chain that was cut off with its record shows only against an earlier end, which broker audit verify prints \
            on the broker’s host.
            """)
    }
}
