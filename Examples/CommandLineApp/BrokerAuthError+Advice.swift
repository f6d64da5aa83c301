import BrokerClient

extension BrokerAuthError {
    /// What happened and what the user can do.
    var advice: String {
        switch self {
        case .signedOut: "you are not signed in: run sign-in"
        case .userCancelled: "the sign-in was cancelled"
        case .handoffTimeout, .deviceCodeExpired: "the sign-in took too long: run the command again"
        case .recentLoginRequired: "your last sign-in is too long ago: run sign-in again"
        case .accountMerged(let userID): "your accounts were merged into \(userID): run the command again"
        case .storageLocked: "the session cannot be read now: try again later"
        case .storageFailed(let reason), .notConfigured(let reason): reason
        case .network(let failure): Self.advice(failure)
        case .accountExists: "this account of the provider belongs to another user"
        case .providerAlreadyLinked: "an account of this provider is linked already"
        case .server(let code, let message): "\(code): \(message)"
        case .invalidToken(let rule): rule
        default: text(in: ["en"])
        }
    }

    private static func advice(_ failure: NetworkFailure) -> String {
        switch failure.reason {
        case .unreachable, .timedOut: "the broker cannot be reached: check the network and try again"
        case .insecure: "the broker's address is not https, or its certificate is not trusted"
        case .unavailable: "the broker cannot answer now: try again later"
        case .invalidResponse: "the answer is not the broker's: check its address and the network"
        }
    }
}
