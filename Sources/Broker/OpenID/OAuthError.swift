import HTTPTypes
import Hummingbird
import ProviderKit

/// An error as OAuth clients see it: the JSON of RFC 6749 §5.2. The texts are for developers and never repeat what was
/// sent.
struct OAuthError: Error, Sendable, Equatable {
    var status = HTTPResponse.Status.badRequest
    /// One of the registered codes (RFC 6749 §5.2, RFC 6750 §3.1, RFC 8628 §3.5); absent when the request names no token
    /// at all (RFC 6750 §3.1).
    var code: String?
    var text: String?
    /// The value of `WWW-Authenticate`, for 401 and 403.
    var challenge: String?

    static func invalidRequest(_ text: String) -> OAuthError { OAuthError(code: "invalid_request", text: text) }
    static func invalidGrant(_ text: String) -> OAuthError { OAuthError(code: "invalid_grant", text: text) }

    /// The client is not who it says it is.
    static func invalidClient(_ text: String) -> OAuthError {
        OAuthError(
            status: .unauthorized, code: "invalid_client", text: text,
            challenge: #"Basic realm="broker", charset="UTF-8""#)
    }

    static let unsupportedGrantType = OAuthError(
        code: "unsupported_grant_type", text: "The discovery document lists what grant_type may be.")

    /// The bearer token counts no more, or never did (RFC 6750 §3.1).
    static let invalidToken = OAuthError.bearer(
        .unauthorized, "invalid_token", "The access token is unknown, has expired, or its session has ended.")

    static let missingToken = OAuthError(status: .unauthorized, challenge: #"Bearer realm="broker""#)

    /// A bearer token that is good for something else.
    static func insufficientScope(_ scope: String) -> OAuthError {
        var error = bearer(.forbidden, "insufficient_scope", "The access token lacks the scope \(scope).")
        error.challenge?.append(#", scope="\#(scope)""#)
        return error
    }

    private static func bearer(_ status: HTTPResponse.Status, _ code: String, _ text: String) -> OAuthError {
        OAuthError(
            status: status, code: code, text: text,
            challenge: #"Bearer realm="broker", error="\#(code)", error_description="\#(text)""#)
    }

    func response() -> Response {
        var body = JSONObject()
        body["error"] = code.map(JSONValue.string)
        body["error_description"] = text.map(JSONValue.string)
        var response = Response.json(.object(body), status: status)
        response.headers[.wwwAuthenticate] = challenge
        return response
    }
}

extension OAuthError {
    /// No `default`: a new reason does not compile until it has a row here.
    init(_ error: AuthorizationError) {
        self =
            switch error {
            case .invalidClient(let text): .invalidClient(text)
            case .invalidGrant(let text): .invalidGrant(text)
            case .invalidScope(let text): OAuthError(code: "invalid_scope", text: text)
            case .unauthorizedClient(let text): OAuthError(code: "unauthorized_client", text: text)
            }
    }

    /// What went wrong before the request was understood, or where nobody expected it.
    init(_ error: WireError) {
        status = error.httpStatus
        code = status.kind == .serverError ? "server_error" : "invalid_request"
        text = error.message
    }

    init(_ error: ParameterError) {
        self = .invalidRequest(error.text)
        if error == .tooLarge { status = .contentTooLarge }
    }
}

extension ErrorEnvelope {
    /// The JSON of RFC 6749 §5.2.
    static let oauth = ErrorEnvelope { error in
        var response = OAuthError(error).response()
        for field in error.headers { response.headers[field.name] = field.value }
        return response
    }
}
