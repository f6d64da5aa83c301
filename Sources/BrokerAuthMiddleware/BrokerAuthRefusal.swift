import Foundation
public import HTTPTypes
public import Hummingbird
import NIOCore

/// The reason that a request is refused. Thrown from a handler or a middleware it becomes the response of RFC 6750 §3,
/// with `WWW-Authenticate` and a JSON body that has `error` and `error_description`.
public enum BrokerAuthRefusal: Error, Sendable, Hashable {
    /// The request has no token: 401 without an error code.
    case missingToken
    /// The request names its token in an ambiguous or malformed way: 400 `invalid_request`.
    case invalidRequest(String)
    /// The token is malformed, of a kind that is not accepted, expired or revoked: 401 `invalid_token`.
    case invalidToken(String)
    /// The token lacks one of these scopes: 403 `insufficient_scope`.
    case insufficientScope([String])
    /// The user's login is older than this many seconds: 401 `insufficient_user_authentication` (RFC 9470 §3).
    case insufficientUserAuthentication(maximumAge: Int)
    /// The broker cannot be reached, so that the token cannot be judged: 503 with `Retry-After` in seconds.
    case unavailable(retryAfter: Int)
    /// A route requires what this ``BrokerTokens`` was not configured for: 500. The reason is in the log only.
    case notConfigured(String)
}

extension BrokerAuthRefusal: HTTPResponseError {
    /// The HTTP status.
    public var status: HTTPResponse.Status {
        switch self {
        case .missingToken, .invalidToken, .insufficientUserAuthentication: .unauthorized
        case .invalidRequest: .badRequest
        case .insufficientScope: .forbidden
        case .unavailable: .serviceUnavailable
        case .notConfigured: .internalServerError
        }
    }

    /// The response of RFC 6750 §3; never stored by caches.
    public func response(from request: Request, context: some RequestContext) -> Response {
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
        headers[.wwwAuthenticate] = challenge
        if case .unavailable(let seconds) = self { headers[.retryAfter] = String(seconds) }
        var body = JSONObject()
        body["error"] = code.map(JSONValue.string)
        body["error_description"] = text.map(JSONValue.string)
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: body.serialized())))
    }

    /// The value of `WWW-Authenticate`; nil where no token would help.
    private var challenge: String? {
        var challenge = #"Bearer realm="api""#
        switch self {
        case .missingToken: return challenge
        case .unavailable, .notConfigured: return nil
        case .invalidRequest, .invalidToken: break
        case .insufficientScope(let scopes): challenge += #", scope="\#(scopes.joined(separator: " "))""#
        case .insufficientUserAuthentication(let age): challenge += #", max_age="\#(age)""#
        }
        for (name, value) in [("error", code), ("error_description", text)] {
            if let value { challenge += #", \#(name)="\#(value)""# }
        }
        return challenge
    }

    private var code: String? {
        switch self {
        case .missingToken: nil
        case .invalidRequest: "invalid_request"
        case .invalidToken: "invalid_token"
        case .insufficientScope: "insufficient_scope"
        case .insufficientUserAuthentication: "insufficient_user_authentication"
        case .unavailable: "temporarily_unavailable"
        case .notConfigured: "server_error"
        }
    }

    /// Constant texts: nothing that was sent is repeated.
    private var text: String? {
        switch self {
        case .missingToken: nil
        case .invalidRequest(let text), .invalidToken(let text): text
        case .insufficientScope: "The token lacks a scope."
        case .insufficientUserAuthentication: "The login is too old. Sign in again."
        case .unavailable: "The token cannot be checked at present. Try again."
        case .notConfigured: "The service is not configured for this route."
        }
    }
}

extension BrokerAuthRefusal: CustomStringConvertible {
    /// For logs: the code and the details, without any part of a token.
    public var description: String {
        if case .notConfigured(let reason) = self { return reason }
        return [code ?? "no token", text].compactMap(\.self).joined(separator: ": ")
    }
}
