import Foundation
import HTTPTypes
import ProviderKit

/// The shared part of every simulator's `/_simulator/…` interface, for those who drive it with `curl` or from another
/// language.
///
/// | call | body | answer |
/// |---|---|---|
/// | `POST faults` | `{endpoint, status, body?, times?}` | 204 |
/// | `DELETE faults` | | 204 |
/// | `POST clock` | `{advanceBy}` (seconds) | `{now}` |
/// | `GET hits` | | `{endpoint: count}` |
///
/// Bodies must be `application/json`, which keeps web pages in the same browser from posting forms here.
struct SimulatorControls<Endpoint: Hashable & Sendable & CaseIterable & RawRepresentable<String>> {
    let routes: SimulatorRoutes<Endpoint>

    /// Adds the calls that control faults and time, and count hits.
    func addTestControls() {
        let (traffic, clock) = (routes.traffic, routes.clock)
        post("faults", PlannedFault.self) { body throws(Refusal) in
            guard let endpoint = Endpoint(rawValue: body.endpoint) else {
                throw .control("endpoint must be one of \(Self.endpointNames)")
            }
            traffic.plan(.status(body.status, body: body.body ?? ""), at: endpoint, times: body.times)
            return nil
        }
        routes.control(.delete, "/_simulator/faults") { _ in
            traffic.clearFaults()
            return SimulatorResponse(status: 204)
        }
        post("clock", ClockMove.self) { body in
            clock.advance(by: body.advanceBy)
            return ["now": .string(clock.now.ISO8601Format())]
        }
        routes.control(.get, "/_simulator/hits") { _ in
            let hits = Endpoint.allCases.map { ($0.rawValue, JSONValue.integer(Int64(traffic.hits(at: $0)))) }
            return .json(.object(JSONObject(hits)))
        }
    }

    /// Adds a call that lists something.
    func list(_ name: String, _ elements: @escaping @Sendable () -> [JSONValue]) {
        routes.control(.get, "/_simulator/" + name) { _ in .json(.array(elements())) }
    }

    /// Adds a call with a body; the answer `null` becomes status 204.
    func post<Body: Decodable & Sendable>(
        _ name: String, _ type: Body.Type, act: @escaping @Sendable (Body) throws(Refusal) -> JSONValue
    ) {
        routes.control(.post, "/_simulator/" + name) { request in
            guard request.isJSON else { throw Refusal.control("send application/json", status: 415) }
            guard let body = try? request.json(type) else {
                throw Refusal.controlBody
            }
            let answer = try act(body)
            return answer == .null ? SimulatorResponse(status: 204) : .json(answer)
        }
    }

    private static var endpointNames: String { Endpoint.allCases.map(\.rawValue).joined(separator: ", ") }
}

private struct PlannedFault: Decodable, Sendable {
    let endpoint: String, status: Int, body: String?, times: Int?
}

private struct ClockMove: Decodable, Sendable {
    let advanceBy: TimeInterval
}

extension Refusal {
    static let controlBody = control("the body is not JSON, or a field is missing or has the wrong type")

    /// The answer of the control interface to an invalid request.
    static func control(_ problem: String, status: Int = 400) -> Refusal {
        Refusal(.json(["error": .string(problem)], status: status))
    }
}
