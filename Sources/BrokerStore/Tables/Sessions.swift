import StoreSchema

extension Session {
    /// The token family of the session. The families never accept each other's tokens.
    package enum Family: String, Sendable, Hashable {
        // Null in the table: brokers that knew one family only wrote and read none.
        case identityToolkit = "identity-toolkit"
        /// A browser at the hosted pages, by its cookie.
        case web
        /// A client of the broker as OpenID Provider.
        case oauth
    }

    /// The time of the last use or the start. Earlier brokers record only refreshes.
    package var latestUse: Timestamp { lastUsedAt ?? rotatedAt ?? createdAt }

    /// ``latestUse`` in SQL.
    static let latestUse = "coalesce(sessions.last_used_at, sessions.rotated_at, sessions.created_at)"

    // The user is a scalar subquery, not EXISTS, which PostgreSQL makes a join: an UPDATE that waited for a merge looks at
    // the changed session again, and would compare it with the user of before.
    package static let rotation = Statement(
        "rotate_session",
        """
        UPDATE sessions SET generation = generation + 1, rotated_at = $3, last_used_at = $3
        WHERE id = $1 AND generation = $2 AND revoked_at IS NULL
            AND \(Session.latestUse) >= $4 AND created_at >= $5
            AND (SELECT CASE WHEN users.disabled = 0 THEN users.epoch END
                FROM users WHERE users.key = sessions.user_key) = epoch
        """, .text, .integer, .integer, .integer, .integer)
}

extension Transaction {
    /// The session with this id, valid or not.
    package func session(id: String) throws(StoreError) -> Session? {
        try first("session_by_id", "SELECT \(Session.columns) FROM sessions WHERE id = $1", .text(id))
    }

    /// The time of the last refresh of a user's sessions; sign-ins are not included.
    package func lastRefresh(of userKey: Int64) throws(StoreError) -> Timestamp? {
        let time = try value(
            "last_refresh_of_user",
            """
            SELECT coalesce(max(coalesce(last_used_at, rotated_at)), 0) FROM sessions
            WHERE user_key = $1 AND coalesce(family, '') <> 'web'
            """, .integer(userKey)
        ) { row throws(StoreError) in try row.time() }
        return time?.milliseconds == 0 ? nil : time
    }

    /// Records another login as the one that a session began with.
    ///
    /// - Parameter session: The session with the provider, the time, the methods and the identity of that login.
    /// - Throws: ``StoreError``.
    package func recordLogin(of session: Session) throws(StoreError) {
        try run(
            "record_login_of_session",
            """
            UPDATE sessions SET sign_in_provider = $2, auth_time = $3, amr = $4, identity_key = $5, merged_at = $6
            WHERE id = $1 AND revoked_at IS NULL
            """, .text(session.id), .text(session.signInProvider), .integer(session.authTime),
            .text(orNull: session.authenticationMethods), .integer(orNull: session.identityKey),
            .time(orNull: session.mergedAt))
    }

    /// Records that a session was used, unless a later use is on record.
    package func recordUse(ofSession id: String, at now: Timestamp) throws(StoreError) {
        try run(
            "record_use_of_session",
            """
            UPDATE sessions SET last_used_at = $2
            WHERE id = $1 AND revoked_at IS NULL AND \(Session.latestUse) < $2
            """, .text(id), .time(now))
    }

    /// Ends a session.
    ///
    /// - Returns: false if there is none that was still alive.
    package func revokeSession(id: String, at now: Timestamp, reason: String) throws(StoreError) -> Bool {
        try publishEnds(
            of: rows(
                "revoke_session",
                """
                UPDATE sessions SET revoked_at = $2, revoked_reason = $3 WHERE id = $1 AND revoked_at IS NULL
                RETURNING \(EndedSession.columns)
                """, .text(id), .time(now), .text(reason), decode: EndedSession.init(reading:)), reason: reason) > 0
    }

    /// Ends the sessions that came from one of the hosted pages.
    ///
    /// - Returns: how many were still alive.
    @discardableResult
    package func revokeSessions(from parentID: String, at now: Timestamp, reason: String) throws(StoreError) -> Int {
        try publishEnds(
            of: rows(
                "revoke_child_sessions",
                """
                UPDATE sessions SET revoked_at = $2, revoked_reason = $3
                WHERE parent_id = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
                """, .text(parentID), .time(now), .text(reason), decode: EndedSession.init(reading:)), reason: reason)
    }

    /// Puts one session of the hosted pages in another's place, for the sessions that came from it, and for codes and
    /// devices on their way to be some.
    package func moveSessions(from parentID: String, to newParentID: String) throws(StoreError) {
        try run(
            "move_child_sessions", "UPDATE sessions SET parent_id = $2 WHERE parent_id = $1", .text(parentID),
            .text(newParentID))
        try run(
            "move_codes_of_session",
            "UPDATE authorization_codes SET parent_id = $2 WHERE parent_id = $1 AND consumed_at IS NULL",
            .text(parentID), .text(newParentID))
        try run(
            "move_devices_of_session",
            "UPDATE device_authorizations SET parent_id = $2 WHERE parent_id = $1 AND consumed_at IS NULL",
            .text(parentID), .text(newParentID))
    }

    /// Ends all sessions of a user.
    ///
    /// - Returns: how many were still alive.
    @discardableResult
    package func revokeSessions(of userKey: Int64, at now: Timestamp, reason: String) throws(StoreError) -> Int {
        try publishEnds(
            of: rows(
                "revoke_sessions_of_user",
                """
                UPDATE sessions SET revoked_at = $2, revoked_reason = $3
                WHERE user_key = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
                """, .integer(userKey), .time(now), .text(reason), decode: EndedSession.init(reading:)),
            reason: reason)
    }

    /// Ends a user's sessions that began with one provider, in every family, with the sessions that came from them.
    ///
    /// - Parameters:
    ///   - userKey: The user.
    ///   - provider: The id of the provider's entry.
    ///   - moment: Only sessions whose login is not later end; nil for all of them.
    ///   - now: The time.
    ///   - reason: The reason of the revocation.
    /// - Returns: The number of sessions that were not ended before.
    /// - Throws: ``StoreError``.
    @discardableResult
    package func revokeSessions(
        of userKey: Int64, begunWith provider: String, authenticatedBy moment: Timestamp? = nil, at now: Timestamp,
        reason: String
    ) throws(StoreError) -> Int {
        try publishEnds(
            of: rows(
                "revoke_sessions_begun_with_provider",
                """
                UPDATE sessions SET revoked_at = $3, revoked_reason = $4
                WHERE user_key = $1 AND revoked_at IS NULL AND auth_time <= $5
                    AND (sign_in_provider = $2 OR parent_id IN (
                        SELECT parents.id FROM sessions AS parents
                        WHERE parents.user_key = $1 AND parents.sign_in_provider = $2))
                RETURNING \(EndedSession.columns)
                """, .integer(userKey), .text(provider), .time(now), .text(reason),
                .integer(moment?.seconds ?? .max), decode: EndedSession.init(reading:)), reason: reason)
    }

    /// Revokes the next sessions, whosever they are, in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: The last one of the stretch before; 0 at the start.
    ///   - moment: Those that began at it or later stay.
    ///   - now: The moment of the revocation.
    ///   - reason: For the operator.
    ///   - limit: The maximum number of sessions.
    /// - Returns: How many were revoked, and the last one's key; nil at the end.
    /// - Throws: ``StoreError``.
    package func revokeSessions(
        after key: Int64, begunBefore moment: Timestamp, at now: Timestamp, reason: String, limit: Int
    ) throws(StoreError) -> (count: Int, last: Int64)? {
        let ended = try rows(
            "revoke_stretch_of_sessions",
            """
            UPDATE sessions SET revoked_at = $3, revoked_reason = $4
            WHERE key IN (
                SELECT key FROM sessions WHERE key > $1 AND revoked_at IS NULL AND created_at < $2
                ORDER BY key LIMIT $5)
            RETURNING \(EndedSession.columns)
            """, .integer(key), .time(moment), .time(now), .text(reason), .limit(limit),
            decode: EndedSession.init(reading:))
        guard let last = ended.map(\.key).max() else { return nil }
        return (try publishEnds(of: ended, reason: reason), last)
    }
}
