extension OpenIDSimulator {
    /// The scopes of every grant unless a test says otherwise.
    public static let standardScopes = ["openid", "email", "profile"]

    /// The authorization code that a user's browser would bring to the callback after consent.
    ///
    /// - Parameters:
    ///   - person: The user who consents.
    ///   - application: The client.
    ///   - redirectURI: As the authorization request would have named it; the registered one when `nil`.
    ///   - scopes: The granted scopes.
    ///   - codeChallenge: The S256 challenge, when the client uses PKCE.
    ///   - nonce: The nonce for the ID token.
    /// - Returns: A single-use code that lives one minute.
    public func authorizationCode(
        for person: Person, application: Application, redirectURI: String? = nil,
        scopes: [String] = OpenIDSimulator.standardScopes, codeChallenge: String? = nil, nonce: String? = nil
    ) -> String {
        let request = SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: redirectURI ?? application.redirectURIs.first,
            codeChallenge: codeChallenge, nonce: nonce)
        return core.withState { $0.issueCode(for: request, to: person.subject, scopes: scopes) }
    }

    /// An access token as an app would hold it after signing in by itself.
    public func accessToken(
        for person: Person, application: Application, scopes: [String] = OpenIDSimulator.standardScopes
    ) -> String {
        core.withState { state in
            state.issue(
                OpenIDGrant(key: .init(clientID: application.clientID, personID: person.subject), scopes: scopes)
            ).accessToken
        }
    }

    /// An ID token as a native SDK would hold it.
    ///
    /// - Parameters:
    ///   - person: The user.
    ///   - application: The client.
    ///   - nonce: The `nonce` claim, already hashed where the SDK would hash it.
    ///   - accessToken: The access token it names in `at_hash`.
    /// - Returns: The token, an hour before its end, honest or as ``forgery`` wants it.
    public func idToken(
        for person: Person, application: Application, nonce: String? = nil, accessToken: String? = nil
    ) -> String {
        core.read { $0.idToken(for: person, clientID: application.clientID, nonce: nonce, accessToken: accessToken) }
    }

    /// Whether an access token is valid now.
    public func isLive(token: String) -> Bool {
        core.read { $0.grant(ofAccessToken: token) != nil }
    }
}
