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
