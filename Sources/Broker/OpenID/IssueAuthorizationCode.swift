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
        if let challenge = request.codeChallenge, CodeChallenge(challenge) == nil {
            throw NotRedirectable.requestUnknown(clientID: request.clientID)
        }
        let (code, sessionID) = (RandomText.secret(), Session.newID())
        try await store.write(at: now) { transaction in
            _ = try transaction.liveSession(id: session.session.id, .web, at: now)
            try transaction.insert(
                AuthorizationCode(
                    code, for: request, to: redirectURI, in: session, sessionID: sessionID,
                    key: transaction.nextKey(), at: now))
        }
        return response(code: code, to: redirectURI, state: request.state)
    }
}

extension AuthorizationCode {
    /// How long a code may be exchanged: as long as a browser needs to bring it to the client.
    static let lifetime = Duration.seconds(60)

    /// A code for a request, and for the user of a browser session that satisfies it. `sessionID` is of the session that
    /// the exchange will begin.
    fileprivate init(
        _ code: String, for request: AuthorizationRequest, to redirectURI: RedirectURI, in session: SessionFacts,
        sessionID: String, key: Int64, at now: Timestamp
    ) {
        self.init(
            key: key, codeHash: RandomText.hash(of: code), clientID: request.clientID, redirectURI: redirectURI.text,
            codeChallenge: request.codeChallenge ?? Self.noChallenge,
            scope: Scopes(request.scopes.joined(separator: " ")).text, nonce: request.nonce,
            userKey: session.user.key, epoch: session.user.epoch, provider: session.session.signInProvider,
            authTime: session.session.authTime,
            authenticationMethods: session.session.authenticationMethods ?? "", sessionID: sessionID,
            parentID: session.session.id, createdAt: now, expiresAt: now.advanced(by: Self.lifetime), acr: request.acr)
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
