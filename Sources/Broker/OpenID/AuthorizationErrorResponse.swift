extension OAuthError {
    /// The parameters of the authorization endpoint's error response (RFC 6749 §4.1.2.1). The texts are the broker's own:
    /// a provider's words are never repeated.
    var parameters: [(name: String, value: String)] {
        [("error", code?.rawValue), ("error_description", description)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }
}

extension OAuthError {
    /// The error response for a sign-in that failed. The texts name no provider.
    ///
    /// No `default`: a new error does not compile until it is decided whether the user was refused (`access_denied`) or
    /// something broke (`server_error`, RFC 6749 §4.1.2.1).
    init(_ error: BrokerError) {
        switch error {
        case .cancelledAtProvider: self.init(.accessDenied, "The user declined at the provider.")
        case .userDisabled: self.init(.accessDenied, "The user is disabled.")
        case .userMismatch: self.init(.loginRequired, "The signed-in user differs from id_token_hint.")
        case .credentialRejected, .authorizationCodeRejected, .authorizationCodeRequired, .codeNotBound,
            .codeOfOwnCallback,
            .missingOrInvalidNonce, .idTokenAlreadyUsed, .credentialKindNotAccepted, .deviceCodeExpired,
            .providerAnswerUnusable, .invalidDeviceSecret, .deviceClaimedByAnotherUser:
            self.init(.accessDenied, "The provider does not verify the user.")
        case .identityAlreadyLinked, .emailHeldByAnotherUser, .providerAlreadyLinked, .noAccount, .anonymousSignInOff,
            .lastSignInMethod, .invalidEmail, .mergeConflict, .insufficientPermission, .providerCodeExpired,
            .providerCodeRequired, .providerNotLinked, .signUpOff, .deletionOff, .needConfirmation:
            self.init(.accessDenied, "The broker's policy does not admit this identity.")
        case .recentLoginRequired: self.init(.loginRequired, "The login is too old for this.")
        case .stepUpRequired(let text): self.init(.loginRequired, text)
        case .missingIDToken, .invalidIDToken, .tokenExpired, .userNotFound, .invalidRefreshToken,
            .refreshTokenExpired, .signInAttemptOfAnother, .signInAttemptUnknown, .invalidPendingToken,
            .sessionNotFound:
            self.init(.loginRequired, "The user's session or sign-in has ended meanwhile.")
        case .providerUnavailable:
            self.init(.temporarilyUnavailable, "The provider did not answer.")
        case .tooManyAttempts, .tooManyDeviceAttempts:
            self.init(.temporarilyUnavailable, "Too many sign-ins; try again later.")
        case .unknownProvider, .operationNotAllowed, .deviceSignInNotOffered, .providerMisconfigured,
            .mergeNotFound, .invalidCustomToken, .tenantMismatch, .missingIdentifier, .invalidClaims,
            .claimsTooLarge, .forbiddenClaim, .duplicateLocalID, .invalidLocalID, .configuration:
            self.init(.serverError, "The sign-in could not be finished; the broker's log has the reason.")
        }
    }
}
