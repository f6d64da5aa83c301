package import BrokerStore
package import OAuth

/// The grant of an authorization code: the user, the scopes, and how the user authenticated.
package struct AuthorizationGrant: Sendable, Hashable {
    package var clientID: String
    /// As the client requested it.
    package var redirectURI: RedirectURI
    /// `nil` when the client sent none and need not.
    package var codeChallenge: CodeChallenge?
    package var scopes: Scopes
    /// For the ID token.
    package var nonce: String?
    package var userKey: Int64
    /// The user's epoch as it is now.
    package var epoch: Int64
    /// The provider that verified the user: an id of `plugins.json`.
    package var provider: String
    /// The time of the login, whole seconds since 1970.
    package var authTime: Int64
    /// How (RFC 8176).
    package var authenticationMethods: [String]
    /// The authentication context class that the client requested.
    package var acr: String?
    /// The id of the session the exchange will begin.
    package var sessionID: String
    /// The browser session it comes from; its revocation revokes the code.
    package var parentID: String?

    package init(
        clientID: String, redirectURI: RedirectURI, codeChallenge: CodeChallenge?, scopes: Scopes, nonce: String?,
        user: User, provider: String, authTime: Int64, authenticationMethods: [String],
        acr: String? = nil, sessionID: String = RandomText.alphanumeric(22), parentID: String? = nil
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.scopes = scopes
        self.nonce = nonce
        userKey = user.key
        epoch = user.epoch
        self.provider = provider
        self.authTime = authTime
        self.authenticationMethods = authenticationMethods
        self.acr = acr
        self.sessionID = sessionID
        self.parentID = parentID
    }
    /// How long a code may be exchanged: as long as a browser needs to bring it to the client.
    package static let codeLifetime = Duration.seconds(60)

    /// The row of a code for the grant; the store has the code's hash.
    package func row(of code: String, key: Int64, at now: Timestamp) -> AuthorizationCode {
        AuthorizationCode(
            key: key, codeHash: RandomText.hash(of: code), clientID: clientID, redirectURI: redirectURI.text,
            codeChallenge: codeChallenge?.text ?? AuthorizationCode.noChallenge, scope: scopes.text, nonce: nonce,
            userKey: userKey, epoch: epoch, provider: provider, authTime: authTime,
            authenticationMethods: authenticationMethods.joined(separator: " "), sessionID: sessionID,
            parentID: parentID, createdAt: now, expiresAt: now.advanced(by: Self.codeLifetime), acr: acr)
    }
}
