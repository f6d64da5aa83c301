/// An error of the OAuth endpoints, which they answer with status 200.
struct GitHubOAuthFailure: Error, Sendable, Equatable {
    let code: String
    let description: String
    /// The new polling interval, in seconds, of `slow_down`.
    var interval: Int?

    private static let documentation = "https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps"

    init(_ code: String, _ description: String, interval: Int? = nil) {
        self.code = code
        self.description = description
        self.interval = interval
    }

    /// The page about this error, for token and device answers.
    var tokenErrorURI: String { uri("troubleshooting-oauth-app-access-token-request-errors") }

    /// The page about this error, for redirects.
    var authorizationErrorURI: String { uri("troubleshooting-authorization-request-errors") }

    private func uri(_ page: String) -> String {
        "\(Self.documentation)/\(page)/#\(code.replacing("_", with: "-"))"
    }

    static let accessDenied = Self("access_denied", "The user has denied your application access.")
    static let applicationSuspended = Self(
        "application_suspended", "Your application has been suspended. Contact support.")
    static let authorizationPending = Self("authorization_pending", "The authorization request is still pending.")
    static let badRefreshToken = Self("bad_refresh_token", "The refresh token passed is incorrect or expired.")
    static let badVerificationCode = Self("bad_verification_code", "The code passed is incorrect or expired.")
    static let deviceFlowDisabled = Self(
        "device_flow_disabled", "Device Flow must be explicitly enabled for this App")
    static let expiredToken = Self("expired_token", "The device code has expired.")
    static let incorrectClientCredentials = Self(
        "incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.")
    static let incorrectDeviceCode = Self("incorrect_device_code", "The device_code provided is not valid.")
    static let redirectURIMismatch = Self(
        "redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application.")
    static let unsupportedChallengeMethod = Self("invalid_request", "The code_challenge_method must be S256.")
    static let unsupportedGrantType = Self("unsupported_grant_type", "The grant type is not supported.")
    static let unverifiedUserEmail = Self("unverified_user_email", "The user must have a verified primary email.")

    static func slowDown(interval: Int) -> Self {
        Self("slow_down", "Too many requests have been made in the same timeframe.", interval: interval)
    }
}
