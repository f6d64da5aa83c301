import BrokerClient

extension SignOutReason {
    /// What the user reads.
    var explanation: String {
        switch self {
        case .requested: "You are signed out."
        case .accountDeleted: "Your account is deleted."
        case .endedByBroker: "Your session was ended. Sign in again."
        case .endedByAnotherProcess: "You signed out in another app."
        }
    }
}
