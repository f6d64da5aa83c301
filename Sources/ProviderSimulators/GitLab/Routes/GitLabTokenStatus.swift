import HTTPTypes
import ProviderKit

/// `/oauth/token/info`, `/oauth/introspect` and `/oauth/revoke`.
extension GitLabState {
    /// Names the client of a token. Personal access tokens have none and are unknown here.
    func tokenInfo(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let value = try request.authorization(scheme: "bearer") ?? request.queryFields()["access_token"]
        do {
            let (token, person) = try find(value)
            let scopes = JSONValue.array(token.scopes.map(JSONValue.string))
            let remaining = JSONValue.integer(token.remaining(at: now))
            return .json([
                "resource_owner_id": .integer(person.id), "scope": scopes, "expires_in": remaining,
                "application": ["uid": .string(token.grant.clientID)],
                "created_at": .integer(token.createdAt.epochSeconds), "scopes": scopes,
                "expires_in_seconds": remaining,
            ])
        } catch {
            let isDoorkeeper = options.answersTokenInfoLikeDoorkeeper
            return (isDoorkeeper ? GitLabFailure.invalidToken(error) : GitLabFailure.invalidRequest).response
        }
    }

    /// RFC 7662. A token of another client is inactive.
    func introspect(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        do {
            let application = try authenticate(PresentedClient(form, request))
            guard let value = form["token"], let token = try? find(value).token,
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

    /// RFC 7009. An unknown token counts as revoked; another client's token may not be revoked.
    mutating func revoke(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        let value = form["token"] ?? ""
        let client = try? authenticate(PresentedClient(form, request))
        guard let token = token(holding: value) else {
            return client == nil ? GitLabFailure.notYoursToRevoke.response : .json([:])
        }
        guard let client, token.grant.clientID.hasSameBytes(as: client.clientID) else {
            return GitLabFailure.notYoursToRevoke.response
        }
        tokens[token.value]?.isRevoked = true
        return .json([:])
    }
}
