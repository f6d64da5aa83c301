package import BrokerStore
import ProviderKit

/// `statistics.show`: how many sign-ins succeeded and failed, and why.
package struct ShowStatistics: AdminOperation {
    package static let declaration = OperationDeclaration(
        "statistics.show", "Returns how many sign-ins succeeded and failed, and why, of 24 hours and of 30 days.",
        .readConfiguration, .reads,
        command: DeclaredCommand(
            "statistics", "Show how many sign-ins succeeded and failed, and why.",
            """
            Shows the last 24 hours by the hour and the last 30 days by the day, in UTC, each up to now, with the causes of
            refusals by provider and client. The brokers of a store write their counts every five seconds.

            Examples:
              broker statistics
              broker statistics --json
            """))

    package init() {}

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "hours": "The last 24 hours by the hour.", "days": "The last 30 days by the day.",
        ]

        package let hours: Period
        package let days: Period
    }

    /// Intervals of the same length, up to now.
    package struct Period: DescribedObject {
        package static let texts: [String: MemberText] = [
            "intervals": "The hours or the days, the earliest first; the last one is not over.",
            "signIns": "The sum of the sign-ins.",
            "failedSignIns": "The sum of the refusals in which a provider took part.",
            "providers": "The same by provider, the most used first.",
            "causes": "The causes of all refusals, the most frequent first.",
        ]

        package let intervals: [Interval]
        package let signIns: Int64
        package let failedSignIns: Int64
        package let providers: [ProviderCount]
        package let causes: [CauseCount]
    }

    /// An hour or a day.
    package struct Interval: DescribedObject {
        package static let texts: [String: MemberText] = [
            "start": "When it began.", "signIns": "The sign-ins.",
            "failedSignIns": "The refusals in which a provider took part.",
        ]

        package let start: Timestamp
        package let signIns: Int64
        package let failedSignIns: Int64
    }

    /// The counts of one provider.
    package struct ProviderCount: DescribedObject {
        package static let texts: [String: MemberText] = [
            "provider": "The id of the provider entry; `custom` for custom tokens, `anonymous` for anonymous users.",
            "signIns": "The sign-ins.", "failedSignIns": "The refusals.",
        ]

        package let provider: String
        package let signIns: Int64
        package let failedSignIns: Int64
    }

    /// The count of one cause.
    package struct CauseCount: DescribedObject {
        package static let texts: [String: MemberText] = [
            "code": "The stable code of the cause.", "provider": "The provider entry that took part.",
            "clientId": "The OAuth client of the requests.", "count": "The number of refusals.",
        ]

        package let code: String
        package let provider: String?
        package let clientId: String?
        package let count: Int64
    }

    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour

    package func run(for call: AdminCall) async throws -> Answer {
        try await call.admin.outcomes.turn()
        let now = call.admin.now.milliseconds
        let firstDay = (now / Self.day - 29) * Self.day
        let sums = try await call.admin.store.read {
            try $0.outcomeSums(since: Timestamp(milliseconds: firstDay))
        }
        return Answer(
            hours: Period(sums, every: Self.hour, count: 24, until: now),
            days: Period(sums, every: Self.day, count: 30, until: now))
    }

    package func text(of answer: Answer) -> TerminalText {
        "\(answer.hours.text("24 hours", width: 13))\n\n\(answer.days.text("30 days", width: 10))"
    }
}

extension ShowStatistics.Period {
    fileprivate init(_ sums: [OutcomeSum], every length: Int64, count: Int, until now: Int64) {
        let first = (now / length - Int64(count) + 1) * length
        let within = sums.filter { $0.hour.milliseconds >= first }
        func counts(_ sums: [OutcomeSum]) -> (signIns: Int64, failed: Int64) {
            sums.reduce(into: (0, 0)) { counts, sum in
                if sum.code.isEmpty {
                    counts.signIns += sum.count
                } else if !sum.provider.isEmpty {
                    counts.failed += sum.count
                }
            }
        }
        let byStart = Dictionary(grouping: within) { $0.hour.milliseconds / length * length }
        intervals = (0..<count).map { index in
            let start = first + Int64(index) * length
            let (signIns, failed) = counts(byStart[start] ?? [])
            return .init(start: Timestamp(milliseconds: start), signIns: signIns, failedSignIns: failed)
        }
        (signIns, failedSignIns) = counts(within)
        let byProvider = Dictionary(grouping: within.filter { !$0.provider.isEmpty }, by: \.provider)
        providers = byProvider.map { provider, sums in
            let (signIns, failed) = counts(sums)
            return .init(provider: provider, signIns: signIns, failedSignIns: failed)
        }.sorted { ($1.signIns + $1.failedSignIns, $0.provider) < ($0.signIns + $0.failedSignIns, $1.provider) }
        let byCause = Dictionary(grouping: within.filter { !$0.code.isEmpty }) { [$0.code, $0.provider, $0.clientID] }
        causes = byCause.map { names, sums in
            .init(
                code: names[0], provider: names[1].isEmpty ? nil : names[1],
                clientId: names[2].isEmpty ? nil : names[2],
                count: sums.reduce(0) { $0 + $1.count })
        }.sorted {
            ($1.count, $0.code, $0.provider ?? "", $0.clientId ?? "") < (
                $0.count, $1.code, $1.provider ?? "", $1.clientId ?? ""
            )
        }
    }

    fileprivate func text(_ name: String, width: Int) -> TerminalText {
        let intervals = Table<ShowStatistics.Interval>(
            .init("START (UTC)") { String($0.start.text.prefix(width).replacing("T", with: " ")) },
            .init("SIGN-INS") { String($0.signIns) }, .init("FAILED") { String($0.failedSignIns) })
        let causes = Table<ShowStatistics.CauseCount>(
            .init("CAUSE") { $0.code }, .init("PROVIDER", mayBeCut: true) { $0.provider ?? "" },
            .init("CLIENT", mayBeCut: true) { $0.clientId ?? "" }, .init("COUNT") { String($0.count) })
        let filled = self.intervals.filter { $0.signIns + $0.failedSignIns > 0 }
        let head: TerminalText = "\(name): \(signIns) sign-ins, \(failedSignIns) failed"
        let parts: [TerminalText] = [
            head, filled.isEmpty ? "" : intervals.text(filled), self.causes.isEmpty ? "" : causes.text(self.causes),
        ]
        return parts.filter { !$0.description.isEmpty }.joined(separator: "\n\n")
    }
}
