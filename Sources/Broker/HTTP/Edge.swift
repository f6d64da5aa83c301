import BrokerStore
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// The first and last handler of every request.
///
/// It refuses malformed requests, answers CORS, turns errors into the envelope of the API, and writes the request log.
struct Edge<Next: HTTPResponder>: HTTPResponder where Next.Context == BrokerRequestContext {
    let next: Next
    let table: RouteTable
    let cors: CrossOrigin
    let hosts: AllowedHosts
    let clientAddress: ClientAddress
    let limiter: RateLimiter
    /// The wire's code and text of what a flow refuses.
    let wireError: @Sendable (BrokerError) -> WireError
    /// The page for a browser that opens an unknown path.
    var notFoundPage: (@Sendable (Request, BrokerRequestContext) -> Response)?

    func respond(to request: Request, context: BrokerRequestContext) async throws -> Response {
        let trace = TraceContext(request)
        var context = context
        trace?.note(in: &context.logger)
        return await TraceContext.$current.withValue(trace) { [context] in
            await withLogger(context.logger) { _ in await answer(request, context) }
        }
    }

    private func answer(_ request: Request, _ context: BrokerRequestContext) async -> Response {
        let start = ContinuousClock.now
        RouteMetrics.requestBegan()
        defer { RouteMetrics.requestEnded() }
        let path = Self.normalised(request.head.path ?? "/")
        let resource = path.prefix { $0 != "?" }
        let match = table.match(String(resource))
        let permission = await permission(request, match)
        let admission = RequestAdmission(
            clientAddress.network(of: request, peer: context.remoteAddress), limiter)
        var response = await RequestAdmission.$current.withValue(admission) {
            await answer(request, path: path, match, permission, context)
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.xRequestID] = context.requestID
        cors.decorate(&response, permission)
        let duration = ContinuousClock.now - start
        (match?.metrics(of: request.method) ?? .unmatched).answered(response.status.code, after: duration)
        context.logger.info(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "route": "\(match?.template ?? "unmatched")",
                "status": .stringConvertible(response.status.code),
                "microseconds": .stringConvertible(duration.nanoseconds / 1000),
                "client": "\(clientAddress.hash(of: request, peer: context.remoteAddress))",
            ])
        return response
    }

    private func answer(
        _ request: Request, path: String, _ match: RouteTable.Match?, _ permission: CrossOrigin.Permission,
        _ context: BrokerRequestContext
    ) async -> Response {
        do {
            try check(request, path: path, localPort: context.localPort)
            if let preflight = cors.preflight(request, permission) { return preflight }
            guard let match else {
                try RequestAdmission.current?.countUnproven()
                guard Self.wantsPage(request), let page = notFoundPage?(request, context) else {
                    throw WireError.notFound
                }
                return page
            }
            guard match.methods.contains(request.method) else {
                throw WireError.methodNotAllowed(request.method.rawValue, allowed: match.methods.map(\.rawValue))
            }
            var context = context
            context.device = ClientDevice(
                userAgent: request.headers[.userAgent],
                address: clientAddress.address(of: request, peer: context.remoteAddress))
            context.reason = AdministratorReason.of(request.headers)
            guard path != request.head.path else { return try await next.respond(to: request, context: context) }
            var head = request.head
            head.path = path
            return try await next.respond(to: Request(head: head, body: request.body), context: context)
        } catch {
            return response(to: error, in: match?.envelope ?? table.envelope)
        }
    }

    /// No other site's script reads a hosted page, whatever the API keys allow.
    private func permission(_ request: Request, _ match: RouteTable.Match?) async -> CrossOrigin.Permission {
        await cors.permission(request, for: match?.pages ?? (Self.wantsPage(request) ? .none : .ofAPIKeys))
    }

    private static func wantsPage(_ request: Request) -> Bool {
        request.method == .get && request.headers[.accept]?.contains("text/html") == true
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
        let isPlain = path.utf8.first == UInt8(ascii: "/") && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, path.utf8.count <= 8192 else { throw .badRequest("The request target must be printable ASCII.") }
        for field in request.headers {
            guard field.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
                throw .badRequest("Header \(field.name.rawName) must be printable ASCII.")
            }
        }
        guard request.headers[.xHTTPMethodOverride] == nil else {
            throw .badRequest("Methods are not overridden here.")
        }
    }

    private func response(to error: any Error, in envelope: ErrorEnvelope) -> Response {
        switch RequestAdmission.judge(error) {
        case let error as WireError: return envelope.response(error)
        case let error as BrokerError: return envelope.response(wireError(error))
        case let error as StoreError:
            Logger.current.error("store", metadata: ["kind": "\(error.kind.rawValue)", "reason": "\(error.reason)"])
            return error.isOurs ? Self.failed(envelope) : Self.storeUnavailable()
        case let error as InternalError:
            Logger.current.error("internal error", metadata: ["reason": "\(error.reason)"])
            if case .uniqueKeyTaken = error { return Self.conflict() }
            return Self.failed(envelope)
        case is HTTPParserError, is CancellationError, is ChannelError, is IOError:
            // The client closed the connection, or its body is malformed.
            return envelope.response(.badRequest("The request broke off."))
        default:
            Logger.current.error("unexpected error", metadata: ["type": "\(type(of: error))"])
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
            status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(string: text + "\n")))
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

extension HTTPField.Name {
    static var xRequestID: Self { Self.known("X-Request-Id") }
    static var xHTTPMethodOverride: Self { Self.known("X-HTTP-Method-Override") }
    static var host: Self { Self.known("Host") }

    static func known(_ name: String) -> Self {
        // Only the constants above come here, and all of them are tokens (RFC 9110 §5.6.2).
        guard let name = HTTPField.Name(name) else { preconditionFailure() }
        return name
    }
}
