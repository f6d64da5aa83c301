import BrokerStore
import ProviderKit

/// `withdrawals.create`: deletes the stored provider tokens of a user and queues the revocation of their grants.
package struct CreateWithdrawals: AdminOperation {
    package static let declaration = OperationDeclaration(
        "withdrawals.create", "Withdraws a user's grants at providers. The identities stay linked.", .writeUsers,
        .irreversible,
        [
            .user,
            .option("provider", "Only the grants of the provider with this id.").of(.provider),
        ],
        command: DeclaredCommand(
            "create", "Withdraw a user's grants at providers. The identities stay linked.",
            """
            Deletes the stored provider tokens of the user, as after a leak, and queues the revocation of their
            grants. Sessions stay valid; the next sign-in brings new tokens. Cannot be undone.

            Examples:
              broker withdrawals create ann@example.com
              broker withdrawals create kX3… --provider github.com --yes --json
            """))

    let user: String
    let provider: String?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["withdrawals": "The receipts, one for each grant."]

        package let withdrawals: [ReceiptAnswer]
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let localID = try await call.admin.user(named: user).user.localID
        let receipts = try await call.admin.accounts.revokeGrants(at: provider, of: localID, origin: call.origin)
        guard !receipts.isEmpty else {
            throw AdminFailure(
                code: "NO_SUCH_PROVIDER",
                provider.map { "the user has no identity of \($0)" } ?? "the user has no identity")
        }
        return Answer(withdrawals: receipts.map { ReceiptAnswer($0) })
    }

    package func text(of answer: Answer) -> TerminalText { "Deleted the stored tokens.\(answer.withdrawals.text)" }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        .irreversible(
            "Delete the stored provider tokens of user \(user) and withdraw the grants?",
            otherwise: "nothing was withdrawn")
    }
}

/// `withdrawals.retry`: makes one withdrawal due at once.
package struct RetryWithdrawal: AdminOperation {
    package static let declaration = OperationDeclaration(
        "withdrawals.retry", "Attempts a withdrawal again, at once.", .writeUsers, .undoable, [.receipt],
        heading: "Attempt a withdrawal again")

    let receipt: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["retried": "What is attempted again."]

        package let retried: [WithdrawalAnswer]
    }

    package init(receipt: String) {
        self.receipt = receipt
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let retried = try await call.admin.outbox.withdrawals.retry(receipt, origin: call.origin).changed()
        return Answer(retried: [WithdrawalAnswer(retried)])
    }
}

/// `withdrawals.retry-parked`: makes parked withdrawals due at once, the oldest 1000 at a time.
package struct RetryParkedWithdrawals: AdminOperation {
    package static let declaration = OperationDeclaration(
        "withdrawals.retry-parked", "Attempts the parked withdrawals again, at once: the oldest 1000.", .writeUsers,
        .undoable,
        [
            .option("provider", "With --parked: only those of the provider with this id.")
        ], heading: "Attempt all parked withdrawals again")
    package typealias Answer = RetryWithdrawal.Answer

    let provider: String?

    package init(provider: String?) {
        self.provider = provider
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let withdrawals = call.admin.outbox.withdrawals
        var retried: [WithdrawalAnswer] = []
        for withdrawal in try await withdrawals.list(
            QueueSelection([.provider: provider], state: .parked), includesSettled: false, limit: 1000)
        {
            // A worker may have ended it meanwhile.
            if case .done(let changed) = try await withdrawals.retry(withdrawal.id, origin: call.origin) {
                retried.append(WithdrawalAnswer(changed))
            }
        }
        return Answer(retried: retried)
    }
}

/// `withdrawals.drop`: ends a withdrawal without another attempt and erases its tokens.
package struct DropWithdrawal: AdminOperation {
    package static let declaration = OperationDeclaration(
        "withdrawals.drop", "Gives up a withdrawal and erases its tokens.", .writeUsers, .irreversible, [.receipt],
        command: DeclaredCommand(
            "drop", "Give up a withdrawal and erase its tokens.",
            """
            The grant then stays at the provider until the user ends it there or it expires. Cannot be undone.

            Examples:
              broker withdrawals drop 5d41402abc4b2a76b9719d91
              broker withdrawals drop 5d41402abc4b2a76b9719d91 --yes --json
            """))

    let receipt: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["dropped": "The withdrawal."]

        package let dropped: WithdrawalAnswer
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let dropped = try await call.admin.outbox.withdrawals.drop(receipt, origin: call.origin).changed()
        return Answer(dropped: WithdrawalAnswer(dropped))
    }

    package func text(of answer: Answer) -> TerminalText { "Dropped \(answer.dropped.receipt)." }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        let found = try await runner.run(ShowWithdrawal(receipt: receipt))
        return OperationQuestion(
            "Leave the grant of client \(found.client) at \(found.provider) as it is?", otherwise: "nothing was dropped"
        )
    }
}

extension QueueChange<Withdrawal> {
    /// The changed withdrawal.
    ///
    /// - Throws: ``AdminFailure`` when nothing was changed.
    fileprivate func changed() throws(AdminFailure) -> Withdrawal {
        switch self {
        case .done(let withdrawal): return withdrawal
        case .tooLate(let withdrawal):
            throw AdminFailure(
                code: "WITHDRAWAL_ENDED", "the withdrawal is \(withdrawal.state.rawValue): its tokens are erased")
        case .notFound: throw .withdrawalNotFound
        }
    }
}
