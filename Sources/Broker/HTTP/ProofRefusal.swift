import HTTPTypes

/// An error that refuses a proof: a token, a secret or a code that is not valid.
protocol ProofRefusal: Error {
    /// Whether this error is one.
    var isProofRefused: Bool { get }
}

extension BrokerError: ProofRefusal {
    var isProofRefused: Bool {
        switch self {
        case .invalidIDToken, .invalidRefreshToken, .invalidCustomToken, .invalidPendingToken, .invalidDeviceSecret,
            .credentialRejected, .authorizationCodeRejected, .missingOrInvalidNonce, .idTokenAlreadyUsed,
            .signInAttemptUnknown, .signInAttemptOfAnother:
            true
        default: false
        }
    }
}

extension WireError: ProofRefusal {
    var isProofRefused: Bool { httpStatus == .unauthorized && status == "UNAUTHENTICATED" && reason == "authError" }
}
