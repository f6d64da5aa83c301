package import BrokerStore
import ProviderKit

/// `status.show`: whether sign-ins work, and what waits for an administrator.
package struct ShowStatus: AdminOperation {
    package static let declaration = OperationDeclaration(
        "status.show", "Returns the state of the providers, the queues and the brokers, and the findings of doctor.",
        .readConfiguration, .reads, asksProviders: true,
        [.option("check", "Check the providers now, although a check of the last five minutes is known.")],
        command: DeclaredCommand(
            "status", "Show the state of the providers, the queues and the brokers.",
            """
            Each enabled provider is checked as broker providers check does; a running broker asks a provider once in five
            minutes unless --check is given. Exits 1 when something needs an administrator.

            Examples:
              broker status
              broker status --check --json
            """))
    /// The maximum number of pending merges that is counted.
    package static let countedMerges = 100

    let check: Bool?

    package init(check: Bool? = nil) {
        self.check = check
    }

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "now": "The broker's time.",
            "version": "The version of the broker that answers.",
            "providers": "The provider entries.",
            "queues": "What waits.",
            "brokers": "The brokers that run on the store.",
            "findings": "What broker doctor finds about the broker.",
        ]

        package let now: Timestamp
        package let version: String
        package let providers: [Provider]
        package let queues: Queues
        package let brokers: [RunningBroker]
        package let findings: [Finding]
    }

    /// A provider entry.
    package struct Provider: DescribedObject {
        package static let texts: [String: MemberText] = [
            "id": "The id of the entry.",
            "use": "Its plugin; absent for a stored entry that cannot be read.",
            "displayName": "The name that users see.",
            "state": "`works`, `fails`, `paused`, `off`, `left-out`, or `not-checkable`.",
            "text": "The reason of a state that needs an administrator.",
            "fix": "What an administrator does about it.",
            "checkedAt": "When it was checked.",
        ]

        package let id: String
        package let use: String?
        package let displayName: String
        package let state: State
        package let text: String?
        package let fix: String?
        package let checkedAt: Timestamp?

        package enum State: String, Codable, Sendable, CaseIterable {
            case works, fails, paused, off
            case leftOut = "left-out"
            case notCheckable = "not-checkable"
        }

        package var needsAdministrator: Bool { [.fails, .paused, .leftOut].contains(state) }
    }

    /// What waits.
    package struct Queues: DescribedObject {
        package static let texts: [String: MemberText] = [
            "withdrawals": "Withdrawals of grants that wait for their next attempt.",
            "parkedWithdrawals": "Withdrawals that wait for an administrator.",
            "deadWithdrawals": "Withdrawals that were given up.",
            "deliveries": "Deliveries of events that wait for their next attempt.",
            "deadDeliveries": "Deliveries of events that were given up.",
            "merges": "Merges that wait for an administrator; 101 stands for more than 100.",
        ]

        package let withdrawals: Int
        package let parkedWithdrawals: Int
        package let deadWithdrawals: Int
        package let deliveries: Int
        package let deadDeliveries: Int
        package let merges: Int

        /// How many need an administrator.
        package var waiting: Int { parkedWithdrawals + deadWithdrawals + deadDeliveries + merges }
    }

    /// A running broker.
    package struct RunningBroker: DescribedObject {
        package static let texts: [String: MemberText] = [
            "id": "A random id of the process.",
            "host": "The name of its computer or container.",
            "version": "Its version; absent for a broker of an earlier release.",
            "seenAt": "When it was seen last; it reports every 15 seconds.",
        ]

        package let id: String
        package let host: String?
        package let version: String?
        package let seenAt: Timestamp
    }

    /// A finding of doctor.
    package struct Finding: DescribedObject {
        package static let texts: [String: MemberText] = [
            "code": "Stable; the page /diagnose explains it.",
            "subject": "What it is about.",
            "isWarning": "Whether sign-ins work in spite of it.",
            "cause": "The cause.",
            "remedy": "What an operator does about it.",
        ]

        package let code: String
        package let subject: String
        package let isWarning: Bool
        package let cause: String
        package let remedy: String

        init(_ finding: DoctorFinding) {
            let text = finding.diagnosis.text
            (code, subject) = (finding.diagnosis.rawValue, finding.subject)
            (cause, remedy) = (text.cause, text.remedy)
            isWarning = finding.diagnosis.isWarning
        }
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let admin = call.admin
        let silence = admin.now.advanced(by: .zero - MasterKeyWatch.silence)
        let brokers = try await admin.store.read { try $0.keyHolders(seenAfter: silence) }
        return Answer(
            now: admin.now, version: BrokerVersion.current, providers: try await providers(call),
            queues: try await Self.queues(of: admin),
            brokers: brokers.map {
                RunningBroker(id: $0.holder, host: $0.host, version: $0.version, seenAt: $0.seenAt)
            },
            findings: await admin.examineBroker().map { Finding($0) })
    }

    /// What waits.
    ///
    /// - Throws: A store's error.
    static func queues(of admin: AdminContext) async throws -> Queues {
        try await admin.store.read { transaction in
            let withdrawals = try transaction.backlog(of: Withdrawal.self)
            let deliveries = try transaction.backlog(of: EventDelivery.self)
            let merges = try transaction.pendingMerges(includingDismissed: false, limit: countedMerges + 1)
            return Queues(
                withdrawals: count(Withdrawal.State.queued, in: withdrawals),
                parkedWithdrawals: count(Withdrawal.State.parked, in: withdrawals),
                deadWithdrawals: count(Withdrawal.State.dead, in: withdrawals),
                deliveries: count(EventDelivery.State.queued, in: deliveries),
                deadDeliveries: count(EventDelivery.State.dead, in: deliveries), merges: merges.count)
        }
    }

    private static func count(
        _ state: some RawRepresentable<String>, in counts: [(state: String, count: Int64)]
    ) -> Int {
        Int(counts.first { $0.state == state.rawValue }?.count ?? 0)
    }

    /// All entries; the enabled ones are asked at once.
    private func providers(_ call: AdminCall) async throws -> [Provider] {
        let (admin, listed) = (call.admin, try await ListProviders().run(for: call).providers)
        let checks = await withTaskGroup(of: (String, Timestamp, ProviderCheckOutcome).self) { group in
            for provider in admin.providers.current.providers {
                group.addTask { [now = admin.now] in
                    guard check ?? false else {
                        let latest = await provider.checkedLately(at: now)
                        return (provider.id, latest.at, latest.outcome)
                    }
                    return (provider.id, now, await provider.check(at: now))
                }
            }
            return await group.reduce(into: [:]) { checks, check in checks[check.0] = (check.1, check.2) }
        }
        return listed.map { provider in
            guard let check = checks[provider.id], let configured = admin.providers.current.provider(provider.id)
            else { return Provider(provider) }
            let findings = CheckProviderOperation.findings(about: configured, check.1, call)
            return Provider(provider, as: configured.displayName, findings, at: check.0)
        }
    }

    package func isFailure(_ answer: Answer) -> Bool {
        answer.queues.waiting > 0 || answer.providers.contains(where: \.needsAdministrator)
            || answer.findings.contains { !$0.isWarning }
    }

    package func text(of answer: Answer) -> TerminalText {
        let providers = Table<Provider>(
            .init("PROVIDER") { $0.id }, .init("STATE") { $0.state.rawValue },
            .init("REASON", mayBeCut: true) { $0.text ?? "" })
        let brokers = Table<RunningBroker>(
            .init("BROKER") { $0.id }, .init("HOST", mayBeCut: true) { $0.host ?? "" },
            .init("VERSION") { $0.version ?? "" }, .init("SEEN (UTC)") { $0.seenAt.minuteText })
        let queues = answer.queues
        let findings = answer.findings.map { finding -> TerminalText in
            "\(finding.isWarning ? "!" : "✗") \(finding.subject): \(finding.cause) [\(finding.code)]\n  \(finding.remedy)"
        }
        let waiting: TerminalText = """
            withdrawals  \(queues.withdrawals) queued, \(queues.parkedWithdrawals) parked, \
            \(queues.deadWithdrawals) dead
            deliveries   \(queues.deliveries) queued, \(queues.deadDeliveries) dead
            merges       \(queues.merges) pending
            """
        let parts = [
            answer.providers.isEmpty ? "No providers." : providers.text(answer.providers), waiting,
            answer.brokers.isEmpty ? "No broker runs." : brokers.text(answer.brokers),
        ]
        return (parts + findings).joined(separator: "\n\n")
    }
}

extension ShowStatus.Provider {
    /// An entry that was not checked.
    fileprivate init(_ listed: ListProviders.ProviderAnswer) {
        self.init(
            id: listed.id, use: listed.use, displayName: listed.displayName ?? listed.id,
            state: listed.problem != nil ? .leftOut : listed.enabled ? .notCheckable : .off, text: listed.problem,
            fix: nil, checkedAt: nil)
    }

    /// An entry with its findings, of which the first problem counts.
    fileprivate init(
        _ listed: ListProviders.ProviderAnswer, as name: String, _ findings: [CheckProviderOperation.Finding],
        at moment: Timestamp
    ) {
        let problem = findings.first { $0.isProblem }
        let paused = listed.probesPaused.map {
            "\($0.failures) of \($0.probes) checks of grants were refused, so they are paused"
        }
        let state: State =
            if problem != nil {
                .fails
            } else if paused != nil {
                .paused
            } else {
                findings.contains { $0.code == "not-checkable" } ? .notCheckable : .works
            }
        self.init(
            id: listed.id, use: listed.use, displayName: name, state: state, text: problem?.text ?? paused,
            fix: problem?.fix
                ?? paused.map { _ in "Find the cause, then resume them with broker providers resume-probes." },
            checkedAt: moment)
    }
}
