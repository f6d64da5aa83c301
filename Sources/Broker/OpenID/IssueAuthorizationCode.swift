package import BrokerStore
import OAuth
import ProviderKit

extension OpenIDContext {
    /// Issues an authorization code for a valid request and a browser session that satisfies it (RFC 6749 §4.1.2).
    ///
    /// - Parameters:
    ///   - request: The client's request.
    ///   - session: The browser's session at the hosted pages.
    /// - Returns: The address to redirect the browser to.
    /// - Throws: ``OAuthError`` when the session does not satisfy the request,
    ///   ``NotRedirectable``, or a store's error.
    package func issueAuthorizationCode(
        for request: AuthorizationRequest, in session: SessionFacts
    ) async throws -> String {
        let redirectURI = try await redirectURI(of: request)
        let now = now
        if let refusal = request.refusal(of: session, at: now) { throw refusal }
        try await consume(request)
        let challenge = request.codeChallenge.flatMap { CodeChallenge($0) }
        guard (challenge == nil) == (request.codeChallenge == nil) else {
            throw NotRedirectable.requestUnknown
        }
        let grant = AuthorizationGrant(
            clientID: request.clientID, redirectURI: redirectURI, codeChallenge: challenge,
            scopes: Scopes(request.scopes.joined(separator: " ")), nonce: request.nonce, user: session.user,
            provider: session.session.signInProvider, authTime: session.session.authTime,
            authenticationMethods: session.session.authenticationMethods?.split(separator: " ").map(String.init) ?? [],
            acr: request.acr, parentID: session.session.id)
        let code = RandomText.secret()
        let id = session.session.id
        try await store.write(at: now) { transaction in
            _ = try transaction.liveSession(id: id, .web, at: now)
            try transaction.insert(grant.row(of: code, key: transaction.nextKey(), at: now))
        }
        return response(code: code, to: redirectURI, state: request.state)
    }
}

extension AuthorizationRequest {
    /// The reason a session that began for this request does not satisfy it (`max_age`, `id_token_hint`, `acr_values`), or `nil`.
    func refusal(of session: SessionFacts, at now: Timestamp) -> OAuthError? {
        guard expects(session.user), isSatisfied(byOwnLoginAt: session.session.authTime, at: now) else {
            return .init(.loginRequired, "The provider did not verify a login that satisfies the request.")
        }
        guard accepts(session.session) else {
            return .init(.unmetAuthenticationRequirements, "The login has not the provider or the methods required.")
        }
        return nil
    }
}
