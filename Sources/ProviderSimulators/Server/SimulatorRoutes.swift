import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Adds the routes of a simulator: each counts its requests, lets faults happen, and answers with a plain function.
struct SimulatorRoutes<Endpoint: Hashable & Sendable> {
    typealias Handler = @Sendable (SimulatorRequest) throws -> SimulatorResponse

    let router: Router<SimulatorContext>
    let traffic: Traffic<Endpoint>
    let clock: SimulatorClock
    /// The largest request body taken, in bytes.
    var bodyLimit: Int { 1 << 20 }

    /// Answers requests at an endpoint that faults can hit.
    func on(
        _ method: HTTPRequest.Method, _ path: String, as endpoint: Endpoint, answer: @escaping Handler
    ) {
        let (traffic, clock) = (traffic, clock)
        let bodyLimit = bodyLimit
        router.on(RouterPath(path), method: method) { request, context in
            var request = request
            let simulated = try await request.simulated(in: context, upTo: bodyLimit)
            guard let fault = traffic.arrive(at: endpoint, simulated.recorded) else {
                return try Self.answer(simulated, with: answer).honest
            }
            return try await FaultInjection(fault: fault, context: context, now: clock.now).answer(request) {
                try Self.answer(simulated, with: answer)
            }
        }
    }

    /// Answers requests of the simulator's own pages and control calls, which never fail on purpose and serve only
    /// this machine.
    func control(_ method: HTTPRequest.Method, _ path: String, answer: @escaping Handler) {
        let bodyLimit = bodyLimit
        router.on(RouterPath(path), method: method) { request, context in
            // A name that merely resolves to this machine (DNS rebinding) is not this machine.
            guard context.isLoopback, request.head.isForLoopback else { throw HTTPError(.forbidden) }
            var request = request
            let simulated = try await request.simulated(in: context, upTo: bodyLimit)
            return try Self.answer(simulated, with: answer).honest
        }
    }

    private static func answer(_ request: SimulatorRequest, with handler: Handler) throws -> SimulatorResponse {
        do {
            return try handler(request)
        } catch let refusal as Refusal {
            return refusal.response
        }
    }
}

extension HTTPRequest {
    fileprivate var isForLoopback: Bool {
        guard let authority else { return false }
        let host = authority.lowercased().replacing(/:[0-9]*$/, with: "")
        return ["127.0.0.1", "localhost", "[::1]"].contains(host)
    }
}

extension Request {
    fileprivate mutating func simulated(
        in context: SimulatorContext, upTo limit: Int
    ) async throws -> SimulatorRequest {
        let body = try await collectBody(upTo: limit)
        var headers = self.headers.map { RecordedRequest.Header(name: $0.name.canonicalName, value: $0.value) }
        if let authority = head.authority { headers.insert(.init(name: "host", value: authority), at: 0) }
        var parameters: [String: String] = [:]
        for (name, value) in context.parameters {
            parameters[String(name)] = String(value).removingPercentEncoding ?? String(value)
        }
        return SimulatorRequest(
            recorded: RecordedRequest(
                method: method.rawValue, path: uri.path, query: uri.query ?? "", headers: headers,
                body: Array(body.readableBytesView)),
            pathParameters: parameters)
    }
}
