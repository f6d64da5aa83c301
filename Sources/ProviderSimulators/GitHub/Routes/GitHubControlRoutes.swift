import Foundation
import HTTPTypes
import ProviderKit

/// `/_simulator/…`: the simulator's own JSON interface, for those who drive it with `curl` or from another language.
///
/// | call | body | answer |
/// |---|---|---|
/// | `GET people` | | `[{id, login, name, emails}]` |
/// | `POST people` | `{login, name?, emails?}` | the person |
/// | `GET applications` | | `[{clientId, clientSecret, …}]` |
/// | `POST applications` | `{name?, callbackUrl?, kind?, deviceFlow?}` | the application |
/// | `POST authorization-codes` | `{login, clientId?, redirectUri?, scopes?, codeChallenge?}` | `{code, redirectUri}` |
/// | `POST access-tokens` | `{login, clientId?, scopes?}` | `{accessToken}` |
/// | `POST faults` | `{endpoint, status, body?, times?}` | 204 |
/// | `DELETE faults` | | 204 |
/// | `POST clock` | `{advanceBy}` (seconds) | `{now}` |
/// | `GET hits` | | `{endpoint: count}` |
///
/// Bodies must be `application/json`, which keeps web pages in the same browser from posting forms here.
struct GitHubControlRoutes: Sendable {
    let core: GitHubCore

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        routes.control(.get, "/_simulator/people") { _ in .json(.array(core.snapshot.people.map(\.json))) }
        post("people", NewPerson.self, to: routes) { body, state in
            let person = body.person
            state.put(person)
            return person.json
        }
        routes.control(.get, "/_simulator/applications") { _ in .json(.array(core.snapshot.applications.map(\.json))) }
        post("applications", NewApplication.self, to: routes) { body, state in
            let application = body.application
            state.applications.append(application)
            return application.json
        }
        addCredentials(to: routes)
        addTestControls(to: routes)
    }

    private func addCredentials(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        post("authorization-codes", CredentialRequest.self, to: routes) { body, state throws(Refusal) in
            let (key, application) = try body.grant(in: state)
            let code = state.makeCode(
                key, redirectURI: body.redirectUri, scopes: body.grantedScopes, codeChallenge: body.codeChallenge,
                now: core.clock.now)
            return ["code": .string(code), "redirectUri": .string(body.redirectUri ?? application.callbackURL)]
        }
        post("access-tokens", CredentialRequest.self, to: routes) { body, state throws(Refusal) in
            let (key, application) = try body.grant(in: state)
            let scopes = application.kind == .oauthApp ? GitHubScopes.normalised(body.grantedScopes) : []
            state.grant(scopes, to: key)
            return ["accessToken": .string(state.issueToken(for: key, scopes: scopes, now: core.clock.now).value)]
        }
    }

    private func addTestControls(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        post("faults", PlannedFault.self, to: routes) { body, _ throws(Refusal) in
            guard let endpoint = GitHubSimulator.Endpoint(rawValue: body.endpoint) else {
                throw .control("endpoint must be one of \(GitHubSimulator.Endpoint.names)")
            }
            core.traffic.plan(.status(body.status, body: body.body ?? ""), at: endpoint, times: body.times)
            return nil
        }
        routes.control(.delete, "/_simulator/faults") { _ in
            core.traffic.clearFaults()
            return SimulatorResponse(status: 204)
        }
        post("clock", ClockMove.self, to: routes) { body, _ in
            core.clock.advance(by: body.advanceBy)
            return ["now": .string(core.clock.now.ISO8601Format())]
        }
        routes.control(.get, "/_simulator/hits") { _ in
            let hits = GitHubSimulator.Endpoint.allCases.map {
                ($0.rawValue, JSONValue.integer(Int64(core.traffic.hits(at: $0))))
            }
            return .json(.object(JSONObject(hits)))
        }
    }

    private func post<Body: Decodable & Sendable>(
        _ name: String, _ type: Body.Type, to routes: SimulatorRoutes<GitHubSimulator.Endpoint>,
        act: @escaping @Sendable (Body, inout GitHubState) throws(Refusal) -> JSONValue
    ) {
        routes.control(.post, "/_simulator/" + name) { request in
            guard request.isJSON else { throw Refusal.control("send application/json", status: 415) }
            guard let body = try? request.json(type) else {
                throw Refusal.control("the body is not JSON, or a field is missing or has the wrong type")
            }
            let answer = try core.withState { state throws(Refusal) in try act(body, &state) }
            return answer == .null ? SimulatorResponse(status: 204) : .json(answer)
        }
    }
}

private struct PlannedFault: Decodable, Sendable {
    let endpoint: String, status: Int, body: String?, times: Int?
}

private struct ClockMove: Decodable, Sendable {
    let advanceBy: TimeInterval
}

extension GitHubSimulator.Endpoint {
    fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Refusal {
    /// What the control interface says to a request it cannot follow.
    static func control(_ problem: String, status: Int = 400) -> Refusal {
        Refusal(.json(["error": .string(problem)], status: status))
    }
}
