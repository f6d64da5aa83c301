import BrokerStore
package import ProviderKit

/// `users.delete`: a user with all identities, sessions and provider tokens; or what is left of a merged user.
package struct DeleteUser: AdminOperation {
    package static let name = "users.delete"
    package static let summary = "Deletes a user with all identities, sessions and provider tokens."
    package static let scope: AdminScope? = .writeUsers

    /// A localId or an e-mail address.
    let user: String

    package struct Answer: Codable, Sendable {
        /// The user record; of a merged user only the localId.
        package let deleted: JSONObject
        /// The withdrawals of the grants at the providers; nil for a merged user.
        package let withdrawals: [ReceiptAnswer]?
    }

    package init(user: String) {
        self.user = user
    }

    package func run(in context: AdminContext) async throws -> Answer {
        let flows = context.flows
        if try await flows.explain.survivor(of: user) != nil {
            try await flows.deleteAccount(localID: user, origin: context.origin)
            return Answer(deleted: ["localId": .string(user)], withdrawals: nil)
        }
        let record = try await flows.user(named: user)
        let receipts = try await flows.deleteAccount(localID: record.user.localID, origin: context.origin)
        return Answer(deleted: JSONObject(record), withdrawals: receipts.map { ReceiptAnswer($0) })
    }
}

/// The withdrawal of one grant at its provider.
package struct ReceiptAnswer: Codable, Sendable {
    package let providerId: String
    /// `queued`, `nothingStored` or `notSupported`.
    package let state: String
    /// The receipt of a queued withdrawal.
    package let receipt: String?

    init(_ receipt: WithdrawalReceipt) {
        (providerId, state, self.receipt) = (receipt.provider, receipt.state.name, receipt.id)
    }
}
