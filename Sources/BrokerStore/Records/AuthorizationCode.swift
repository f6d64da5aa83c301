// Generated from `authorization_codes` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A code on its way from the broker through a browser to the client that exchanges it for tokens (RFC 6749 §4.1.2).
package struct AuthorizationCode: Record {
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
    /// The id of the session that the exchange will begin: known before, so that a second exchange can end it.
    package var sessionID: String
    /// The session of the hosted pages it came from.
    package var parentID: String?
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// The authentication context class (`acr`) that the client requested and the login satisfied.
    package var acr: String?

    package init(
        key: Int64, codeHash: [UInt8], clientID: String, redirectURI: String, codeChallenge: String, scope: String,
        nonce: String? = nil, userKey: Int64, epoch: Int64, provider: String, authTime: Int64,
        authenticationMethods: String, sessionID: String, parentID: String? = nil, createdAt: Timestamp,
        expiresAt: Timestamp, acr: String? = nil
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
        self.sessionID = sessionID
        self.parentID = parentID
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.acr = acr
    }
}

extension AuthorizationCode {
    package static let table = TableDefinition.authorizationCodes
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        codeHash = try row.blob()
        clientID = try row.text()
        redirectURI = try row.text()
        codeChallenge = try row.text()
        scope = try row.text()
        nonce = try row.optionalText()
        userKey = try row.integer()
        epoch = try row.integer()
        provider = try row.text()
        authTime = try row.integer()
        authenticationMethods = try row.text()
        sessionID = try row.text()
        parentID = try row.optionalText()
        createdAt = try row.time()
        expiresAt = try row.time()
        acr = try row.optionalText()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .blob(codeHash), .text(clientID), .text(redirectURI), .text(codeChallenge), .text(scope),
            .text(orNull: nonce), .integer(userKey), .integer(epoch), .text(provider), .integer(authTime),
            .text(authenticationMethods), .text(sessionID), .text(orNull: parentID), .time(createdAt), .time(expiresAt),
            .text(orNull: acr),
        ]
    }
}
