import BrokerStore
import ProviderKit

/// A grant type of the token endpoint (RFC 6749 §4).
protocol TokenGrant: Sendable {
    /// The `grant_type`.
    static var type: String { get }
    /// The `issued_token_type` of its answers (RFC 8693 §2.2.1).
    static var issuedTokenType: String? { get }
    /// What its requests have besides their client and `grant_type`.
    static var parameters: [DeclaredParameter] { get }

    init(openID: OpenIDContext)

    /// - Throws: ``OAuthError``, or a store's error.
    func tokens(for call: OAuthCall) async throws -> IssuedOpenIDTokens
}

extension TokenGrant {
    static var issuedTokenType: String? { nil }

    /// Runs a flow of accounts; what it refuses is answered as an error of the grant.
    ///
    /// - Throws: ``OAuthError``; ``BrokerError/tooManyAttempts(retryAfter:)``, which is no judgement on the grant; or a
    ///   store's error.
    func refusing<Value>(_ flow: () async throws -> Value) async throws -> Value {
        try await OAuthError.refusingGrant(flow)
    }
}

extension OpenIDContext {
    /// The tokens of a session that has begun, or goes on after a link, and what the app has to know of it.
    ///
    /// - Parameters:
    ///   - facts: The session.
    ///   - isNewUser: Whether its login created the user.
    ///   - call: The request.
    ///   - scopes: Those of the access token that asked; nil for all that were granted.
    ///   - nonce: For the ID token.
    ///   - linkedProvider: The provider of the identity that was linked. The app has the session's refresh token then.
    /// - Returns: The answer of the grant.
    /// - Throws: ``InternalError/signingKeyMissing(_:)``, or a store's error.
    func answer(
        _ facts: SessionFacts, isNewUser: Bool, to call: OAuthCall, scopes: Scopes? = nil, nonce: String? = nil,
        linkedProvider: String? = nil
    ) async throws -> IssuedOpenIDTokens {
        var issued = try await tokens.issue(
            facts, for: call.client, scopes: scopes, nonce: nonce, withRefreshToken: linkedProvider == nil, at: now)
        issued.linkedProvider = linkedProvider
        issued.members["is_new_user"] = .bool(isNewUser)
        issued.members["provider"] = .string(linkedProvider ?? facts.session.signInProvider)
        issued.members["user"] = try await accountDocument(of: facts, with: issued.scopes).map(JSONValue.object)
        return issued
    }
}

extension SessionView {
    /// Whether the login that a code stands for created the user: no later one has come.
    var isOfFirstLogin: Bool { user.createdAt == user.lastLoginAt }
}

/// The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.5).
struct AuthorizationCodeGrant: TokenGrant {
    static let type = "authorization_code"
    static let parameters = [
        OAuthParameter.code, OAuthParameter.redirectURI, OAuthParameter.codeVerifier, OAuthParameter.idTokenHint,
    ]

    let openID: OpenIDContext

    func tokens(for call: OAuthCall) async throws -> IssuedOpenIDTokens {
        try RequestAdmission.current?.countUnproven()
        let request = CodeRedemption(
            code: try call.parameters.required(OAuthParameter.code),
            redirectURI: call.parameters[OAuthParameter.redirectURI],
            verifier: call.parameters[OAuthParameter.codeVerifier])
        if request.code.utf8.starts(with: LinkCodeGrant.prefix.utf8) { return try await linked(request, call) }
        let (facts, nonce) = try await openID.redeemAuthorizationCode(request, by: call.client, origin: call.origin)
        return try await openID.answer(facts, isNewUser: facts.isOfFirstLogin, to: call, nonce: nonce)
    }
}

extension AuthorizationCodeGrant {
    /// Links the identity of a link code; the session continues with tokens that include it.
    private func linked(
        _ request: CodeRedemption, _ call: OAuthCall
    ) async throws -> IssuedOpenIDTokens {
        // The code is consumed whatever the reason of a refusal.
        let linked = try await refusing {
            try await openID.redeemLinkCode(
                request, idToken: call.parameters[OAuthParameter.idTokenHint], by: call.client, origin: call.origin)
        }
        // The client has the session's refresh token, and an ID token must not yield one.
        return try await openID.answer(
            linked.facts, isNewUser: false, to: call, nonce: linked.nonce, linkedProvider: linked.provider)
    }
}

/// The refresh token grant (RFC 6749 §6).
struct RefreshTokenGrant: TokenGrant {
    static let type = "refresh_token"
    static let parameters = [OAuthParameter.refreshToken, OAuthParameter.scope, OAuthParameter.acceptMerge]

    let openID: OpenIDContext

    func tokens(for call: OAuthCall) async throws -> IssuedOpenIDTokens {
        try await openID.refreshTokens(
            try call.parameters.required(OAuthParameter.refreshToken), scope: call.parameters[OAuthParameter.scope],
            acceptsMerges: call.parameters[OAuthParameter.acceptMerge] == "true", by: call.client, origin: call.origin)
    }
}

/// The broker's own grant for a session whose user was merged into another one.
struct MergeTokenGrant: TokenGrant {
    static let type = "urn:broker:oauth:grant-type:merge"
    static let parameters = [OAuthParameter.mergeToken]

    let openID: OpenIDContext

    func tokens(for call: OAuthCall) async throws -> IssuedOpenIDTokens {
        try await openID.redeemMergeToken(
            try call.parameters.required(OAuthParameter.mergeToken), by: call.client, origin: call.origin)
    }
}
