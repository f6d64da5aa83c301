import HTTPTypes
import ProviderKit

/// `/oauth/token/info`, `/oauth/introspect` and `/oauth/revoke`: what a token is, and its end.
struct GitLabTokenFateRoutes: Sendable {
    let core: GitLabCore

    func add(to routes: SimulatorRoutes<GitLabSimulator.Endpoint>) {
        routes.on(.get, core.prefix + "/oauth/token/info", as: .tokenInfo, answer: info)
        routes.on(.post, core.prefix + "/oauth/introspect", as: .introspect, answer: introspect)
        routes.on(.post, core.prefix + "/oauth/revoke", as: .revoke, answer: revoke)
    }

    /// Names the application a token was issued to. A personal access token was issued to none, so it is no token here.
    @Sendable
    private func info(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let value = try request.authorization(scheme: "bearer") ?? request.queryFields()["access_token"]
        let now = core.clock.now
        do {
            let (token, person) = try core.snapshot.find(value, now: now)
            let scopes = JSONValue.array(token.scopes.map(JSONValue.string))
            let remaining = JSONValue.integer(token.remaining(at: now))
            return .json([
                "resource_owner_id": .integer(person.id), "scope": scopes, "expires_in": remaining,
                "application": ["uid": .string(token.grant.clientID)],
                "created_at": .integer(token.createdAt.epochSeconds), "scopes": scopes,
                "expires_in_seconds": remaining,
            ])
        } catch {
            let isDoorkeeper = core.options.answersTokenInfoLikeDoorkeeper
            return (isDoorkeeper ? GitLabFailure.invalidToken(error) : GitLabFailure.invalidRequest).response
        }
    }

    /// RFC 7662. Only the application that holds a token learns about it.
    @Sendable
    private func introspect(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        let state = core.snapshot
        do {
            let application = try state.authenticate(PresentedClient(form, request))
            guard let value = form["token"], let token = try? state.find(value, now: core.clock.now).token,
                token.grant.clientID.hasSameBytes(as: application.clientID)
            else { return .json(["active": false]) }
            return .json([
                "active": true, "scope": .string(token.scopes.joined(separator: " ")),
                "client_id": .string(token.grant.clientID), "token_type": "Bearer",
                "exp": .integer(token.expiresAt.epochSeconds), "iat": .integer(token.createdAt.epochSeconds),
            ])
        } catch {
            return error.response
        }
    }

    /// RFC 7009. A token nobody knows is as good as revoked; somebody else's is not ours to revoke.
    @Sendable
    private func revoke(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        return core.withState { state in
            let value = form["token"] ?? ""
            let client = try? state.authenticate(PresentedClient(form, request))
            guard let token = state.token(holding: value) else {
                return client == nil ? GitLabFailure.notYoursToRevoke.response : .json([:])
            }
            guard let client, token.grant.clientID.hasSameBytes(as: client.clientID) else {
                return GitLabFailure.notYoursToRevoke.response
            }
            state.tokens[token.value]?.isRevoked = true
            return .json([:])
        }
    }
}
