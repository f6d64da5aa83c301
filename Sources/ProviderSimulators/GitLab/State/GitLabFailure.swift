/// The errors of the OAuth endpoints, in the words of the library GitLab is built on.
enum GitLabFailure {
    static let invalidClient: OAuthFailure = {
        let description =
            "Client authentication failed due to unknown client, no client authentication included, or unsupported "
            + "authentication method."
        return OAuthFailure(
            "invalid_client", description, status: 401,
            challenge: doorkeeperChallenge("invalid_client", description))
    }()

    static let invalidGrant = OAuthFailure(
        "invalid_grant",
        "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the "
            + "authorization request, or was issued to another client.")

    static let invalidRequest = OAuthFailure(
        "invalid_request",
        "The request is missing a required parameter, includes an unsupported parameter value, or is otherwise "
            + "malformed.")

    static let invalidScope = OAuthFailure(
        "invalid_scope", "The requested scope is invalid, unknown, or malformed.")

    static let twoMechanisms = OAuthFailure(
        "invalid_request", "The request utilizes more than one mechanism for authenticating the client.")

    static let challengeRequired = OAuthFailure("invalid_request", "Code challenge is required.")

    static let invalidChallengeMethod = OAuthFailure(
        "invalid_code_challenge_method", "The code_challenge_method must be one of plain, S256.")

    static let unsupportedGrantType = OAuthFailure(
        "unsupported_grant_type", "The authorization grant type is not supported by the authorization server.")

    static let unsupportedResponseType = OAuthFailure(
        "unsupported_response_type", "The authorization server does not support this response type.")

    static let unsupportedResponseMode = OAuthFailure(
        "unsupported_response_mode", "The authorization server does not support this response mode.")

    static let accessDenied = OAuthFailure(
        "access_denied", "The resource owner or authorization server denied the request.")

    static let loginRequired = OAuthFailure(
        "login_required", "The authorization server requires end-user authentication")

    static let consentRequired = OAuthFailure(
        "consent_required", "The authorization server requires end-user consent")

    static let notYoursToRevoke = OAuthFailure(
        "unauthorized_client", "You are not authorized to revoke this token", status: 403)

    static let authorizationPending = OAuthFailure(
        "authorization_pending", "The authorization request is still pending as the end user hasn't yet completed it.")

    static let slowDown = OAuthFailure(
        "slow_down", "The polling interval must be increased for this and all subsequent requests.")

    static let expiredToken = OAuthFailure(
        "expired_token", "The device code has expired. A new device authorization request may be started.")

    static func missing(_ parameter: String) -> OAuthFailure {
        OAuthFailure("invalid_request", "Missing required parameter: \(parameter).")
    }

    /// The answer of `/oauth/userinfo` about a token.
    static func invalidToken(_ problem: GitLabTokenProblem) -> OAuthFailure {
        let description =
            switch problem {
            case .missing, .unknown: "The access token is invalid"
            case .expired: "The access token expired"
            case .revoked: "The access token was revoked"
            }
        return OAuthFailure(
            "invalid_token", description, status: 401, challenge: doorkeeperChallenge("invalid_token", description))
    }

    private static func doorkeeperChallenge(_ code: String, _ description: String) -> String {
        #"Bearer realm="Doorkeeper", error="\#(code)", error_description="\#(description)""#
    }
}
