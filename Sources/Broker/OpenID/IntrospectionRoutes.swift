import BrokerStore
import Hummingbird
import ProviderKit

/// The introspection endpoint, `/oauth/introspect` (RFC 7662): for confidential clients about their own tokens, and for
/// backends with a bearer credential (§2.1) about the tokens that users send them and, for a service account, about its
/// own access tokens.
struct IntrospectionRoutes: Sendable {
    let toolkit: IdentityToolkitContext
    let openID: OpenIDContext

    func add(to routes: Routes) {
        routes.oauth(.post, OAuthPaths.introspection) { request, context in
            guard try request.bearerToken() != nil else { return try await answer(toClient: request, context) }
            return try await answer(toBackend: request)
        }
    }

    private func answer(toClient request: Request, _ context: BrokerRequestContext) async throws -> Response {
        let call = try await openID.call(request, context)
        let report = try await openID.introspect(try call.parameters.required(OAuthParameter.token), by: call.client)
        return .json(.object(report.map(self.report) ?? .inactive))
    }

    private func answer(toBackend request: Request) async throws -> Response {
        let administrator = try await authenticate(request)
        let token = try await FormBody(of: request).parameters.required(OAuthParameter.token)
        let issuer = openID.issuer
        if let own = try await openID.sessions.serviceAccounts.introspect(token, by: administrator) {
            return .json(.object(JSONObject(own, issuer: issuer)))
        }
        switch try await openID.introspectUserToken(token) {
        case .accessToken(let report): return .json(.object(self.report(report)))
        case .identityToolkit(let facts, let token):
            return .json(.object(report(facts, token)))
        case nil: return .json(.object(.inactive))
        }
    }

    private func authenticate(_ request: Request) async throws -> Administrator {
        do {
            return try await toolkit.administrator(request, with: .introspectTokens)
        } catch let error as WireError {
            // In the words of RFC 6750, as everything else here.
            throw error.httpStatus == .forbidden ? OAuthError.insufficientScope(.introspectTokens) : .invalidToken
        }
    }
}

extension IntrospectionRoutes {
    /// The answer about a valid token of a client (RFC 7662 §2.2).
    private func report(_ token: IntrospectedToken) -> JSONObject {
        var subject = SessionClaim.Subject(
            token.facts, issuer: openID.issuer, scopes: token.scopes, stepUp: openID.policy.stepUp, at: openID.now)
        subject.audience = token.facts.session.clientID
        (subject.clientID, subject.tokenID) = (subject.audience, token.tokenID)
        (subject.issuedAt, subject.expiresAt) = (token.issuedAt, token.expiresAt)
        var report = JSONObject.active
        report["token_type"] = token.kind == .accessToken ? "Bearer" : nil
        for (name, value) in SessionClaim.claims(of: .introspection, subject) { report[name] = value }
        return report
    }

    /// The answer about a valid token of Identity Toolkit, which has custom claims as they are. After a merge it is about
    /// another user than the token names: a backend then refuses the token, and the app gets one with the user that is left.
    private func report(_ facts: SessionView<TokenIdentity>, _ token: JSONObject) -> JSONObject {
        var subject = SessionClaim.Subject(
            facts, issuer: token["iss"]?.string ?? "", scopes: Scopes([.claims]), stepUp: openID.policy.stepUp,
            at: openID.now)
        subject.audience = token["aud"]?.string
        (subject.issuedAt, subject.expiresAt) = (token["iat"]?.integer, token["exp"]?.integer)
        var report = JSONObject.active
        for (name, value) in SessionClaim.claims(of: .introspection, subject) { report[name] = value }
        report["auth_time"] = token["auth_time"]
        return report
    }
}

extension JSONObject {
    fileprivate static let active: JSONObject = ["active": true]
    fileprivate static let inactive: JSONObject = ["active": false]

    /// The answer about a valid access token of a service account, whose audience is the broker itself.
    fileprivate init(_ access: ServiceAccounts.Access, issuer: String) {
        self = [
            "active": true, "scope": .string(AdminScope.list(access.scopes)), "token_type": "Bearer",
            "client_id": .string(access.account.id), "sub": .string(access.account.email), "iss": .string(issuer),
            "aud": .string(issuer), "exp": .integer(access.expiresAt),
        ]
    }
}
