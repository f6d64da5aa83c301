import BrokerStore
import Foundation
import Hummingbird
import OAuth
import ProviderKit

/// The endpoints that clients call directly: `/oauth/token`, `/oauth/revoke`.
struct OAuthTokenRoutes: Sendable {
    let openID: OpenIDContext
    let grants: [any TokenGrant]

    func add(to routes: Routes) {
        routes.oauth(.post, OAuthPaths.token, pages: .ofClients, token)
        routes.oauth(.post, OAuthPaths.revocation, pages: .ofClients, revokeToken)
    }

    @Sendable
    func token(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let call = try await openID.call(request, context, takesProof: true)
        let type = try call.parameters.required(OAuthParameter.grantType)
        guard let grant = grants.first(where: { Swift.type(of: $0).type.hasSameBytes(as: type) }) else {
            throw OAuthError(
                .unsupportedGrantType, "The discovery document lists what grant_type may be.")
        }
        let tokens = try await FlowMetrics.counting(.token) { try await grant.tokens(for: call) }
        var answer = JSONObject(tokens)
        answer["issued_token_type"] = Swift.type(of: grant).issuedTokenType.map(JSONValue.string)
        if call.client.receivesProviderTokens {
            answer["provider_token"] = try await providerToken(with: tokens, for: call)
        }
        for (name, value) in tokens.members { answer[name] = value }
        answer.add(tokens.facts.notices, absorbedUsers: try await absorbedUsers(of: tokens.facts))
        return .json(.object(answer))
    }

    /// The users who were merged into the session's user. They are told with each answer: the device may have held the data
    /// of one of them long ago.
    private func absorbedUsers(of facts: SessionView<Never>) async throws -> [String] {
        guard facts.mayHaveAbsorbedUsers else { return [] }
        return try await openID.store.pointRead { try $0.userAliases(of: facts.user.key) }
    }

    /// The access token of the session's or the linked provider for a client that is registered for it; `nil` when none
    /// can be had now.
    private func providerToken(
        with tokens: IssuedOpenIDTokens, for call: OAuthCall
    ) async throws -> JSONValue? {
        let provider = tokens.linkedProvider ?? tokens.facts.session.signInProvider
        do {
            let outcome = try await openID.outbox.readProviderToken(
                of: tokens.facts.user.localID, at: provider, scopes: [], origin: call.origin)
            guard case .token(let grant) = outcome else { return nil }
            var token: JSONObject = [
                "provider": .string(provider), "access_token": .string(grant.accessToken), "token_type": "Bearer",
                "scope": .string(ScopeList(grant.scopes).text),
            ]
            token["expires_at"] = grant.expiresAt.map { .integer(Int64($0.timeIntervalSince1970)) }
            return .object(token)
        } catch is BrokerError {
            // The provider was removed, or the session has none.
            return nil
        }
    }

    @Sendable
    func revokeToken(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let call = try await openID.call(request, context)
        try await openID.revokeToken(
            try call.parameters.required(OAuthParameter.token), by: call.client, origin: call.origin)
        return .json([:])
    }
}

extension JSONObject {
    /// The answer of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3).
    fileprivate init(_ tokens: IssuedOpenIDTokens) {
        self.init([
            ("access_token", .string(tokens.accessToken)), ("token_type", "Bearer"),
            ("expires_in", .integer(tokens.expiresIn)), ("scope", .string(tokens.scopes.text)),
        ])
        self["id_token"] = tokens.idToken.map(JSONValue.string)
        self["refresh_token"] = tokens.refreshToken.map(JSONValue.string)
    }
}
