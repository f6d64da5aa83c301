package import BrokerStore
import ProviderKit

/// A withdrawal of a grant at its provider; it contains no token.
package struct WithdrawalAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "receipt": "Its id.",
        "state": "`queued`, `parked`, `dead`, `done` or `dropped`.",
        "provider": "The id of the provider entry.",
        "instance": "The provider's issuer.",
        "client": "The broker's client there.",
        "tokenTypeHint": "The kind of token that is revoked.",
        "cause": "What led to it.",
        "attempts": "The attempts so far.",
        "createdAt": "When it was asked for.",
        "queuedAt": "When it was queued last.",
        "reason": "The reason of the last failure.",
        "nextAttemptAt": "When it is attempted next.",
        "endedAt": "When it ended.",
    ]

    package let receipt: String
    package let state: String
    package let provider: String
    package let instance: String
    package let client: String
    package let tokenTypeHint: String
    package let cause: String
    package let attempts: Int64
    package let createdAt: Timestamp
    package let queuedAt: Timestamp
    package let reason: String?
    package let nextAttemptAt: Timestamp?
    package let endedAt: Timestamp?

    init(_ withdrawal: Withdrawal) {
        (receipt, state) = (withdrawal.id, withdrawal.state.rawValue)
        (provider, instance, client) = (withdrawal.provider, withdrawal.issuer, withdrawal.clientID)
        (tokenTypeHint, cause) = (withdrawal.tokenHint.rawValue, withdrawal.cause.rawValue)
        attempts = Int64(withdrawal.attempts)
        (createdAt, queuedAt) = (withdrawal.createdAt, withdrawal.queuedAt)
        (reason, nextAttemptAt, endedAt) = (withdrawal.reason, withdrawal.nextAttemptAt, withdrawal.endedAt)
    }
}

/// `withdrawals.list`: withdrawals, the oldest first.
package struct ListWithdrawals: AdminOperation {
    private static let limits = DeclaredLimit("The maximum number of withdrawals, 1 to 1000.", standard: 100)

    package static let declaration = OperationDeclaration(
        "withdrawals.list", "Lists the withdrawals of grants at providers, the oldest first.", .readUsers, .reads,
        [
            .option("all", "Include done and dropped withdrawals."),
            .option(
                "state",
                "Only withdrawals in this state: \(Withdrawal.State.allCases.map(\.rawValue).joined(separator: ", "))."),
            .option("provider", "Only withdrawals of the provider with this id.").of(.provider),
            limits.argument,
        ],
        command: DeclaredCommand(
            "list", "List withdrawals, the oldest first.",
            """
            Lists queued, parked and dead withdrawals. --all includes done and dropped ones, which are stored for
            30 days.

            Examples:
              broker withdrawals list
              broker withdrawals list --state parked --provider apple.com --json
            """))

    let all: Bool?
    let state: Withdrawal.State?
    let provider: String?
    let limit: Int?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["withdrawals": "The withdrawals, the oldest first."]

        package let withdrawals: [WithdrawalAnswer]
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        let found = try await call.admin.outbox.withdrawals.list(
            QueueSelection([.provider: provider], state: state), includesSettled: all ?? false, limit: limit)
        return Answer(withdrawals: found.map { WithdrawalAnswer($0) })
    }

    package func text(of answer: Answer) -> TerminalText {
        let table = Table<WithdrawalAnswer>(
            .init("RECEIPT") { $0.receipt }, .init("STATE") { $0.state }, .init("PROVIDER") { $0.provider },
            .init("CAUSE") { $0.cause }, .init("QUEUED") { $0.queuedAt.minuteText },
            .init("ATTEMPTS") { String($0.attempts) }, .init("NEXT") { $0.nextAttemptAt?.minuteText ?? "" },
            .init("REASON", mayBeCut: true) { $0.reason ?? "" })
        return answer.withdrawals.isEmpty ? "No withdrawals." : table.text(answer.withdrawals)
    }

    package func rowCount(of answer: Answer) -> Int? { answer.withdrawals.count }
}

extension Withdrawal.State: Codable {}

/// `withdrawals.show`: the outcome of a withdrawal.
package struct ShowWithdrawal: AdminOperation {
    package static let declaration = OperationDeclaration(
        "withdrawals.show", "Returns the outcome of a withdrawal.", .readUsers, .reads, [.receipt],
        command: DeclaredCommand(
            "show", "Show the outcome of a withdrawal.",
            """
            Examples:
              broker withdrawals show 5d41402abc4b2a76b9719d91
              broker withdrawals show 5d41402abc4b2a76b9719d91 --json
            """))
    package typealias Answer = WithdrawalAnswer

    let receipt: String

    package func run(for call: AdminCall) async throws -> WithdrawalAnswer {
        guard let found = try await call.admin.outbox.withdrawals.row(receipt) else {
            throw AdminFailure.withdrawalNotFound
        }
        return WithdrawalAnswer(found)
    }

    package func text(of answer: WithdrawalAnswer) -> TerminalText { answer.text }
}

extension AdminFailure {
    static let withdrawalNotFound = AdminFailure(
        code: "WITHDRAWAL_NOT_FOUND",
        "there is no withdrawal with this receipt: broker withdrawals list --all shows the stored ones")
}

extension DeclaredArgument {
    static let receipt = positional("receipt", "The receipt.", as: "id", example: "5d41402abc4b2a76b9719d91")
}

extension WithdrawalAnswer {
    fileprivate var text: TerminalText {
        let lines: [(String, String?)] = [
            ("receipt", receipt), ("state", state), ("reason", reason), ("provider", provider),
            ("instance", instance), ("client", client), ("cause", cause), ("attempts", String(attempts)),
            ("queued", queuedAt.text), ("next attempt", nextAttemptAt?.text), ("ended", endedAt?.text),
        ]
        let shown = lines.compactMap { name, value in
            value.map { TerminalText("\(name.padding(to: 14))\($0)") }
        }
        return shown.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 1)) }
}
