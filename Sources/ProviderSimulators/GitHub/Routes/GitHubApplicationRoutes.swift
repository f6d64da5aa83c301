import Foundation
import HTTPTypes
import ProviderKit

/// `/applications/{client_id}/…`: a client checks and revokes its own tokens.
extension SimulatedGitHubAPI {
    private struct AccessToken: Decodable {
        let accessToken: String
        enum CodingKeys: String, CodingKey { case accessToken = "access_token" }
    }

    static func addApplicationRoutes(to routes: ProviderRoutes<GitHubState>) {
        let path = routes.core.read(\.apiPath) + "/applications/{client_id}"
        on(routes, .post, path + "/token", .checkToken) { state, token in describe(token, state) }
        on(routes, .patch, path + "/token", .resetToken) { state, token in
            state.tokens[token.value] = nil
            return describe(
                state.issueToken(for: token.grant, scopes: token.scopes, fromDevice: token.cameFromDevice), state)
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

    /// Adds a route that finds the token in the body. A token of another client does not exist for this one: 404 when
    /// it is checked, 422 when it is changed.
    private static func on(
        _ routes: ProviderRoutes<GitHubState>, _ method: HTTPRequest.Method, _ path: String,
        _ endpoint: GitHubSimulator.Endpoint,
        act: @escaping @Sendable (inout GitHubState, GitHubToken) -> SimulatorResponse
    ) {
        routes.on(method, path, as: endpoint) { state, request in
            answerClient(request, in: &state) { state, application throws(Refusal) in
                guard let (token, _) = state.find(try accessToken(in: request)),
                    token.grant.clientID == application.clientID
                else { throw Refusal(endpoint == .checkToken ? error(404, "Not Found") : unprocessable) }
                return act(&state, token)
            }
        }
    }

    private static func accessToken(in request: SimulatorRequest) throws(Refusal) -> String {
        do {
            return try request.json(AccessToken.self).accessToken
        } catch {
            let isJSON = (try? JSONValue(parsing: request.recorded.body)) != nil
            throw Refusal(isJSON ? unprocessable : SimulatedGitHubAPI.error(400, "Problems parsing JSON"))
        }
    }

    private static let unprocessable = error(422, "Validation Failed")

    private static func describe(_ token: GitHubToken, _ state: GitHubState) -> SimulatorResponse {
        guard let application = state.application(token.grant.clientID), let person = state.person(token.grant.personID)
        else { return error(404, "Not Found") }
        let created = JSONValue.string(token.createdAt.ISO8601Format())
        return .json([
            "id": .integer(token.id), "url": .string("\(state.url)\(state.apiPath)/authorizations/\(token.id)"),
            "scopes": .array(token.scopes.map(JSONValue.string)), "token": .string(token.value),
            "token_last_eight": .string(String(token.value.suffix(8))), "hashed_token": .string(token.digest),
            "app": [
                "client_id": .string(application.clientID), "name": .string(application.name),
                "url": .string(state.url),
            ],
            "note": nil, "note_url": nil, "created_at": created, "updated_at": created, "fingerprint": nil,
            "expires_at": JSONValue(token.expiresAt?.ISO8601Format()),
            "user": .object(GitHubProfile(person, url: state.url, apiPath: state.apiPath).simple),
        ])
    }
}
