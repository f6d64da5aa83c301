/// The result of giving up a user's grant at one provider.
package struct WithdrawalReceipt: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// A worker revokes it at the provider; `broker withdrawals show` tells the outcome of this id.
        case queued(id: String)
        /// The broker has no token of this user, so it can revoke nothing.
        case nothingStored
        /// The provider's plugin cannot revoke grants.
        case notSupported

        /// The state's name in answers.
        package var name: String {
            switch self {
            case .queued: "queued"
            case .nothingStored: "nothingStored"
            case .notSupported: "notSupported"
            }
        }
    }

    /// The id of the provider entry.
    package let provider: String
    package let state: State

    package init(provider: String, state: State) {
        self.provider = provider
        self.state = state
    }

    /// The id of a queued withdrawal.
    package var id: String? {
        guard case .queued(let id) = state else { return nil }
        return id
    }
}
