import BrokerClient

extension BrokerAuthError {
    /// The code of Firebase's SDKs that means the same, or the nearest. The one table of them.
    var code: AuthErrorCode {
        switch self {
        case .userCancelled, .cancelled: .webContextCancelled
        case .alreadyInProgress: .webContextAlreadyPresented
        case .handoffTimeout, .deviceCodeExpired, .missingCode, .stateMismatch, .unexpectedRedirect, .noPendingRequest:
            .webSignInUserInteractionFailure
        case .missingOrInvalidNonce: .missingOrInvalidNonce
        case .missingIdentityToken, .invalidTokenText, .credentialAlreadyUsed, .credentialRefused, .credentialExpired,
            .tokenCreationFailed, .reauthorizationRequired, .providerGrantRevoked:
            .invalidCredential
        case .needConfirmation: .accountExistsWithDifferentCredential
        case .accountExists: .credentialAlreadyInUse
        case .emailExists: .emailAlreadyInUse
        case .providerAlreadyLinked: .providerAlreadyLinked
        case .userDisabled: .userDisabled
        case .userNotFound, .accountNotFound: .userNotFound
        case .userMismatch, .accountMerged: .userMismatch
        case .signedOut, .tokenExpired: .userTokenExpired
        case .recentLoginRequired: .requiresRecentLogin
        case .lastSignInMethod, .operationNotAllowed, .scopeMissing: .operationNotAllowed
        case .adminOnlyOperation: .adminRestrictedOperation
        case .insufficientPermission: .appNotAuthorized
        case .storageLocked, .storageFailed: .keychainError
        case .network(let failure): failure.reason == .unavailable(status: 429) ? .tooManyRequests : .networkError
        // What Firebase's API has no call for, and faults of the app or its registration.
        default: .internalError
        }
    }
}
