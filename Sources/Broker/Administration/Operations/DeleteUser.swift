import BrokerStore
package import ProviderKit

/// `users.delete`: a user with all identities, sessions and provider tokens; or what is left of a merged user.
package struct DeleteUser: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.delete", "Deletes a user with all identities, sessions and provider tokens.", .writeUsers, .irreversible,
        [.user], heading: "Delete a user",
        command: DeclaredCommand(
            "delete", "Delete a user with all identities, sessions and provider tokens.",
            """
            Cannot be undone; `broker users disable` can. The audit log keeps the user's history. A later sign-in
            with the same identity creates a new user.

            The running broker revokes the user's grants at their providers. `broker withdrawals show` tells the
            outcome of each receipt.

            The id of a user who was merged into another one deletes what is left of it: its snapshot, after which
            the merge cannot be undone, and the id. The other user stays.

            Examples:
              broker users delete ann@example.com
              broker users delete kX3… --yes --json
            """))

    let user: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "deleted": "The user record; of a merged user only the localId.",
            "withdrawals": "The withdrawals of the grants at the providers; absent for a merged user.",
        ]

        package let deleted: JSONObject
        package let withdrawals: [ReceiptAnswer]?
    }

    package init(user: String) {
        self.user = user
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let admin = call.admin
        if try await admin.survivor(of: user) != nil {
            try await admin.accounts.deleteAccount(localID: user, origin: call.origin)
            return Answer(deleted: ["localId": .string(user)], withdrawals: nil)
        }
        let record = try await admin.user(named: user)
        let receipts = try await admin.accounts.deleteAccount(localID: record.user.localID, origin: call.origin)
        return Answer(deleted: JSONObject(record), withdrawals: receipts.map { ReceiptAnswer($0) })
    }

    package func text(of answer: Answer) -> TerminalText {
        guard let withdrawals = answer.withdrawals else {
            return "Deleted what was left of \(answer.deleted["localId"]?.string ?? "")."
        }
        return "Deleted \(answer.deleted.userLabel).\(withdrawals.text)"
    }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        let found = try await runner.run(ShowUser(user: user))
        let question: TerminalText =
            if let survivor = found["broker"]?["mergedInto"]?.string {
                "Delete what is left of user \(user)? Its merge into \(survivor) cannot be undone then."
            } else {
                "Delete user \(found.userLabel) for good?"
            }
        return OperationQuestion(question, otherwise: "nothing was deleted")
    }
}

/// The withdrawal of one grant at its provider.
package struct ReceiptAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "providerId": "The id of the provider entry.",
        "state": "`queued`, `nothingStored` or `notSupported`.",
        "receipt": "The receipt of a queued withdrawal.",
    ]

    package let providerId: String
    package let state: String
    package let receipt: String?

    init(_ receipt: WithdrawalReceipt) {
        (providerId, state, self.receipt) = (receipt.provider, receipt.state.name, receipt.id)
    }
}
