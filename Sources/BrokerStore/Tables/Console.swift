extension Transaction {
    /// The administrator that this subject is.
    package func consoleAdministrator(_ identity: IdentityKey) throws(StoreError) -> ConsoleAdministrator? {
        try first(
            "console_administrator_by_subject",
            """
            SELECT \(ConsoleAdministrator.columns) FROM console_administrators
            WHERE provider = $1 AND issuer = $2 AND subject = $3
            """, .text(identity.provider), .text(identity.issuer), .text(identity.subject))
    }

    /// The administrator that an address of the configuration is bound to.
    package func consoleAdministrator(
        provider: String, boundEmail: String
    ) throws(StoreError) -> ConsoleAdministrator? {
        try first(
            "console_administrator_by_email",
            """
            SELECT \(ConsoleAdministrator.columns) FROM console_administrators WHERE provider = $1 AND email = $2
            """, .text(provider), .text(boundEmail))
    }

    /// The administrator with this key.
    package func consoleAdministrator(key: Int64) throws(StoreError) -> ConsoleAdministrator? {
        try first(
            "console_administrator",
            "SELECT \(ConsoleAdministrator.columns) FROM console_administrators WHERE key = $1", .integer(key))
    }

    /// The administrator with this id.
    package func consoleAdministrator(id: String) throws(StoreError) -> ConsoleAdministrator? {
        try first(
            "console_administrator_by_id",
            "SELECT \(ConsoleAdministrator.columns) FROM console_administrators WHERE id = $1", .text(id))
    }

    /// All administrators, the earliest first.
    package func consoleAdministrators() throws(StoreError) -> [ConsoleAdministrator] {
        try all(
            "console_administrators",
            "SELECT \(ConsoleAdministrator.columns) FROM console_administrators ORDER BY key")
    }

    /// Updates an administrator.
    package func update(_ administrator: ConsoleAdministrator) throws(StoreError) {
        try run(
            "update_console_administrator",
            """
            UPDATE console_administrators SET name = $2, role = $3, email = $4, last_sign_in_at = $5
            WHERE key = $1
            """, .integer(administrator.key), .text(administrator.name), .text(orNull: administrator.role),
            .text(orNull: administrator.email), .time(orNull: administrator.lastSignInAt))
    }

    /// Removes an administrator with the sessions.
    ///
    /// - Returns: The administrator; nil if there is none with this id.
    package func removeConsoleAdministrator(id: String) throws(StoreError) -> ConsoleAdministrator? {
        try first(
            "remove_console_administrator",
            "DELETE FROM console_administrators WHERE id = $1 RETURNING \(ConsoleAdministrator.columns)", .text(id))
    }

    /// The session whose cookie has this hash.
    package func consoleSession(tokenHash: [UInt8]) throws(StoreError) -> ConsoleSession? {
        try first(
            "console_session", "SELECT \(ConsoleSession.columns) FROM console_sessions WHERE token_hash = $1",
            .blob(tokenHash))
    }

    /// Records the use of a session, unless one after `earlier` is recorded.
    package func noteUse(ofConsoleSession key: Int64, at now: Timestamp, since earlier: Timestamp) throws(StoreError) {
        try run(
            "use_console_session",
            "UPDATE console_sessions SET last_used_at = $2 WHERE key = $1 AND last_used_at <= $3",
            .integer(key), .time(now), .time(earlier))
    }

    /// Removes a session.
    ///
    /// - Returns: Whether there was one.
    package func removeConsoleSession(tokenHash: [UInt8]) throws(StoreError) -> Bool {
        try run(
            "remove_console_session", "DELETE FROM console_sessions WHERE token_hash = $1",
            .blob(tokenHash)) > 0
    }

    /// Removes the sessions that began before one moment or were used last before another.
    ///
    /// - Returns: How many there were.
    @discardableResult
    package func removeConsoleSessions(
        begunBefore start: Timestamp, idleSince use: Timestamp
    ) throws(StoreError) -> Int {
        try run(
            "remove_old_console_sessions",
            "DELETE FROM console_sessions WHERE created_at < $1 OR last_used_at < $2",
            .time(start), .time(use))
    }
}
