/// The sessions that a merge gives to the remaining user.
package struct MergedSessions: Sendable, Hashable {
    /// The absorbed user and the identity that was merged; only sessions that began with it move.
    package let absorbed: User
    package let identityKey: Int64
    /// The remaining user and the identity that stands for the merged one from now on.
    package let survivor: User
    package let heirKey: Int64
    /// The sessions of the family that have not expired by age.
    package let appSessions, clientSessions: SessionAge

    package init(
        of absorbed: User, begunWith identityKey: Int64, to survivor: User, with heirKey: Int64,
        appSessions: SessionAge, clientSessions: SessionAge
    ) {
        self.absorbed = absorbed
        self.identityKey = identityKey
        self.survivor = survivor
        self.heirKey = heirKey
        self.appSessions = appSessions
        self.clientSessions = clientSessions
    }
}

/// The age up to which sessions live.
package struct SessionAge: Sendable, Hashable {
    /// Sessions used last before this moment have expired.
    package let idleSince: Timestamp
    /// Sessions that began before this moment have expired.
    package let createdSince: Timestamp

    package init(idleSince: Timestamp, createdSince: Timestamp) {
        self.idleSince = idleSince
        self.createdSince = createdSince
    }
}

extension Session {
    /// The epoch of a session that waits for its client to accept a merge into a user of this epoch. It is never the epoch
    /// of a user, so that the session counts as live nowhere, also at brokers that do not know of such sessions.
    package static func waitingEpoch(of epoch: Int64) -> Int64 { -1 - epoch }

    /// ``waitingEpoch(of:)`` in SQL.
    static func waitingEpoch(ofSQL epoch: String) -> String { "(-1 - \(epoch))" }

    static func isWaitingOrLive(inEpoch epoch: String) -> String {
        "(epoch = \(epoch) OR merged_from IS NOT NULL AND epoch = \(waitingEpoch(ofSQL: epoch)))"
    }
}

extension Transaction {
    /// Gives the live sessions that began with a merged identity to the remaining user, in that user's epoch: those of
    /// Identity Toolkit, whose refresh tokens stay valid, and those of first-party OAuth clients, which wait until the client
    /// redeems a merge token.
    ///
    /// - Returns: how many moved.
    package func move(_ sessions: MergedSessions, at now: Timestamp) throws(StoreError) -> Int {
        // `family` is NULL for Identity Toolkit. To other OAuth clients a session must not name another user (OpenID Connect
        // Core §12.2), and those of the hosted pages belong to a browser.
        try run(
            "move_merged_sessions",
            """
            UPDATE sessions SET user_key = $3, identity_key = $5, merged_at = $6, acr = NULL,
                epoch = CASE WHEN family IS NULL THEN $4 ELSE \(Session.waitingEpoch(ofSQL: "$4")) END,
                merged_from = CASE WHEN family IS NULL THEN NULL ELSE coalesce(merged_from, $12) END
            WHERE user_key = $1 AND identity_key = $2 AND revoked_at IS NULL
                AND (family IS NULL AND epoch = $7 AND \(Session.latestUse) >= $8 AND created_at >= $9
                    OR family = 'oauth' AND \(Session.isWaitingOrLive(inEpoch: "$7"))
                        AND \(Session.latestUse) >= $10 AND created_at >= $11
                        AND client_id IN (SELECT clients.id FROM clients WHERE clients.first_party = 1))
            """, .integer(sessions.absorbed.key), .integer(sessions.identityKey), .integer(sessions.survivor.key),
            .integer(sessions.survivor.epoch), .integer(sessions.heirKey), .time(now),
            .integer(sessions.absorbed.epoch), .time(sessions.appSessions.idleSince),
            .time(sessions.appSessions.createdSince), .time(sessions.clientSessions.idleSince),
            .time(sessions.clientSessions.createdSince), .text(sessions.absorbed.localID))
    }

    /// Lets a session that waits for its client to accept a merge go on as the remaining user's, in its next generation.
    ///
    /// Of any number of concurrent calls with one generation, exactly one resumes it.
    ///
    /// - Parameters:
    ///   - session: The session as it was read, with the generation and the absorbed user of the merge token.
    ///   - survivor: The local id of the remaining user.
    ///   - age: The age up to which it lives.
    ///   - now: The time.
    /// - Returns: false if it does not wait like this any more, or its user may not sign in.
    /// - Throws: ``StoreError``.
    package func resume(
        _ session: Session, of survivor: String, _ age: SessionAge, at now: Timestamp
    ) throws(StoreError) -> Bool {
        try run(
            "resume_merged_session",
            """
            UPDATE sessions SET generation = generation + 1, rotated_at = $4, last_used_at = $4, merged_from = NULL,
                epoch = \(Session.waitingEpoch(ofSQL: "epoch"))
            WHERE key = $1 AND generation = $2 AND merged_from = $3 AND revoked_at IS NULL
                AND \(Session.latestUse) >= $5 AND created_at >= $6
                AND (SELECT CASE WHEN users.disabled = 0 AND users.local_id = $7
                        THEN \(Session.waitingEpoch(ofSQL: "users.epoch")) END
                    FROM users WHERE users.key = sessions.user_key) = epoch
            """, .integer(session.key), .integer(session.generation), .text(orNull: session.mergedFrom), .time(now),
            .time(age.idleSince), .time(age.createdSince), .text(survivor)) > 0
    }

    /// Makes sessions of a user no longer count as begun with an identity.
    package func forgetIdentity(_ identityKey: Int64, ofSessionsOf userKey: Int64) throws(StoreError) {
        try run(
            "forget_identity_of_sessions",
            "UPDATE sessions SET identity_key = NULL WHERE user_key = $1 AND identity_key = $2", .integer(userKey),
            .integer(identityKey))
    }

    /// The number of a user's sessions that were not ended, those that wait for their client included.
    package func liveSessionCount(of user: User) throws(StoreError) -> Int {
        try value(
            "live_sessions_of_user",
            """
            SELECT count(*) FROM sessions WHERE user_key = $1 AND revoked_at IS NULL
                AND \(Session.isWaitingOrLive(inEpoch: "$2"))
            """, .integer(user.key), .integer(user.epoch)
        ) { row throws(StoreError) in Int(clamping: try row.integer()) } ?? 0
    }
}
