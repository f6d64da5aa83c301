/// A code on its way from the broker through a browser to the client that exchanges it for tokens (RFC 6749 §4.1.2).
package struct AuthorizationCode: Sendable, Hashable {
    /// Private, time-ordered.
    package var key: Int64
    /// SHA-256 of the code.
    package var codeHash: [UInt8]
    package var clientID: String
    /// The redirect URI of the code, which the client repeats.
    package var redirectURI: String
    /// S256 of the client's verifier (RFC 7636 §4.2), or ``noChallenge``.
    package var codeChallenge: String
    package var scope: String
    /// For the ID token.
    package var nonce: String?
    package var userKey: Int64
    /// The user's epoch at the code's creation. A code of an earlier epoch is invalid.
    package var epoch: Int64
    /// The provider that authenticated the user.
    package var provider: String
    /// The time of the authentication, in whole seconds since 1970.
    package var authTime: Int64
    /// The authentication methods (RFC 8176), separated by spaces.
    package var authenticationMethods: String
    /// The authentication context class (`acr`) that the client requested and the login satisfied.
    package var acr: String?
    /// The id of the session that the exchange will begin: known before, so that a second exchange can end it.
    package var sessionID: String
    /// The session of the hosted pages it came from.
    package var parentID: String?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    /// Stands for a request without PKCE. Brokers that knew none take it for a challenge no verifier matches.
    package static let noChallenge = ""

    package init(
        key: Int64, codeHash: [UInt8], clientID: String, redirectURI: String, codeChallenge: String, scope: String,
        nonce: String?, userKey: Int64, epoch: Int64, provider: String, authTime: Int64,
        authenticationMethods: String, acr: String? = nil, sessionID: String, parentID: String?,
        createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.key = key
        self.codeHash = codeHash
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.scope = scope
        self.nonce = nonce
        self.userKey = userKey
        self.epoch = epoch
        self.provider = provider
        self.authTime = authTime
        self.authenticationMethods = authenticationMethods
        self.acr = acr
        self.sessionID = sessionID
        self.parentID = parentID
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension AuthorizationCode {
    /// All columns but the use, in the order in which `init(reading:)` and ``values`` have them.
    static let columns = """
        key, code_hash, client_id, redirect_uri, code_challenge, scope, nonce, user_key, epoch, provider, auth_time, \
        amr, session_id, parent_id, created_at, expires_at, acr
        """

    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            key: row.integer(), codeHash: row.blob(), clientID: row.text(), redirectURI: row.text(),
            codeChallenge: row.text(), scope: row.text(), nonce: row.optionalText(), userKey: row.integer(),
            epoch: row.integer(), provider: row.text(), authTime: row.integer(), authenticationMethods: row.text(),
            sessionID: row.text(), parentID: row.optionalText(), createdAt: row.time(), expiresAt: row.time())
        acr = try row.optionalText()
    }

    var values: [SQLValue] {
        [
            .integer(key), .blob(codeHash), .text(clientID), .text(redirectURI), .text(codeChallenge), .text(scope),
            .text(orNull: nonce), .integer(userKey), .integer(epoch), .text(provider), .integer(authTime),
            .text(authenticationMethods), .text(sessionID), .text(orNull: parentID), .time(createdAt),
            .time(expiresAt), .text(orNull: acr),
        ]
    }
}
