import BrokerStore
import Crypto
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import ProviderKit

/// The first and last handler of every request.
///
/// It refuses malformed requests, answers CORS, calls the handler of the route, turns errors into the envelope of the
/// API, and writes the request log.
struct Edge: Sendable {
    let table: RouteTable
    let cors: CrossOrigin
    let hosts: AllowedHosts
    let clientAddress: ClientAddress
    let limiter: RateLimiter
    let logger: Logger
    /// The page for a browser that opens an unknown path.
    var notFoundPage: (@Sendable (Request, BrokerRequestContext) -> Response)?
    /// Takes what the requests of known paths come to.
    var outcomes: OutcomeRecorder?

    /// The answer to a request.
    @concurrent
    func respond(to request: Request, on connection: ClientConnection) async -> Response {
        var response = await tracedAnswer(to: request, on: connection)
        response.headers.append(HTTPField(name: .date, value: SecondText.httpDate(at: Date())))
        // A client takes what follows the head for its next answer (RFC 9110 §9.3.2).
        return request.method == .head ? response.withoutBody : response
    }

    private func tracedAnswer(to request: Request, on connection: ClientConnection) async -> Response {
        let requestID = RequestID.make()
        var logger = logger
        logger[metadataKey: "request_id"] = "\(requestID)"
        guard let trace = TraceContext(request) else {
            return await withLogger(logger) { await answer(request, requestID, connection, $0) }
        }
        trace.note(in: &logger)
        return await TraceContext.$current.withValue(trace) { [logger] in
            await withLogger(logger) { await answer(request, requestID, connection, $0) }
        }
    }

    private func answer(
        _ request: Request, _ requestID: String, _ connection: ClientConnection, _ logger: Logger
    ) async -> Response {
        let start = ContinuousClock.now
        RouteMetrics.requestBegan()
        defer { RouteMetrics.requestEnded() }
        let path = Self.normalised(request.head.path ?? "/")
        let match = table.match(path.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(path[..<$0]) } ?? path)
        let permission = permission(request, match)
        let client = clientAddress.client(of: request, on: connection)
        if client.network == nil { limiter.noteUnknownClient() }
        let admission = RequestAdmission(client.network, limiter)
        var response = await RequestAdmission.$current.withValue(admission) {
            do {
                try check(request, path: path, localPort: connection.localPort)
                if let preflight = cors.preflight(request, permission) {
                    try RequestAdmission.current?.countPreflight()
                    return preflight
                }
                let context = BrokerRequestContext(
                    client: client, requestID: requestID, parameters: match?.parameters ?? [:],
                    reason: AdministratorReason.of(request.headers), userAgent: request.headers[.userAgent])
                return try await handle(request, path: path, match, context)
            } catch {
                return self.response(to: error, in: match?.envelope ?? table.envelope)
            }
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.xRequestID] = requestID
        cors.decorate(&response, permission)
        let duration = ContinuousClock.now - start
        (match?.operation(request.method)?.metrics ?? .unmatched).answered(response.status.code, after: duration)
        let outcome = admission.noted
        // Unknown paths are asked for by strangers, and say nothing of a sign-in.
        if let match, let outcomes {
            outcomes.take(
                outcome, requestID: requestID, route: match.template, status: response.status.code,
                from: client.network, limiter)
        }
        logger.info(
            RequestLine(
                method: request.method.rawValue, route: match?.template ?? "unmatched",
                status: response.status.code, microseconds: duration.nanoseconds / 1000, client: client.hash,
                refusal: outcome.code == nil ? nil : outcome))
        return response
    }

    private func handle(
        _ request: Request, path: String, _ match: RouteTable.Match?, _ context: BrokerRequestContext
    ) async throws -> Response {
        guard let match else {
            try RequestAdmission.current?.countUnproven()
            guard request.acceptsPage, let page = notFoundPage?(request, context) else { throw WireError.notFound }
            return page
        }
        guard let operation = match.operation(request.method) else {
            throw WireError.methodNotAllowed(request.method.rawValue, allowed: match.methods.map(\.rawValue))
        }
        guard path != request.head.path else { return try await operation.handler(request, context) }
        var head = request.head
        head.path = path
        return try await operation.handler(Request(head: head, body: request.body), context)
    }

    /// No other site's script reads a hosted page, whatever the API keys allow.
    private func permission(_ request: Request, _ match: RouteTable.Match?) -> CrossOrigin.Permission {
        cors.permission(request, for: match?.pages ?? (request.acceptsPage ? .none : .ofAPIKeys))
    }

    /// - Throws: ``WireError`` for what the parser lets through and no client has a reason to send.
    private func check(_ request: Request, path: String, localPort: Int?) throws(WireError) {
        guard let authority = request.head.authority, request.headers[.host] == nil else {
            throw .badRequest("Exactly one Host header is expected.")
        }
        // Health probes name the address as host; they learn the state only.
        guard hosts.contains(authority, localPort: localPort) || path == "/healthz" || path == "/readyz" else {
            throw .badRequest("This broker does not answer for that host.")
        }
        let isPlain = path.utf8.first == UInt8(ascii: "/") && path.isASCII(from: 0x21)
        guard isPlain, path.utf8.count <= 8192 else { throw .badRequest("The request target must be printable ASCII.") }
        guard Self.isText(path) else {
            throw .badRequest("The request target must be UTF-8 without NUL once it is decoded.")
        }
        for field in request.headers {
            guard field.value.isASCII(from: 0x20, or: 0x09) else {
                throw .badRequest("Header \(field.name.rawName) must be printable ASCII.")
            }
        }
        guard request.headers[.xHTTPMethodOverride] == nil else {
            throw .badRequest("Methods are not overridden here.")
        }
    }

    /// Whether the escapes of a request target stand for UTF-8 (RFC 3986 §2.5) without U+0000.
    private static func isText(_ target: String) -> Bool {
        // Foundation reads bytes that are no UTF-8 as replacement characters.
        !target.utf8.contains(UInt8(ascii: "%")) || FormEncoding.decode(target.utf8) != nil
    }

    private func response(to error: any Error, in envelope: ErrorEnvelope) -> Response {
        switch RequestAdmission.judge(error) {
        case let error as WireError:
            RequestAdmission.note(code: error.code ?? error.reason)
            return envelope.response(error)
        case let error as BrokerError:
            RequestAdmission.note(error)
            return envelope.response(WireError(error))
        case let error as StoreError:
            RequestAdmission.note(code: error.isOurs ? "internalError" : "storeUnavailable")
            Logger.current.error("store", metadata: ["kind": "\(error.kind.rawValue)", "reason": "\(error.reason)"])
            return error.isOurs ? Self.failed(envelope) : Self.storeUnavailable()
        case let error as InternalError:
            Logger.current.error("internal error", metadata: ["reason": "\(error.reason)"])
            RequestAdmission.note(code: "internalError")
            if case .uniqueKeyTaken = error { return Self.conflict() }
            return Self.failed(envelope)
        case is HTTPParserError, is CancellationError, is ChannelError, is IOError:
            // The client closed the connection, or its body is malformed.
            RequestAdmission.note(code: "brokenOff")
            return envelope.response(.badRequest("The request broke off."))
        default:
            Logger.current.error("unexpected error", metadata: ["type": "\(type(of: error))"])
            RequestAdmission.note(code: "internalError")
            return Self.failed(envelope)
        }
    }

    private static func storeUnavailable() -> Response {
        plain(.serviceUnavailable, "The broker's store is not available. Try again.", [.retryAfter: "1"])
    }

    private static func conflict() -> Response {
        plain(.serviceUnavailable, "The request met another one. Try again.", [.retryAfter: "1"])
    }

    private static func failed(_ envelope: ErrorEnvelope) -> Response {
        envelope.failure?() ?? plain(.internalServerError, "The broker failed. The reason is in its log.")
    }

    /// Plain text on purpose: the JavaScript SDK signs its user out on any JSON error here (contract §0, security §2).
    private static func plain(
        _ status: HTTPResponse.Status, _ text: String, _ fields: HTTPFields = [:]
    ) -> Response {
        var response = Response(
            status: status, headers: fields, body: ByteBuffer(string: text + "\n"))
        response.headers[.contentType] = "text/plain; charset=utf-8"
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Some HTTP libraries percent-encode the colon of `accounts:signUp`.
    private static func normalised(_ target: String) -> String {
        let split = target.firstIndex(of: "?") ?? target.endIndex
        guard target[..<split].utf8.contains(UInt8(ascii: "%")) else { return target }
        let path = target[..<split].replacingOccurrences(of: "%3A", with: ":", options: .caseInsensitive)
        return path + target[split...]
    }
}

extension StoreError {
    /// Whether the broker caused the error. Every other kind means that the store cannot serve at present, which must not
    /// look like a refusal of the client's session.
    var isOurs: Bool {
        switch kind {
        case .constraint, .rowKeyTaken, .misuse: true
        case .busy, .unavailable, .outcomeUnknown, .diskFull, .closed, .corrupt, .foreignFile, .fileExists,
            .newerSchema, .readOnly, .moved, .unfinished:
            false
        }
    }
}

extension String {
    /// Whether every byte is ASCII from `first` to the tilde, or `other`.
    fileprivate func isASCII(from first: UInt8, or other: UInt8 = 0x7E) -> Bool {
        var text = self
        return text.withUTF8 { bytes in bytes.allSatisfy { $0 >= first && $0 <= 0x7E || $0 == other } }
    }
}

extension HTTPField.Name {
    static let xRequestID = known("X-Request-Id")
    static let xHTTPMethodOverride = known("X-HTTP-Method-Override")
    static let host = known("Host")

    static func known(_ name: String) -> Self {
        // Only the constants above come here, and all of them are tokens (RFC 9110 §5.6.2).
        guard let name = HTTPField.Name(name) else { preconditionFailure() }
        return name
    }
}
