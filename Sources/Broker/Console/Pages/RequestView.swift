import BrokerStore
import ProviderKit

/// What became of a request, by the number that error pages and answers show.
struct RequestView: Sendable {
    let id: String
    let answer: ExplainDecisions.Answer
    /// The causes of the last 24 hours, to tell how often this one occurred.
    let causes: [ShowStatistics.CauseCount]
    let labels: ProviderLabels
    let now: Timestamp

    private var advice: RefusalAdvice? { answer.refusal.map { RefusalAdvice(code: $0.code, text: $0.text) } }

    private var title: String {
        if let advice { return advice.cause }
        return answer.decisions.first.flatMap { $0.ruleText } ?? "Nothing is recorded about this request"
    }

    var page: ConsolePage {
        let parts = [
            Markup.breadcrumb([.requests], id), .head(title),
            .columns([facts, decisions ?? ""], [steps ?? "", user ?? "", frequency ?? ""]),
        ]
        return ConsolePage(
            title: title, section: .requests, content: parts.joined(),
            commands: [ExplainDecisions(of: id).commandLine].compactMap(\.self), query: id)
    }

    private var facts: Markup {
        if let unrecorded = answer.unrecorded {
            return .panel(
                "Look into the log",
                """
                <p>The request came at \(Markup.moment(unrecorded.at)). It was not refused, or more were than are recorded, \
                or it was a few seconds ago at another broker. \
                The log has what became of it, in the line with</p><p>\(Markup.code(unrecorded.logLine))</p>
                """)
        }
        var rows: [(name: String, value: Markup)] = []
        if let refusal = answer.refusal {
            rows.append(("When", .moment(refusal.at)))
            rows.append(("Code", .code(refusal.code)))
            if let text = refusal.text { rows.append(("Text for developers", .name(text))) }
            if let provider = refusal.provider {
                rows.append(("Provider", .link(ConsoleLink.below(.providers, provider), labels.name(provider))))
            }
            if let client = refusal.clientId {
                rows.append(("Client", .link(ConsoleLink.below(.clients, client), client)))
            }
            rows.append(("Answer", "HTTP \(Int(refusal.status)) of \(Markup.code(refusal.route))"))
        }
        rows.append(("Request number", .code(id)))
        return .panel("Request", .facts(rows))
    }

    private var steps: Markup? {
        advice.map { .panel("What to do", .bullets($0.steps.map { "\($0)" })) }
    }

    /// The users of the request's decisions.
    private var user: Markup? {
        let users = Set(answer.decisions.compactMap(\.localId)).sorted()
        guard !users.isEmpty else { return nil }
        return .panel(
            users.count == 1 ? "User" : "Users",
            .rows(users.map { .row("<code>\(Markup.link(ConsoleLink.user($0), $0))</code>") }))
    }

    private var frequency: Markup? {
        guard let refusal = answer.refusal else { return nil }
        let same = causes.first {
            $0.code == refusal.code && $0.provider == refusal.provider && $0.clientId == refusal.clientId
        }
        let count = Int(same?.count ?? 0)
        let sentence =
            count == 0
            ? "Not once in the last 24 hours." : "\(count.grouped) \(count == 1 ? "refusal" : "refusals") in 24 hours."
        let all = ConsoleLink.refusals(
            code: refusal.code, provider: refusal.provider, client: refusal.clientId)
        return .panel(
            "The same cause", "<p>\(sentence)</p>" + .actions([.button(all, "Show requests with this cause")]))
    }

    private var decisions: Markup? {
        guard !answer.decisions.isEmpty else { return nil }
        let entries = answer.decisions.map { decision in
            Timeline.Entry(
                at: decision.at, tone: .neutral, icon: .shield,
                text: .name(decision.ruleText ?? decision.result),
                meta: [.rule(decision.rule, decision.ruleText), "<span>\(labels.name(decision.provider))</span>"])
        }
        return .panel("What was decided", Timeline(entries: entries, now: now).markup)
    }
}

/// The rules of the account policy, each with its sentence.
struct RulesView: Sendable {
    var page: ConsolePage {
        let rows = AccountRule.allCases.map { rule -> Markup in
            "<div><dt id=\"\(rule.rawValue)\"><code>\(rule.rawValue)</code></dt><dd>\(rule.sentence)</dd></div>"
        }
        let explanation: Markup = """
            <p class="soft">The account policy decides by these rules which user a credential belongs to. S is for sign-ins, L for \
            links, M for merges.</p>
            """
        return ConsolePage(
            title: "Rules", section: nil,
            content: .head("Rules")
                + .panel("Account policy", "\(explanation)<dl class=\"facts\">\(rows.joined())</dl>"))
    }
}
