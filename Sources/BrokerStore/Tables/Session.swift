/// One sign-in of a user and the refresh tokens that descend from it; updated in place.
package struct Session: Sendable, Hashable {
    /// The token family of the session. The families never accept each other's tokens.
    package enum Family: String, Sendable, Hashable {
        case identityToolkit = "identity-toolkit"
        /// A browser at the hosted pages, by its cookie.
        case web
        /// A client of the broker as OpenID Provider.
        case oauth
    }

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
    /// The authentication context class (`acr`) that the client requested and the login satisfied.
    package var acr: String?
    /// The session of the hosted pages it came from.
    package var parentID: String?
    /// The time of the last use, to the hour where nothing else is written; nil before the first.
    package var lastUsedAt: Timestamp?
    /// `User-Agent` of the client that began it, or of its browser's latest visit.
    package var userAgent: String?
    /// IP address of the same request; removed 30 days after it.
    package var address: String?
    /// The user's identity it began with, unless that was anonymous at the time.
    package var identityKey: Int64?
    /// The time at which a merge gave it to its user. The user it has now has not logged in by it.
    package var mergedAt: Timestamp?

    package init(
        key: Int64, id: String, userKey: Int64, signInProvider: String, generation: Int64 = 0, authTime: Int64,
        createdAt: Timestamp, rotatedAt: Timestamp? = nil, claims: String? = nil, epoch: Int64,
        revokedAt: Timestamp? = nil, revokedReason: String? = nil, family: Family = .identityToolkit,
        clientID: String? = nil, scope: String? = nil, authenticationMethods: String? = nil, acr: String? = nil,
        parentID: String? = nil, lastUsedAt: Timestamp? = nil, userAgent: String? = nil, address: String? = nil
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
        self.acr = acr
        self.parentID = parentID
        self.lastUsedAt = lastUsedAt
        self.userAgent = userAgent
        self.address = address
    }

    /// The time of the last use or the start. Earlier brokers record only refreshes.
    package var latestUse: Timestamp { lastUsedAt ?? rotatedAt ?? createdAt }
}

extension Session {
    /// All columns, in the order in which `init(reading:)` and ``values`` have them.
    static let columns = """
        sessions.key, sessions.id, sessions.user_key, sessions.sign_in_provider, sessions.generation, \
        sessions.auth_time, sessions.created_at, sessions.rotated_at, sessions.claims, sessions.epoch, \
        sessions.revoked_at, sessions.revoked_reason, sessions.family, sessions.client_id, sessions.scope, \
        sessions.amr, sessions.parent_id, sessions.last_used_at, sessions.user_agent, sessions.address, \
        sessions.acr, sessions.identity_key, sessions.merged_at
        """

    /// ``latestUse`` in SQL.
    static let latestUse = "coalesce(sessions.last_used_at, sessions.rotated_at, sessions.created_at)"

    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            key: row.integer(), id: row.text(), userKey: row.integer(), signInProvider: row.text(),
            generation: row.integer(), authTime: row.integer(), createdAt: row.time(), rotatedAt: row.optionalTime(),
            claims: row.optionalText(), epoch: row.integer(), revokedAt: row.optionalTime(),
            revokedReason: row.optionalText(), family: row.family(), clientID: row.optionalText(),
            scope: row.optionalText(), authenticationMethods: row.optionalText(), parentID: row.optionalText(),
            lastUsedAt: row.optionalTime(), userAgent: row.optionalText(), address: row.optionalText())
        acr = try row.optionalText()
        identityKey = try row.optionalInteger()
        mergedAt = try row.optionalTime()
    }

    var values: [SQLValue] {
        [
            .integer(key), .text(id), .integer(userKey), .text(signInProvider), .integer(generation),
            .integer(authTime), .time(createdAt), .time(orNull: rotatedAt), .text(orNull: claims), .integer(epoch),
            .time(orNull: revokedAt), .text(orNull: revokedReason),
            // Brokers that knew one family only wrote and read none.
            .text(orNull: family == .identityToolkit ? nil : family.rawValue), .text(orNull: clientID),
            .text(orNull: scope), .text(orNull: authenticationMethods), .text(orNull: parentID),
            .time(orNull: lastUsedAt), .text(orNull: userAgent), .text(orNull: address), .text(orNull: acr),
            .integer(orNull: identityKey), .time(orNull: mergedAt),
        ]
    }
}

extension Row {
    fileprivate mutating func family() throws(StoreError) -> Session.Family {
        guard let text = try optionalText() else { return .identityToolkit }
        guard let family = Session.Family(rawValue: text) else {
            throw StoreError(.corrupt, "a session belongs to no known family")
        }
        return family
    }
}

/// A session with the rows that its validation and its next token need.
package struct SessionFacts: Sendable, Hashable {
    package var session: Session
    package var user: User
    /// In link order.
    package var identities: [Identity]
    /// Whether the next answer with tokens of the session may have notices for the app.
    package var mayHaveNotices = false
    /// The notices that the answer with its tokens delivers.
    package var notices: [AccountNotice] = []

    package init(session: Session, user: User, identities: [Identity]) {
        self.session = session
        self.user = user
        self.identities = identities
    }
}

extension SessionFacts {
    /// From the answers of `session_with_user` and `identities_of_session`; nil if there is no such session.
    init?(reading rows: [Row], identities: [Row]) throws(StoreError) {
        guard var row = rows.first else { return nil }
        let session = try Session(reading: &row)
        let user = try User(reading: &row)
        self.init(
            session: session, user: user,
            identities: try identities.map { row throws(StoreError) in
                var row = row
                return try Identity(reading: &row)
            })
        mayHaveNotices = try row.flag()
    }
}
