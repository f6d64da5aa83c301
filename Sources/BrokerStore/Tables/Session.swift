/// One sign-in of a user and the refresh tokens that descend from it; updated in place.
package struct Session: Sendable, Hashable {
    /// Private, time-ordered.
    package var key: Int64
    /// Random; part of the refresh token and of the tokens' `sid`.
    package var id: String
    package var userKey: Int64
    package var signInProvider: String
    /// Which refresh token is the current one.
    package var generation: Int64
    /// When the person proved who they are, whole seconds since 1970.
    package var authTime: Int64
    package var createdAt: Timestamp
    /// When ``generation`` last grew; nil before the first time.
    package var rotatedAt: Timestamp?
    /// Claims of a custom token, a JSON object as text.
    package var claims: String?
    /// The user's epoch when the session began. A session of an earlier epoch is dead.
    package var epoch: Int64
    package var revokedAt: Timestamp?
    package var revokedReason: String?

    package init(
        key: Int64, id: String, userKey: Int64, signInProvider: String, generation: Int64 = 0, authTime: Int64,
        createdAt: Timestamp, rotatedAt: Timestamp? = nil, claims: String? = nil, epoch: Int64,
        revokedAt: Timestamp? = nil, revokedReason: String? = nil
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
    }
}

extension Session {
    /// All columns, in the order in which `init(reading:)` and ``values`` have them.
    static let columns = """
        sessions.key, sessions.id, sessions.user_key, sessions.sign_in_provider, sessions.generation, \
        sessions.auth_time, sessions.created_at, sessions.rotated_at, sessions.claims, sessions.epoch, \
        sessions.revoked_at, sessions.revoked_reason
        """

    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            key: row.integer(), id: row.text(), userKey: row.integer(), signInProvider: row.text(),
            generation: row.integer(), authTime: row.integer(), createdAt: row.time(), rotatedAt: row.optionalTime(),
            claims: row.optionalText(), epoch: row.integer(), revokedAt: row.optionalTime(),
            revokedReason: row.optionalText())
    }

    var values: [SQLValue] {
        [
            .integer(key), .text(id), .integer(userKey), .text(signInProvider), .integer(generation),
            .integer(authTime), .time(createdAt), .time(orNull: rotatedAt), .text(orNull: claims), .integer(epoch),
            .time(orNull: revokedAt), .text(orNull: revokedReason),
        ]
    }
}

/// What is needed to judge a session and to mint its next token.
package struct SessionFacts: Sendable, Hashable {
    package var session: Session
    package var user: User
    /// In link order.
    package var identities: [Identity]

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
    }
}
