import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ProviderKit

/// An error of a request: HTTP status, stable code and text, which each API words in its own ``ErrorEnvelope``.
///
/// Business errors are always HTTP 400 with a stable code; a text for developers stands after ` : ` (contract §1.5).
struct WireError: Error, Sendable {
    var httpStatus: HTTPResponse.Status = .badRequest
    /// Google's canonical status name; absent for business errors.
    var status: String?
    var message: String
    var reason = "invalid"
    var domain: String? = "global"
    var headers = HTTPFields()
    /// Whether the request met a rate limit, for which OAuth has an HTTP status.
    var isTooManyAttempts = false

    /// A business error.
    static func code(_ code: String, _ text: String? = nil) -> WireError {
        WireError(message: text.map { "\(code) : \($0)" } ?? code)
    }

    /// A field of the body has the wrong type or place; `path` is a JSON Pointer.
    static func field(_ path: String, _ rule: String) -> WireError {
        WireError(status: "INVALID_ARGUMENT", message: "Invalid JSON payload received. \(path) \(rule)")
    }

    /// The body is no JSON at all.
    static func malformedJSON(_ reason: String) -> WireError {
        WireError(
            status: "INVALID_ARGUMENT", message: "Invalid JSON payload received. \(reason)", reason: "parseError")
    }

    /// The request breaks a rule of the transport.
    static func badRequest(_ text: String) -> WireError {
        WireError(status: "INVALID_ARGUMENT", message: text, reason: "badRequest")
    }

    static let missingAPIKey = WireError(
        httpStatus: .forbidden, status: "PERMISSION_DENIED", message: "The request is missing a valid API key.",
        reason: "forbidden")
    static let unknownAPIKey = WireError(
        status: "INVALID_ARGUMENT", message: "API key not valid. Please pass a valid API key.", reason: "badRequest")
    static let notFound = WireError(
        httpStatus: .notFound, status: "NOT_FOUND", message: "Not Found", reason: "notFound", domain: nil)

    /// The body is larger than this number of bytes.
    static func bodyTooLarge(_ maximum: Int) -> WireError {
        WireError(
            httpStatus: .contentTooLarge, status: "INVALID_ARGUMENT",
            message: "The request body is larger than \(maximum >> 10) KiB.", reason: "uploadTooLarge")
    }

    /// A field whose feature is not there.
    static func notImplemented(_ text: String) -> WireError {
        WireError(
            httpStatus: .notImplemented, status: "NOT_IMPLEMENTED", message: text, reason: "unimplemented")
    }

    static func methodNotAllowed(_ method: String, allowed: [String]) -> WireError {
        WireError(
            httpStatus: .methodNotAllowed, status: "INVALID_ARGUMENT", message: "Method \(method) is not allowed here.",
            reason: "httpMethodNotAllowed", headers: [.allow: allowed.joined(separator: ", ")])
    }

    /// The bearer token belongs to no valid admin credential.
    static let invalidCredentials = WireError(
        httpStatus: .unauthorized, status: "UNAUTHENTICATED", message: "Invalid Credentials", reason: "authError",
        headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
    /// An admin credential is required, and the request has no bearer token.
    static let missingCredentials = WireError(
        httpStatus: .unauthorized, status: "UNAUTHENTICATED",
        message: "The request is missing a required authentication credential.", reason: "required",
        headers: [.wwwAuthenticate: "Bearer"])

    /// The credential lacks the right that the path requires.
    ///
    /// - Parameters:
    ///   - need: The sentence that names what is needed. Scopes contain a colon, and firebase-admin takes everything before
    ///     the first one for the code, so the message begins with the code that SDKs know.
    ///   - headers: Further headers.
    /// - Returns: The error.
    static func insufficientPermission(_ need: String, headers: HTTPFields = HTTPFields()) -> WireError {
        WireError(
            httpStatus: .forbidden, status: "PERMISSION_DENIED",
            message: "INSUFFICIENT_PERMISSION : Request had insufficient authentication scopes. \(need)",
            reason: "insufficientPermissions", headers: headers)
    }
}

extension Response {
    /// A JSON answer that no cache keeps.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        var bytes: [UInt8] = []
        value.append(to: &bytes)
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// The form in which an API answers errors.
struct ErrorEnvelope: Sendable {
    let response: @Sendable (WireError) -> Response
    /// The answer to a failure of the broker itself (500); nil for plain text.
    let failure: (@Sendable () -> Response)?

    init(
        failure: (@Sendable () -> Response)? = nil, _ response: @escaping @Sendable (WireError) -> Response
    ) {
        self.response = response
        self.failure = failure
    }
}
