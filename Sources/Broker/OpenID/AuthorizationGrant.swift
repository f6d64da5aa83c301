package import BrokerStore

/// The grant of an authorization code: the user, the scopes, and how the user authenticated.
package struct AuthorizationGrant: Sendable, Hashable {
    package var clientID: String
    /// As the client asked for it.
    package var redirectURI: RedirectURI
    /// What the verifier is compared with; `nil` when the client sent none and need not.
    package var codeChallenge: CodeChallenge?
    package var scopes: Scopes
    /// For the ID token.
    package var nonce: String?
    package var userKey: Int64
    /// The user's epoch as it is now.
    package var epoch: Int64
    /// Who proved who the person is: an id of `plugins.json`.
    package var provider: String
    /// When that was, whole seconds since 1970.
    package var authTime: Int64
    /// How (RFC 8176).
    package var authenticationMethods: [String]
    /// The id of the session the exchange will begin.
    package var sessionID: String
    /// The session of the hosted pages it comes from; with it the code dies.
    package var parentID: String?

    package init(
        clientID: String, redirectURI: RedirectURI, codeChallenge: CodeChallenge?, scopes: Scopes, nonce: String?,
        user: User, provider: String, authTime: Int64, authenticationMethods: [String],
        sessionID: String = RandomText.alphanumeric(22), parentID: String? = nil
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
        self.sessionID = sessionID
        self.parentID = parentID
    }
}
