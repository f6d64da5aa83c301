import BrokerClient

extension BrokerAuthError {
    /// What happened and what the user can do: the library's text, or the command that helps.
    var advice: String {
        switch self {
        case .signedOut: "you are not signed in: run sign-in"
        case .handoffTimeout, .deviceCodeExpired: "the sign-in took too long: run the command again"
        case .recentLoginRequired: "your last sign-in is too long ago: run reauthenticate"
        case .accountMerged(let userID): "your accounts were merged into \(userID): run the command again"
        case .storageFailed(let reason), .notConfigured(let reason): reason
        default: text(in: ["en"])
        }
    }
}
