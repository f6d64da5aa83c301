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
    /// No `default`: a new category does not compile until it is decided whether the user was refused (`access_denied`) or
    /// something broke (`server_error`, RFC 6749 §4.1.2.1).
    init(_ error: BrokerError) {
        switch error.category {
        case .cancelled: self.init(.accessDenied, "The user declined at the provider.")
        case .disabledUser: self.init(.accessDenied, "The user is disabled.")
        case .otherUser: self.init(.loginRequired, "The signed-in user differs from id_token_hint.")
        case .invalidCredential, .unusableCredential, .invalidDeviceSecret:
            self.init(.accessDenied, "The provider does not verify the user.")
        case .notAdmitted, .identityLinked, .providerLinked, .emailTaken, .lastSignInMethod, .signUpOff, .deletionOff:
            self.init(.accessDenied, "The broker's policy does not admit this identity.")
        case .loginTooOld, .stepUpRequired:
            self.init(.loginRequired, error.text ?? "The login is too old for this.")
        case .endedSession, .endedLogin, .invalidToken, .unknownAttempt, .attemptOfAnother:
            self.init(.loginRequired, "The user's session or sign-in has ended meanwhile.")
        case .providerUnavailable: self.init(.temporarilyUnavailable, "The provider did not answer.")
        case .rateLimited, .deviceRateLimited:
            self.init(.temporarilyUnavailable, "Too many sign-ins; try again later.")
        case .profileUnusable:
            self.init(.serverError, "The provider did not show who the user is; the broker's log has the reason.")
        case .providerMisconfigured, .invalidCustomToken, .invalidRequest, .missingScope:
            self.init(.serverError, "The sign-in could not be finished; the broker's log has the reason.")
        }
    }
}
