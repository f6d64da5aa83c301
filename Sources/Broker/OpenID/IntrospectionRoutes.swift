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
        let report = try await openID.introspect(try call.parameters.required("token"), by: call.client)
        return .json(.object(report.map { JSONObject($0, issuer: openID.issuer) } ?? .inactive))
    }

    private func answer(toBackend request: Request) async throws -> Response {
        let administrator = try await authenticate(request)
        let token = try await FormBody(of: request).parameters.required("token")
        let issuer = openID.issuer
        if let own = try await openID.sessions.serviceAccounts.introspect(token, by: administrator) {
            return .json(.object(JSONObject(own, issuer: issuer)))
        }
        switch try await openID.introspectUserToken(token) {
        case .accessToken(let report): return .json(.object(JSONObject(report, issuer: issuer)))
        case .identityToolkit(let claims, let sessionID):
            return .json(.object(JSONObject(claims, sessionID: sessionID)))
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

extension JSONObject {
    fileprivate static let inactive: JSONObject = ["active": false]

    /// The answer about a valid token of a client (RFC 7662 §2.2).
    fileprivate init(_ report: IntrospectedToken, issuer: String) {
        let clientID = JSONValue.string(report.facts.session.clientID ?? "")
        self.init([
            ("active", true), ("scope", .string(report.scopes.text)), ("client_id", clientID),
            ("sub", .string(report.facts.user.localID)), ("aud", clientID), ("iss", .string(issuer)),
            ("iat", .integer(report.issuedAt)), ("exp", .integer(report.expiresAt)),
            ("sid", .string(report.facts.session.id)), ("auth_time", .integer(report.facts.session.authTime)),
        ])
        self["token_type"] = report.kind == .accessToken ? "Bearer" : nil
        self["acr"] = report.facts.session.acr.map(JSONValue.string)
        self["jti"] = report.tokenID.map(JSONValue.string)
    }

    /// The answer about a valid access token of a service account, whose audience is the broker itself.
    fileprivate init(_ access: ServiceAccounts.Access, issuer: String) {
        self = [
            "active": true, "scope": .string(AdminScope.list(access.scopes)), "token_type": "Bearer",
            "client_id": .string(access.account.id), "sub": .string(access.account.email), "iss": .string(issuer),
            "aud": .string(issuer), "exp": .integer(access.expiresAt),
        ]
    }

    /// The answer about a valid token of Identity Toolkit.
    fileprivate init(_ claims: JSONObject, sessionID: String) {
        self = ["active": true, "sid": .string(sessionID)]
        for name in ["iss", "aud", "sub", "iat", "exp", "auth_time"] { self[name] = claims[name] }
    }
}
