import BrokerStore

/// The console's start: whether sign-ins work, and if not, since when and why.
struct HomeView: Sendable {
    let status: ShowStatus.Answer
    let statistics: ShowStatistics.Answer
    let showsDays: Bool

    private var period: ShowStatistics.Period { showsDays ? statistics.days : statistics.hours }
    private var span: String { showsDays ? "30 days" : "24 hours" }

    private var labels: ProviderLabels {
        ProviderLabels(status.providers.map { ($0.id, $0.use ?? "", $0.displayName) })
    }

    static let daysHref = ConsoleLink.address(ConsoleSection.home.path, [("period", "days")])

    var page: ConsolePage {
        let tabs = Markup.tabs(
            [(ConsoleSection.home.path, "24 hours"), (Self.daysHref, "30 days")],
            current: showsDays ? Self.daysHref : ConsoleSection.home.path)
        let parts = [
            Markup.head("Home", tabs), worst ?? "", .figures(figures),
            .columns([signIns, causes], [providers, queues, brokers, findings]),
        ]
        return ConsolePage(
            title: "Home", section: .home, content: parts.joined(),
            commands: [ShowStatus().commandLine, ShowStatistics().commandLine].compactMap(\.self))
    }

    /// The finding that keeps most users from signing in.
    private var worst: Markup? {
        if let problem = status.findings.first(where: { !$0.isWarning }) {
            return .banner(.bad, "\(problem.subject): \(problem.cause)", "\(problem.remedy)")
        }
        if let provider = status.providers.first(where: { $0.state == .fails }) {
            return .banner(
                .warn, "\(provider.displayName) does not work.",
                "\(provider.text?.asSentence ?? "") \(Markup.link(ConsoleLink.below(.providers, provider.id), "Open \(provider.displayName)"))"
            )
        }
        guard status.providers.contains(where: { $0.state == .works || $0.state == .notCheckable }) else {
            return .banner(
                .neutral, "No provider is enabled.",
                "Users cannot sign in yet. \(Markup.link(ConsoleSection.providers.path, "Add a provider"))")
        }
        return nil
    }

    private var figures: [Markup.Figure] {
        let (done, failed) = (Int(period.signIns), Int(period.failedSignIns))
        let enabled = status.providers.filter { $0.state != .off }
        let troubled = enabled.filter(\.needsAdministrator).count
        return [
            .init(name: "Sign-ins", value: done.grouped, note: "in \(span)"),
            .init(
                name: "Failed", value: Self.percent(failed, of: done + failed),
                note: "\(failed.grouped) of \((done + failed).grouped)"),
            .init(
                name: "Providers", value: enabled.count.grouped,
                note: troubled == 0 ? "none needs you" : "\(troubled) of them \(troubled == 1 ? "needs" : "need") you"),
            .init(name: "Waiting", value: status.queues.waiting.grouped, note: waiting),
        ]
    }

    private var waiting: String {
        let queues = status.queues
        let parts = [
            (queues.deadDeliveries, "delivery", "deliveries"),
            (queues.parkedWithdrawals + queues.deadWithdrawals, "withdrawal", "withdrawals"),
            (queues.merges, "merge", "merges"),
        ].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return "nothing needs you" }
        return parts.map { "\($0.0.grouped) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: ", ")
    }

    private static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0%" }
        let tenths = (part * 1000 + whole / 2) / whole
        return tenths % 10 == 0 ? "\(tenths / 10)%" : "\(tenths / 10).\(tenths % 10)%"
    }
}

extension HomeView {
    private var signIns: Markup {
        let each = showsDays ? "day" : "hour"
        let chart = Chart(
            periods: period.intervals.map { interval in
                showsDays
                    ? .init(name: Self.shortDay(interval.start), time: .day(interval.start))
                    : .init(name: String(interval.start.text.dropFirst(11).prefix(5)), time: .clock(interval.start))
            }, periodTitle: showsDays ? "Day" : "Hour",
            series: [
                .init(
                    name: "Completed", subject: "Completed sign-ins each \(each)", style: "completed",
                    values: period.intervals.map { Int($0.signIns) }, isLow: false),
                .init(
                    name: "Failed", subject: "Failed sign-ins each \(each)", style: "failed",
                    values: period.intervals.map { Int($0.failedSignIns) }, isLow: true),
            ])
        return .panel("Sign-ins each \(each)", aside: "<p class=\"tiny soft\">UTC</p>", chart.markup)
    }

    /// `21 Sep`
    private static func shortDay(_ moment: Timestamp) -> String {
        PageDate(day: moment.date, .english).text.split(separator: " ").prefix(2).map { $0.prefix(3) }
            .joined(separator: " ")
    }

    /// How many causes are shown.
    private static let shownCauses = 12

    private var causes: Markup {
        guard let most = period.causes.first else {
            return .panel("Why sign-ins failed", .empty("No failed sign-ins in \(span)", isGood: true))
        }
        let rows = period.causes.prefix(Self.shownCauses).map { cause -> [Markup] in
            let all = ConsoleLink.refusals(code: cause.code, provider: cause.provider, client: cause.clientId)
            return [
                """
                <p class="name">\(Markup.link(all, RefusalAdvice(code: cause.code).cause))</p>\
                \(Markup.place(of: cause.code, cause.provider.map(labels.name), cause.clientId))
                """,
                .meter(Double(cause.count) / Double(most.count)), "\(Int(cause.count).grouped)",
            ]
        }
        return .panel(
            "Why sign-ins failed",
            aside: "<p class=\"tiny\"><a href=\"\(ConsoleSection.requests.path)\">All refused requests</a></p>",
            .table(["Cause", .bar("Share"), .number("Refusals")], rows))
    }

    private var providers: Markup {
        let checked = status.providers.compactMap(\.checkedAt).max()
        let aside: Markup? = checked.map { "<p class=\"tiny soft\">Checked \(Markup.clock($0))</p>" }
        guard !status.providers.isEmpty else {
            return .panel(
                "Providers",
                .empty(
                    "Providers with which users sign in stand here.",
                    .button(ConsoleSection.providers.path, "Add a provider")))
        }
        let rows = status.providers.map { provider -> Markup in
            let count = period.providers.first { $0.provider == provider.id }
            let counted = count.map { count -> Markup in
                let failed = "\(Int(count.failedSignIns).grouped) failed"
                let link: Markup =
                    count.failedSignIns > 0 ? .link(ConsoleLink.refusals(provider: provider.id), failed) : "\(failed)"
                return "\(Int(count.signIns).grouped) signed in, \(link)"
            }
            let problem = provider.needsAdministrator ? provider.text.map { "\($0.asSentence)" as Markup } : nil
            return .row(
                mark: labels.mark(provider.id), .link(ConsoleLink.below(.providers, provider.id), provider.displayName),
                problem ?? counted, end: Self.light(provider.state))
        }
        return .panel("Providers", aside: aside ?? "", .rows(rows))
    }

    /// The state of a provider, in one or two words.
    static func light(_ state: ShowStatus.Provider.State) -> Markup {
        switch state {
        case .works: .state(.good, "Works")
        case .fails: .state(.bad, "Fails")
        case .paused: .state(.warn, "Paused")
        case .leftOut: .state(.bad, "Left out")
        case .off: .state(.neutral, "Off")
        case .notCheckable: .state(.neutral, "No check")
        }
    }

    private var queues: Markup {
        let queues = status.queues
        return .panel(
            "Queues",
            .rows([
                Self.queue("Webhook deliveries", .webhooks, needing: queues.deadDeliveries, queued: queues.deliveries),
                Self.queue(
                    "Withdrawals at providers", .withdrawals,
                    needing: queues.parkedWithdrawals + queues.deadWithdrawals, queued: queues.withdrawals),
                Self.queue(
                    "Merges to approve", .merges, needing: queues.merges, queued: 0, most: ShowStatus.countedMerges),
            ]))
    }

    private static func queue(
        _ name: String, _ section: ConsoleSection, needing: Int, queued: Int, most: Int = .max
    ) -> Markup {
        let number = needing > most ? "more than \(most.grouped)" : needing.grouped
        let state: Markup =
            if needing > 0 {
                .state(.warn, "\(number) waiting")
            } else {
                queued > 0 ? .state(.neutral, "\(queued.grouped) queued") : .state(.good, "Empty")
            }
        let second: Markup? = needing > 0 && queued > 0 ? "\(queued.grouped) more are attempted again" : nil
        return .row(.link(section.path, name), second, end: state)
    }

    private var brokers: Markup {
        let versions = Set(status.brokers.map(\.version))
        let only = versions.count == 1 ? versions.first ?? nil : nil
        let aside: Markup? = only.map { "<p class=\"tiny soft\">\(status.brokers.count > 1 ? "All " : "")\($0)</p>" }
        let rows = status.brokers.map { broker -> Markup in
            let version: Markup? =
                only == nil ? "\(broker.version.map { "Version \($0)" } ?? "An earlier version") · " : nil
            return .row(
                "<code>\(broker.host ?? String(broker.id.prefix(8)))</code>",
                "\(version)Seen \(Markup.clock(broker.seenAt))", end: .state(.good, "Runs"))
        }
        return .panel("Brokers", aside: aside ?? "", rows.isEmpty ? .empty("No broker has reported yet.") : .rows(rows))
    }

    private var findings: Markup {
        guard !status.findings.isEmpty else { return .panel("Doctor", .empty("No findings", isGood: true)) }
        let rows = status.findings.map { finding in
            Markup.row(
                "\(finding.subject)", "\(finding.cause) \(finding.remedy)",
                end: .state(finding.isWarning ? .warn : .bad, finding.isWarning ? "Warning" : "Problem"))
        }
        return .panel("Doctor", .rows(rows))
    }
}
