import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ProviderKit

/// An error of a request: HTTP status, stable code and text, which each API words in its own ``ErrorEnvelope``.
///
/// Business errors are HTTP 400 with a stable code, but for those whose ``BrokerError/Category`` has another status
/// (contract §1.5).
struct WireError: Error, Sendable {
    /// Google's canonical status names.
    enum Status: String, Sendable {
        case invalidArgument = "INVALID_ARGUMENT"
        case failedPrecondition = "FAILED_PRECONDITION"
        case unauthenticated = "UNAUTHENTICATED"
        case permissionDenied = "PERMISSION_DENIED"
        case notFound = "NOT_FOUND"
        case notImplemented = "NOT_IMPLEMENTED"
        case unavailable = "UNAVAILABLE"
    }

    var httpStatus: HTTPResponse.Status = .badRequest
    /// Absent for business errors.
    var status: Status?
    /// The stable code of a business error; an error of the transport has none.
    var code: String?
    /// The text for developers; nil where the code says all.
    var text: String?
    var reason = "invalid"
    var domain: String? = "global"
    var headers = HTTPFields()
    /// Whether the request met a rate limit, for which OAuth has an HTTP status.
    var isTooManyAttempts = false

    /// The code alone, the text alone, or `CODE : text`.
    var message: String { code.map { ErrorCode.message($0, text) } ?? text ?? "" }

    /// A business error.
    static func code(_ code: ErrorCode, _ text: String? = nil) -> WireError {
        WireError(code: code.rawValue, text: text)
    }

    /// A field of the body has the wrong type or place; `path` is a JSON Pointer.
    static func field(_ path: String, _ rule: String) -> WireError {
        WireError(status: .invalidArgument, text: "Invalid JSON payload received. \(path) \(rule)")
    }

    /// The body is no JSON at all.
    static func malformedJSON(_ reason: String) -> WireError {
        WireError(
            status: .invalidArgument, text: "Invalid JSON payload received. \(reason)", reason: "parseError")
    }

    /// The request breaks a rule of the transport.
    static func badRequest(_ text: String) -> WireError {
        WireError(status: .invalidArgument, text: text, reason: "badRequest")
    }

    static let missingAPIKey = WireError(
        httpStatus: .forbidden, status: .permissionDenied, text: "The request is missing a valid API key.",
        reason: "forbidden")
    static let unknownAPIKey = WireError(
        status: .invalidArgument, text: "API key not valid. Please pass a valid API key.", reason: "badRequest")
    static let notFound = WireError(
        httpStatus: .notFound, status: .notFound, text: "Not Found", reason: "notFound", domain: nil)

    /// The body is larger than this number of bytes.
    static func bodyTooLarge(_ maximum: Int) -> WireError {
        WireError(
            httpStatus: .contentTooLarge, status: .invalidArgument,
            text: "The request body is larger than \(maximum >> 10) KiB.", reason: "uploadTooLarge")
    }

    /// A field whose feature is not there.
    static func notImplemented(_ text: String) -> WireError {
        WireError(
            httpStatus: .notImplemented, status: .notImplemented, text: text, reason: "unimplemented")
    }

    static func methodNotAllowed(_ method: String, allowed: [String]) -> WireError {
        WireError(
            httpStatus: .methodNotAllowed, status: .invalidArgument, text: "Method \(method) is not allowed here.",
            reason: "httpMethodNotAllowed", headers: [.allow: allowed.joined(separator: ", ")])
    }

    /// The bearer token belongs to no valid admin credential.
    static let invalidCredentials = WireError(
        httpStatus: .unauthorized, status: .unauthenticated, text: "Invalid Credentials", reason: "authError",
        headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
    /// An admin credential is required, and the request has no bearer token.
    static let missingCredentials = WireError(
        httpStatus: .unauthorized, status: .unauthenticated,
        text: "The request is missing a required authentication credential.", reason: "required",
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
            httpStatus: .forbidden, status: .permissionDenied, code: ErrorCode.insufficientPermission.rawValue,
            text: ErrorCode.missingScope(need), reason: "insufficientPermissions", headers: headers)
    }
}

extension WireError {
    /// The error of a flow.
    init(_ error: BrokerError) {
        let definition = error.definition
        self = .code(definition.code, definition.text)
        if let seconds = definition.retryAfter { headers[.retryAfter] = String(seconds) }
        // No `default`: a new category does not compile until its status is decided.
        switch definition.category {
        case .invalidDeviceSecret: (httpStatus, status) = (.unauthorized, .unauthenticated)
        case .missingScope:
            (httpStatus, status, reason) = (.forbidden, .permissionDenied, "insufficientPermissions")
        case .rateLimited: isTooManyAttempts = true
        case .endedSession, .endedLogin, .invalidToken, .invalidCustomToken, .loginTooOld, .stepUpRequired,
            .invalidCredential, .unusableCredential, .cancelled, .providerUnavailable, .providerMisconfigured,
            .profileUnusable, .unknownAttempt, .attemptOfAnother, .disabledUser, .otherUser, .notAdmitted,
            .identityLinked,
            .providerLinked, .emailTaken, .lastSignInMethod, .signUpOff, .deletionOff, .deviceRateLimited,
            .invalidRequest:
            break
        }
    }
}

extension Response {
    /// A JSON answer that no cache keeps.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        json(value.serializedBytes(), status: status)
    }

    /// The same of a document that is written already.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ByteBuffer(bytes: bytes))
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
