import BrokerClient

extension BrokerAuthError {
    /// What the user reads, and can do.
    var advice: String {
        switch self {
        case .handoffTimeout: "The sign-in took too long. Try again."
        case .alreadyInProgress: "Another sign-in is open. Finish it first."
        case .recentLoginRequired: "Confirm that it is you, then try again."
        case .tokenCreationFailed: "Apple did not confirm your account. Sign out, sign in again, and repeat this."
        case .withdrawalFailed(let withdrawals):
            "Your account is deleted. Remove this app in your account's settings at "
                + withdrawals.filter(\.hasFailed).map(\.provider.rawValue).joined(separator: ", ") + " too."
        case .accountMerged: "Your accounts were merged. Look at your account, then try again."
        case .storageLocked: "Unlock the device, then try again."
        case .network: "The server cannot be reached. Check the network and try again."
        case .signedOut: "You are signed out. Sign in again."
        case .accountExists: "This account belongs to another user."
        case .userMismatch: "This is another user's account. Nothing was changed."
        case .lastSignInMethod: "Link another account first: this is your only way to sign in."
        default: "Something went wrong. Try again."
        }
    }
}

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
