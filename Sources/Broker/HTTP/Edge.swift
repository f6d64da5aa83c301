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
final class Edge: Sendable {
    private let table: RouteTable
    private let cors: CrossOrigin
    private let hosts: AllowedHosts
    private let clientAddress: ClientAddress
    private let limiter: RateLimiter
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let notFoundPage: (@Sendable (Request, BrokerRequestContext) -> Response)?
    private let outcomes: OutcomeRecorder?

    /// - Parameters:
    ///   - table: The paths that are served.
    ///   - cors: What scripts of other sites may read.
    ///   - hosts: The names that this broker answers for.
    ///   - clientAddress: Finds the client of a request.
    ///   - limiter: Counts requests.
    ///   - logger: Has the line of each request, and what goes wrong.
    ///   - now: The clock by which requests have their ids: like the keys of rows, it is not set back.
    ///   - notFoundPage: The page for a browser that opens an unknown path.
    ///   - outcomes: Takes what the requests of known paths come to.
    init(
        table: RouteTable, cors: CrossOrigin, hosts: AllowedHosts, clientAddress: ClientAddress, limiter: RateLimiter,
        logger: Logger, now: @escaping @Sendable () -> Date,
        notFoundPage: (@Sendable (Request, BrokerRequestContext) -> Response)? = nil,
        outcomes: OutcomeRecorder? = nil
    ) {
        (self.table, self.cors, self.hosts) = (table, cors, hosts)
        (self.clientAddress, self.limiter, self.logger) = (clientAddress, limiter, logger)
        (self.now, self.notFoundPage, self.outcomes) = (now, notFoundPage, outcomes)
    }

    /// Answers a request at once where nothing has to be awaited: what is refused before its handler begins, and what is at
    /// hand.
    func respond(to request: Request, on connection: ClientConnection) -> RequestHandler.Answer {
        let exchange = Exchange(request, on: connection, self)
        do {
            try check(exchange, on: connection)
            if let preflight = cors.preflight(request, exchange.permission) {
                try admission(of: exchange).countPreflight()
                return .immediate(finish(exchange, preflight))
            }
            let request = exchange.normalisedRequest
            switch try handler(of: exchange) {
            case .immediate(let handler):
                return .immediate(finish(exchange, try handler(request, exchange.context)))
            case .awaited(let handler):
                let taskLocals = taskLocals(of: exchange)
                return .awaited { [self] in
                    do {
                        let response = try await taskLocals.run { try await handler(request, exchange.context) }
                        return finish(exchange, response, taskLocals.admission.noted)
                    } catch {
                        return finish(exchange, failedBy: error, taskLocals)
                    }
                }
            }
        } catch {
            return .immediate(finish(exchange, failedBy: error, taskLocals(of: exchange)))
        }
    }

    private func admission(of exchange: Exchange) -> RequestAdmission {
        RequestAdmission(exchange.context.client.network, limiter)
    }

    private func taskLocals(of exchange: Exchange) -> TaskLocals {
        var logger = logger
        logger[metadataKey: "request_id"] = "\(exchange.context.requestID)"
        exchange.trace?.note(in: &logger)
        return TaskLocals(admission: admission(of: exchange), trace: exchange.trace, logger: logger)
    }

    private func finish(_ exchange: Exchange, failedBy error: any Error, _ taskLocals: TaskLocals) -> Response {
        let answer = taskLocals.run { response(to: error, in: exchange.match?.envelope ?? table.envelope) }
        return finish(exchange, answer, taskLocals.admission.noted)
    }

    private func finish(
        _ exchange: Exchange, _ response: Response, _ outcome: RequestOutcome = RequestOutcome()
    ) -> Response {
        var response = response
        cors.decorate(&response, exchange.permission)
        let end = response.headers.endIndex
        response.headers.replaceSubrange(
            end..<end,
            with: [
                Self.noSniffing, HTTPField(name: .xRequestID, value: exchange.context.requestID),
                HTTPField(name: .date, value: SecondText.httpDate(at: Date())),
            ])
        let duration = ContinuousClock.now - exchange.start
        RouteMetrics.requestEnded()
        let (request, match, client) = (exchange.request, exchange.match, exchange.context.client)
        (match?.operation(request.method)?.metrics ?? .unmatched).answered(response.status.code, after: duration)
        // Unknown paths are asked for by strangers, and say nothing of a sign-in.
        if let match, let outcomes {
            outcomes.take(
                outcome, requestID: exchange.context.requestID, route: match.template, status: response.status.code,
                from: client.network, limiter)
        }
        logger.info(
            RequestLine(
                requestID: exchange.context.requestID, method: request.method.rawValue,
                route: match?.template ?? "unmatched", status: response.status.code,
                microseconds: duration.nanoseconds / 1000, client: client.hash, trace: exchange.trace,
                refusal: outcome.code == nil ? nil : outcome))
        // A client takes what follows the head for its next answer (RFC 9110 §9.3.2).
        return request.method == .head ? response.withoutBody : response
    }

    private static let noSniffing = HTTPField(name: .xContentTypeOptions, value: "nosniff")

    /// - Throws: ``WireError`` for a path or a method that is not served.
    private func handler(of exchange: Exchange) throws -> RouteTable.Operation.Handler {
        guard let match = exchange.match else {
            guard exchange.request.acceptsPage, let notFoundPage else { throw WireError.notFound }
            try admission(of: exchange).countUnproven()
            return .immediate(notFoundPage)
        }
        guard let operation = match.operation(exchange.request.method) else {
            throw WireError.methodNotAllowed(exchange.request.method.rawValue, allowed: match.methods.map(\.rawValue))
        }
        return operation.handler
    }

    /// No other site's script reads a hosted page, whatever the API keys allow.
    fileprivate func permission(_ request: Request, _ match: RouteTable.Match?) -> CrossOrigin.Permission {
        cors.permission(request, for: match?.pages ?? (request.acceptsPage ? .none : .ofAPIKeys))
    }

    /// - Throws: ``WireError`` for what the parser lets through and no client has a reason to send.
    private func check(_ exchange: Exchange, on connection: ClientConnection) throws(WireError) {
        let (request, path) = (exchange.request, exchange.target)
        guard let authority = request.head.authority, !request.headers.contains(.host) else {
            throw .badRequest("Exactly one Host header is expected.")
        }
        // Health probes name the address as host; they learn the state only.
        guard connection.isAddressed(as: authority, in: hosts) || path == "/healthz" || path == "/readyz" else {
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
        guard !request.headers.contains(.xHTTPMethodOverride) else {
            throw .badRequest("Methods are not overridden here.")
        }
    }

    /// Whether the escapes of a request target stand for UTF-8 (RFC 3986 §2.5) without U+0000.
    private static func isText(_ target: String) -> Bool {
        // Foundation reads bytes that are no UTF-8 as replacement characters.
        target.offset(of: UInt8(ascii: "%")) == nil || FormEncoding.decode(target.utf8) != nil
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
}

extension Edge {
    /// A request from its arrival to its line in the log.
    private final class Exchange: Sendable {
        let start = ContinuousClock.now
        let request: Request
        /// The target as routes name it.
        let target: String
        let match: RouteTable.Match?
        let permission: CrossOrigin.Permission
        let context: BrokerRequestContext
        let trace: TraceContext?

        init(_ request: Request, on connection: ClientConnection, _ edge: Edge) {
            RouteMetrics.requestBegan()
            self.request = request
            let target = Self.normalised(request.head.path ?? "/")
            self.target = target
            match = edge.table.match(
                target.offset(of: UInt8(ascii: "?")).map { String(target.utf8.prefix($0)) ?? target } ?? target)
            permission = edge.permission(request, match)
            let client = edge.clientAddress.client(of: request, on: connection)
            if client.network == nil { edge.limiter.noteUnknownClient() }
            context = BrokerRequestContext(
                client: client, requestID: RequestID.make(at: edge.now()), parameters: match?.parameters ?? [:],
                fields: request.headers)
            trace = TraceContext(request)
        }

        /// The request with the target as routes name it.
        var normalisedRequest: Request {
            guard target != request.head.path else { return request }
            var head = request.head
            head.path = target
            return Request(head: head, body: request.body)
        }

        /// Some HTTP libraries percent-encode the colon of `accounts:signUp`.
        private static func normalised(_ target: String) -> String {
            guard let escape = target.offset(of: UInt8(ascii: "%")) else { return target }
            let split = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
            guard target.utf8.index(target.startIndex, offsetBy: escape) < split else { return target }
            let path = target[..<split].replacingOccurrences(of: "%3A", with: ":", options: .caseInsensitive)
            return path + target[split...]
        }
    }
}

extension Edge {
    /// The task-local values of a request.
    private struct TaskLocals: Sendable {
        let admission: RequestAdmission
        let trace: TraceContext?
        let logger: Logger

        func run<Value>(_ work: () throws -> Value) rethrows -> Value {
            try TraceContext.$current.withValue(trace) {
                try RequestAdmission.$current.withValue(admission) {
                    try withLogger(logger) { _ in try work() }
                }
            }
        }

        func run<Value>(_ work: () async throws -> Value) async throws -> Value {
            try await TraceContext.$current.withValue(trace) {
                try await RequestAdmission.$current.withValue(admission) {
                    try await withLogger(logger) { _ in try await work() }
                }
            }
        }
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
    /// The position of a byte in UTF-8. The view of the bytes would look for it ten times as long.
    fileprivate func offset(of byte: UInt8) -> Int? {
        var text = self
        return text.withUTF8 { $0.firstIndex(of: byte) }
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
