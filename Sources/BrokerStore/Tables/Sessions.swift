/// The statements of `sessions`, without rotation.
enum SessionStatements {
    static let insert = Statement(
        "insert_session",
        """
        INSERT INTO sessions (key, id, user_key, sign_in_provider, generation, auth_time, created_at, rotated_at,
            claims, epoch, revoked_at, revoked_reason, family, client_id, scope, amr, parent_id, last_used_at,
            user_agent, address, acr, identity_key, merged_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
            $23)
        """,
        .integer, .text, .integer, .text, .integer, .integer, .integer, .integer, .text, .integer, .integer, .text,
        .text, .text, .text, .text, .text, .integer, .text, .text, .text, .integer, .integer)

    static let byID = Statement("session_by_id", "SELECT \(Session.columns) FROM sessions WHERE id = $1", .text)

    static let withUser = Statement(
        "session_with_user",
        """
        SELECT \(Session.columns), \(User.columns),
            CASE WHEN \(AccountNoticeStatements.areDue) THEN 1 ELSE 0 END
        FROM sessions JOIN users ON users.key = sessions.user_key WHERE sessions.id = $1
        """, .text)

    static let identities = Statement(
        "identities_of_session",
        """
        SELECT \(Identity.columns) FROM identities
        WHERE user_key = (SELECT sessions.user_key FROM sessions WHERE sessions.id = $1) ORDER BY key
        """, .text)

    static let lastRefresh = Statement(
        "last_refresh_of_user",
        """
        SELECT coalesce(max(coalesce(last_used_at, rotated_at)), 0) FROM sessions
        WHERE user_key = $1 AND coalesce(family, '') <> 'web'
        """, .integer)

    static let revoke = Statement(
        "revoke_session",
        """
        UPDATE sessions SET revoked_at = $2, revoked_reason = $3 WHERE id = $1 AND revoked_at IS NULL
        RETURNING \(EndedSession.columns)
        """, .text, .integer, .text)

    static let revokeOfUser = Statement(
        "revoke_sessions_of_user",
        """
        UPDATE sessions SET revoked_at = $2, revoked_reason = $3
        WHERE user_key = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
        """, .integer, .integer, .text)

    static let revokeBegunWith = Statement(
        "revoke_sessions_begun_with_provider",
        """
        UPDATE sessions SET revoked_at = $3, revoked_reason = $4
        WHERE user_key = $1 AND revoked_at IS NULL AND auth_time <= $5 AND (sign_in_provider = $2 OR parent_id IN (
            SELECT parents.id FROM sessions AS parents WHERE parents.user_key = $1 AND parents.sign_in_provider = $2))
        RETURNING \(EndedSession.columns)
        """, .integer, .text, .integer, .text, .integer)

    static let revokeChildren = Statement(
        "revoke_child_sessions",
        """
        UPDATE sessions SET revoked_at = $2, revoked_reason = $3
        WHERE parent_id = $1 AND revoked_at IS NULL RETURNING \(EndedSession.columns)
        """, .text, .integer, .text)

    static let revokeStretch = Statement(
        "revoke_stretch_of_sessions",
        """
        UPDATE sessions SET revoked_at = $3, revoked_reason = $4
        WHERE key IN (
            SELECT key FROM sessions WHERE key > $1 AND revoked_at IS NULL AND created_at < $2 ORDER BY key LIMIT $5)
        RETURNING \(EndedSession.columns)
        """, .integer, .integer, .integer, .text, .integer)

    static let moveChildren = Statement(
        "move_child_sessions", "UPDATE sessions SET parent_id = $2 WHERE parent_id = $1", .text, .text)

    static let moveCodes = Statement(
        "move_codes_of_session",
        "UPDATE authorization_codes SET parent_id = $2 WHERE parent_id = $1 AND consumed_at IS NULL", .text, .text)

    static let moveDevices = Statement(
        "move_devices_of_session",
        "UPDATE device_authorizations SET parent_id = $2 WHERE parent_id = $1 AND consumed_at IS NULL", .text, .text)

    static let rotate = Statement(
        "rotate_session",
        """
        UPDATE sessions SET generation = generation + 1, rotated_at = $3, last_used_at = $3
        WHERE id = $1 AND generation = $2 AND revoked_at IS NULL
            AND \(Session.latestUse) >= $4 AND created_at >= $5
            AND (SELECT users.disabled FROM users WHERE users.key = sessions.user_key) = 0
            AND (SELECT users.epoch FROM users WHERE users.key = sessions.user_key) = epoch
        RETURNING \(Session.columns)
        """, .text, .integer, .integer, .integer, .integer)

    static let recordLogin = Statement(
        "record_login_of_session",
        """
        UPDATE sessions SET sign_in_provider = $2, auth_time = $3, amr = $4, identity_key = $5, merged_at = $6
        WHERE id = $1 AND revoked_at IS NULL RETURNING key
        """, .text, .text, .integer, .text, .integer, .integer)

    static let recordUse = Statement(
        "record_use_of_session",
        """
        UPDATE sessions SET last_used_at = $2
        WHERE id = $1 AND revoked_at IS NULL AND \(Session.latestUse) < $2 RETURNING key
        """, .text, .integer)

    static let all = [
        insert, byID, withUser, identities, lastRefresh, revoke, revokeOfUser, revokeBegunWith,
        revokeChildren, revokeStretch, moveChildren, moveCodes, moveDevices, rotate, recordLogin, recordUse,
    ]
}

extension Transaction {
    /// Begins `session`.
    package func insert(_ session: Session) throws(StoreError) {
        try run(SessionStatements.insert, values: session.values)
    }

    /// The session with this id, valid or not.
    package func session(id: String) throws(StoreError) -> Session? {
        guard var row = try run(SessionStatements.byID, .text(id)).first else { return nil }
        return try Session(reading: &row)
    }

    /// The session with this id, valid or not, its user and the user's identities.
    package func sessionFacts(id: String) throws(StoreError) -> SessionFacts? {
        let rows = try run(SessionStatements.withUser, .text(id))
        guard !rows.isEmpty else { return nil }
        return try SessionFacts(reading: rows, identities: run(SessionStatements.identities, .text(id)))
    }

    /// The time of the last refresh of a user's sessions; sign-ins are not included.
    package func lastRefresh(of userKey: Int64) throws(StoreError) -> Timestamp? {
        guard var row = try run(SessionStatements.lastRefresh, .integer(userKey)).first else { return nil }
        let time = try row.time()
        return time.milliseconds == 0 ? nil : time
    }

    /// Records another login as the one that a session began with.
    ///
    /// - Parameter session: The session with the provider, the time, the methods and the identity of that login.
    /// - Throws: ``StoreError``.
    package func recordLogin(of session: Session) throws(StoreError) {
        try run(
            SessionStatements.recordLogin, .text(session.id), .text(session.signInProvider),
            .integer(session.authTime), .text(orNull: session.authenticationMethods),
            .integer(orNull: session.identityKey), .time(orNull: session.mergedAt))
    }

    /// Records that a session was used, unless a later use is on record.
    package func recordUse(ofSession id: String, at now: Timestamp) throws(StoreError) {
        try run(SessionStatements.recordUse, .text(id), .time(now))
    }

    /// Ends a session.
    ///
    /// - Returns: false if there is none that was still alive.
    package func revokeSession(id: String, at now: Timestamp, reason: String) throws(StoreError) -> Bool {
        try publishEnds(run(SessionStatements.revoke, .text(id), .time(now), .text(reason)), reason: reason) > 0
    }

    /// Ends the sessions that came from one of the hosted pages.
    ///
    /// - Returns: how many were still alive.
    @discardableResult
    package func revokeSessions(from parentID: String, at now: Timestamp, reason: String) throws(StoreError) -> Int {
        try publishEnds(
            run(SessionStatements.revokeChildren, .text(parentID), .time(now), .text(reason)), reason: reason)
    }

    /// Puts one session of the hosted pages in another's place, for the sessions that came from it, and for codes and
    /// devices on their way to be some.
    package func moveSessions(from parentID: String, to newParentID: String) throws(StoreError) {
        try run(SessionStatements.moveChildren, .text(parentID), .text(newParentID))
        try run(SessionStatements.moveCodes, .text(parentID), .text(newParentID))
        try run(SessionStatements.moveDevices, .text(parentID), .text(newParentID))
    }

    /// Ends all sessions of a user.
    ///
    /// - Returns: how many were still alive.
    @discardableResult
    package func revokeSessions(of userKey: Int64, at now: Timestamp, reason: String) throws(StoreError) -> Int {
        try publishEnds(
            run(SessionStatements.revokeOfUser, .integer(userKey), .time(now), .text(reason)), reason: reason)
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
            run(
                SessionStatements.revokeBegunWith, .integer(userKey), .text(provider), .time(now), .text(reason),
                .integer(moment?.seconds ?? .max)), reason: reason)
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
        let rows = try run(
            SessionStatements.revokeStretch, .integer(key), .time(moment), .time(now), .text(reason), .limit(limit))
        var last = key
        for row in rows {
            var row = row
            last = max(last, try row.integer())
        }
        return rows.isEmpty ? nil : (try publishEnds(rows, reason: reason), last)
    }
}
