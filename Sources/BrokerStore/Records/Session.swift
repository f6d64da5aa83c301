// Generated from `sessions` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// One sign-in of a user and the refresh tokens that descend from it; updated in place.
package struct Session: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// Random; part of the refresh token and of the tokens' `sid`.
    package var id: String
    package var userKey: Int64
    package var signInProvider: String
    /// Which refresh token is the current one.
    package var generation: Int64
    /// The time of the user's authentication, in whole seconds since 1970.
    package var authTime: Int64
    package var createdAt: Timestamp
    /// The time of the last increment of ``generation``; nil before the first.
    package var rotatedAt: Timestamp?
    /// Claims of a custom token, a JSON object as text.
    package var claims: String?
    /// The user's epoch at the session's start. A session of an earlier epoch is invalid.
    package var epoch: Int64
    package var revokedAt: Timestamp?
    package var revokedReason: String?
    package var family: Family
    /// The OAuth client it belongs to.
    package var clientID: String?
    /// The scope it was granted (RFC 6749 §3.3).
    package var scope: String?
    /// The authentication methods (RFC 8176), separated by spaces.
    package var authenticationMethods: String?
    /// The session of the hosted pages it came from.
    package var parentID: String?
    /// The time of the last use, to the hour where nothing else is written; nil before the first.
    package var lastUsedAt: Timestamp?
    /// `User-Agent` of the client that began it, or of its browser's latest visit.
    package var userAgent: String?
    /// IP address of the same request; removed 30 days after it.
    package var address: String?
    /// The authentication context class (`acr`) that the client requested and the login satisfied.
    package var acr: String?
    /// The user's identity it began with, unless that was anonymous at the time.
    package var identityKey: Int64?
    /// The time at which a merge gave it to its user. The user it has now has not logged in by it.
    package var mergedAt: Timestamp?
    /// The absorbed user by whose local id the session's client knows it, from a merge until the client has redeemed a
    /// merge token. Until then ``epoch`` is negative, so that nothing else takes the session as live.
    package var mergedFrom: String?

    package init(
        key: Int64, id: String, userKey: Int64, signInProvider: String, generation: Int64 = 0, authTime: Int64,
        createdAt: Timestamp, rotatedAt: Timestamp? = nil, claims: String? = nil, epoch: Int64,
        revokedAt: Timestamp? = nil, revokedReason: String? = nil, family: Family = .identityToolkit,
        clientID: String? = nil, scope: String? = nil, authenticationMethods: String? = nil, parentID: String? = nil,
        lastUsedAt: Timestamp? = nil, userAgent: String? = nil, address: String? = nil, acr: String? = nil,
        identityKey: Int64? = nil, mergedAt: Timestamp? = nil, mergedFrom: String? = nil
    ) {
        self.key = key
        self.id = id
        self.userKey = userKey
        self.signInProvider = signInProvider
        self.generation = generation
        self.authTime = authTime
        self.createdAt = createdAt
        self.rotatedAt = rotatedAt
        self.claims = claims
        self.epoch = epoch
        self.revokedAt = revokedAt
        self.revokedReason = revokedReason
        self.family = family
        self.clientID = clientID
        self.scope = scope
        self.authenticationMethods = authenticationMethods
        self.parentID = parentID
        self.lastUsedAt = lastUsedAt
        self.userAgent = userAgent
        self.address = address
        self.acr = acr
        self.identityKey = identityKey
        self.mergedAt = mergedAt
        self.mergedFrom = mergedFrom
    }
}

extension Session {
    package static let table = TableDefinition.sessions
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        userKey = try row.integer()
        signInProvider = try row.text()
        generation = try row.integer()
        authTime = try row.integer()
        createdAt = try row.time()
        rotatedAt = try row.optionalTime()
        claims = try row.optionalText()
        epoch = try row.integer()
        revokedAt = try row.optionalTime()
        revokedReason = try row.optionalText()
        family = try row.optionalChoice(Family.self) ?? .identityToolkit
        clientID = try row.optionalText()
        scope = try row.optionalText()
        authenticationMethods = try row.optionalText()
        parentID = try row.optionalText()
        lastUsedAt = try row.optionalTime()
        userAgent = try row.optionalText()
        address = try row.optionalText()
        acr = try row.optionalText()
        identityKey = try row.optionalInteger()
        mergedAt = try row.optionalTime()
        mergedFrom = try row.optionalText()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .integer(userKey), .text(signInProvider), .integer(generation),
            .integer(authTime), .time(createdAt), .time(orNull: rotatedAt), .text(orNull: claims), .integer(epoch),
            .time(orNull: revokedAt), .text(orNull: revokedReason),
            .text(orNull: family == .identityToolkit ? nil : family.rawValue), .text(orNull: clientID),
            .text(orNull: scope), .text(orNull: authenticationMethods), .text(orNull: parentID),
            .time(orNull: lastUsedAt), .text(orNull: userAgent), .text(orNull: address), .text(orNull: acr),
            .integer(orNull: identityKey), .time(orNull: mergedAt), .text(orNull: mergedFrom),
        ]
    }
}
