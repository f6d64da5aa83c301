import HTTPTypes

/// An error that refuses a proof: a token, a secret or a code that is not valid.
protocol ProofRefusal: Error {
    /// Whether this error is one.
    var isProofRefused: Bool { get }
}

extension BrokerError: ProofRefusal {
    var isProofRefused: Bool {
        switch category {
        case .invalidToken, .invalidCustomToken, .invalidDeviceSecret, .invalidCredential, .unknownAttempt,
            .attemptOfAnother:
            true
        case .endedSession, .endedLogin, .loginTooOld, .stepUpRequired, .unusableCredential, .cancelled,
            .providerUnavailable, .providerMisconfigured, .profileUnusable, .disabledUser, .otherUser, .notAdmitted,
            .identityLinked,
            .providerLinked, .emailTaken, .lastSignInMethod, .signUpOff, .deletionOff, .rateLimited,
            .deviceRateLimited, .invalidRequest, .missingScope:
            false
        }
    }
}

extension WireError: ProofRefusal {
    var isProofRefused: Bool { httpStatus == .unauthorized && status == .unauthenticated && reason == "authError" }
}
