import Foundation
import HTTPTypes
import ProviderKit

/// `/applications/{client_id}/…`: what an application may ask and end about its own tokens.
struct GitHubApplicationRoutes: Sendable {
    private struct Body: Decodable {
        let accessToken: String
        enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
    }

    let api: GitHubAPI

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        let path = api.core.apiPath + "/applications/{client_id}"
        on(routes, .post, path + "/token", .checkToken) { state, token in describe(token, state) }
        on(routes, .patch, path + "/token", .resetToken) { state, token in
            state.tokens[token.value] = nil
            let new = state.issueToken(
                for: token.grant, scopes: token.scopes, fromDevice: token.cameFromDevice, now: api.core.clock.now)
            return describe(new, state)
        }
        on(routes, .delete, path + "/token", .deleteToken) { state, token in
            state.tokens[token.value] = nil
            return SimulatorResponse(status: 204)
        }
        on(routes, .delete, path + "/grant", .deleteGrant) { state, token in
            state.removeGrant(token.grant)
            return SimulatorResponse(status: 204)
        }
    }

    /// Adds a route that finds the token in the body. A token that is not the application's own does not exist for it:
    /// 404 when it checks one, 422 when it changes one.
    private func on(
        _ routes: SimulatorRoutes<GitHubSimulator.Endpoint>, _ method: HTTPRequest.Method, _ path: String,
        _ endpoint: GitHubSimulator.Endpoint,
        act: @escaping @Sendable (inout GitHubState, GitHubToken) -> SimulatorResponse
    ) {
        routes.on(method, path, as: endpoint) { [api] request in
            api.answerClient(request) { application throws(Refusal) in
                let value = try Self.accessToken(in: request)
                let now = api.core.clock.now
                return try api.core.withState { state throws(Refusal) in
                    guard let (token, _) = state.find(value, now: now), token.grant.clientID == application.clientID
                    else {
                        throw Refusal(endpoint == .checkToken ? GitHubAPI.error(404, "Not Found") : Self.unprocessable)
                    }
                    return act(&state, token)
                }
            }
        }
    }

    private static func accessToken(in request: SimulatorRequest) throws(Refusal) -> String {
        do {
            return try request.json(Body.self).accessToken
        } catch {
            let isJSON = (try? JSONValue(parsing: request.recorded.body)) != nil
            throw Refusal(isJSON ? unprocessable : GitHubAPI.error(400, "Problems parsing JSON"))
        }
    }

    private static let unprocessable = GitHubAPI.error(422, "Validation Failed")

    private func describe(_ token: GitHubToken, _ state: GitHubState) -> SimulatorResponse {
        guard let application = state.application(token.grant.clientID), let person = state.person(token.grant.personID)
        else { return GitHubAPI.error(404, "Not Found") }
        let created = JSONValue.string(token.createdAt.ISO8601Format())
        return .json([
            "id": .integer(token.id), "url": .string("\(state.url)\(api.core.apiPath)/authorizations/\(token.id)"),
            "scopes": .array(token.scopes.map(JSONValue.string)), "token": .string(token.value),
            "token_last_eight": .string(String(token.value.suffix(8))), "hashed_token": .string(token.digest),
            "app": [
                "client_id": .string(application.clientID), "name": .string(application.name),
                "url": .string(state.url),
            ],
            "note": nil, "note_url": nil, "created_at": created, "updated_at": created, "fingerprint": nil,
            "expires_at": JSONValue(token.expiresAt?.ISO8601Format()),
            "user": .object(GitHubProfile(person, url: state.url, apiPath: api.core.apiPath).simple),
        ])
    }
}
