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
            "providers": "The same by provider, those with most refusals first; 100 at most.",
            "causes": "The causes of all refusals, the most frequent first; 100 at most.",
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
            "clientId": "The OAuth client of the requests; `other` for those beyond 10 000 counts an hour.",
            "count": "The number of refusals.",
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
        return try await call.admin.store.read { transaction in
            Answer(
                hours: try Period(every: Self.hour, count: 24, until: now, in: transaction),
                days: try Period(every: Self.day, count: 30, until: now, in: transaction))
        }
    }

    package func text(of answer: Answer) -> TerminalText {
        "\(answer.hours.text("24 hours", width: 13))\n\n\(answer.days.text("30 days", width: 10))"
    }
}

extension ShowStatistics.Period {
    /// Providers and causes that an answer has at most.
    private static let most = 100

    fileprivate init(
        every length: Int64, count: Int, until now: Int64, in transaction: borrowing Transaction
    ) throws(StoreError) {
        let first = Timestamp(milliseconds: (now / length - Int64(count) + 1) * length)
        let sums = try transaction.signInSums(since: first, every: length)
        intervals = (0..<count).map { index in
            let start = Timestamp(milliseconds: first.milliseconds + Int64(index) * length)
            return .init(
                start: start, signIns: sums[start]?.signIns ?? 0, failedSignIns: sums[start]?.failures ?? 0)
        }
        signIns = intervals.reduce(0) { $0 + $1.signIns }
        failedSignIns = intervals.reduce(0) { $0 + $1.failedSignIns }
        providers = try transaction.signInSums(byProviderSince: first, limit: Self.most).map { provider, sum in
            .init(provider: provider, signIns: sum.signIns, failedSignIns: sum.failures)
        }
        causes = try transaction.causeSums(since: first, limit: Self.most).map { sum in
            .init(
                code: sum.code, provider: sum.provider.isEmpty ? nil : sum.provider,
                clientId: sum.clientID.isEmpty ? nil : sum.clientID, count: sum.count)
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
