/// Why a client's authorization request is not granted, in the words it is told through the browser (RFC 6749 §4.1.2.1,
/// OpenID Connect Core §3.1.2.6). The set is closed: nothing a provider said ever stands there.
package struct AuthorizationRefusal: Error, Sendable, Equatable {
    package enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case accessDenied = "access_denied"
        case unsupportedResponseType = "unsupported_response_type"
        case invalidScope = "invalid_scope"
        case serverError = "server_error"
        case temporarilyUnavailable = "temporarily_unavailable"
        case loginRequired = "login_required"
        case interactionRequired = "interaction_required"
        case requestNotSupported = "request_not_supported"
        case requestURINotSupported = "request_uri_not_supported"
        case invalidRequestURI = "invalid_request_uri"
    }

    package let code: Code
    /// For the client's developer.
    package let text: String

    init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }
}
