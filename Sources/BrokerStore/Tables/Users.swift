import StoreSchema

extension User {
    /// The columns that ``Transaction/replace(_:)`` writes: all but the ids and what ends older tokens.
    static let replaced = table.columns.filter {
        !["key", "local_id", "valid_since", "epoch"].contains($0.name)
    }

    private static let replacedPositions = replaced.compactMap { column in table.columns.firstIndex(of: column) }

    static let replacement = Statement(
        "replace_user",
        """
        UPDATE users SET \(User.replaced.enumerated().map { "\($1.name) = $\($0 + 2)" }.joined(separator: ", "))
        WHERE key = $1
        """, parameters: [.integer] + User.replaced.map(\.type))

    fileprivate var replacementValues: [SQLValue] {
        let values = values
        return [.integer(key)] + Self.replacedPositions.map { values[$0] }
    }
}

/// What the user of a sign-in has.
package struct SignInRecord: Sendable, Hashable {
    /// The sessions that are not revoked.
    package let liveSessions: Int64
    /// Whether there are notices for the user's apps.
    package let hasNotices: Bool
}

extension Transaction {
    /// Adds `user`.
    ///
    /// - Returns: false if another user has its local id or its e-mail; then nothing was written.
    package func insert(_ user: User) throws(StoreError) -> Bool {
        guard try insertUnlessTaken(user) else { return false }
        noteTexts(ofNew: user)
        return true
    }

    /// The user with this private key.
    package func user(key: Int64) throws(StoreError) -> User? {
        try first("user_by_key", "SELECT \(User.columns) FROM users WHERE key = $1", .integer(key))
    }

    /// The user with this public id.
    package func user(localID: String) throws(StoreError) -> User? {
        try first("user_by_local_id", "SELECT \(User.columns) FROM users WHERE local_id = $1", .text(localID))
    }

    /// The user of `identity`, by its own subject or as an alias, if any.
    package func user(owning identity: IdentityKey) throws(StoreError) -> User? {
        try first(
            "user_by_identity",
            """
            SELECT \(User.columns) FROM identities JOIN users ON users.key = identities.user_key
            WHERE identities.key = \(IdentityKey.lookup)
            """, .text(identity.provider), .text(identity.issuer), .text(identity.subject))
    }

    /// The user whose own address is `canonical`; addresses of linked identities are ignored.
    package func user(holdingEmail canonical: String) throws(StoreError) -> User? {
        try first("user_by_email", "SELECT \(User.columns) FROM users WHERE email_canonical = $1", .text(canonical))
    }

    /// The user of the oldest identity with this address; users' own addresses are ignored.
    package func user(withIdentityEmail email: String) throws(StoreError) -> User? {
        try first(
            "user_by_identity_email",
            """
            SELECT \(User.columns) FROM identities JOIN users ON users.key = identities.user_key
            WHERE identities.email = $1 ORDER BY identities.key LIMIT 1
            """, .text(email))
    }

    /// The users, at most 100, whose first address was this one, before they changed it.
    package func users(initialEmail email: String) throws(StoreError) -> [User] {
        try all(
            "users_by_initial_email",
            "SELECT \(User.columns) FROM users WHERE initial_email = $1 ORDER BY key LIMIT 100", .text(email))
    }

    /// The users, at most 100, with an identity of this subject at a provider entry, whatever its issuer.
    package func users(withSubject subject: String, at provider: String) throws(StoreError) -> [User] {
        try all(
            "users_by_subject",
            """
            SELECT \(User.columns) FROM identities JOIN users ON users.key = identities.user_key
            WHERE identities.provider = $1 AND identities.subject = $2 ORDER BY identities.key LIMIT 100
            """, .text(provider), .text(subject))
    }

    /// The next `limit` users in the order of their local ids, after `localID` or from the first.
    package func users(after localID: String?, limit: Int) throws(StoreError) -> [User] {
        try all(
            "users_page", "SELECT \(User.columns) FROM users WHERE local_id > $1 ORDER BY local_id LIMIT $2",
            .text(localID ?? ""), .limit(limit))
    }

    /// The same of anonymous users: all identities are anonymous, or there are none; there is no address,
    /// and the user never had a custom token.
    package func anonymousUsers(after localID: String?, limit: Int) throws(StoreError) -> [User] {
        try all(
            "anonymous_users_page",
            """
            SELECT \(User.columns) FROM users WHERE local_id > $1 AND \(User.isAnonymousInSQL)
            ORDER BY local_id LIMIT $2
            """, .text(localID ?? ""), .limit(limit))
    }

    /// The number of these users.
    package func anonymousUserCount() throws(StoreError) -> Int {
        try value(
            "count_anonymous_users", "SELECT count(*) FROM users WHERE \(User.isAnonymousInSQL)"
        ) { row throws(StoreError) in Int(try row.integer()) } ?? 0
    }

    /// Replaces everything about a user but the local id and the epoch. No other user holds the address, which is for the
    /// caller to make sure of in the same transaction.
    package func replace(_ user: User) throws(StoreError) {
        try run(User.replacement, values: user.replacementValues)
        noteTextChange(of: user.key)
    }

    /// Takes the address away from a user.
    package func releaseEmail(of userKey: Int64) throws(StoreError) {
        try run(
            "release_email",
            """
            UPDATE users SET email = NULL, email_canonical = NULL, email_verified = 0, email_asserted_by = NULL,
                email_asserted_at = NULL
            WHERE key = $1
            """, .integer(userKey))
        noteTextChange(of: userKey)
    }

    /// Gives a user an address, in place of the one they may have had.
    ///
    /// - Returns: false if another user holds it, or the user is gone; then nothing was written.
    package func setEmail(
        of userKey: Int64, email: String, canonical: String, verified: Bool, assertedBy provider: String?,
        at now: Timestamp
    ) throws(StoreError) -> Bool {
        noteTextChange(of: userKey)
        return try run(
            "set_email",
            """
            UPDATE users SET email = $2, email_canonical = $3, email_verified = $4, email_asserted_by = $5,
                email_asserted_at = $6
            WHERE key = $1 AND NOT EXISTS (
                SELECT 1 FROM users AS holder WHERE holder.email_canonical = $3 AND holder.key <> $1)
            """, .integer(userKey), .text(email), .text(canonical), .flag(verified), .text(orNull: provider),
            .time(now)) > 0
    }

    /// Notes that a user signed in, which is also a refresh.
    ///
    /// - Returns: What the user has; nothing where the user is gone.
    @discardableResult
    package func recordSignIn(userKey: Int64, at now: Timestamp) throws(StoreError) -> SignInRecord {
        let record = try value(
            "record_sign_in",
            """
            UPDATE users SET last_login_at = $2, last_refresh_at = $2 WHERE key = $1
            RETURNING (
                SELECT count(*) FROM sessions WHERE sessions.user_key = users.key AND sessions.revoked_at IS NULL),
                (SELECT count(*) FROM account_notices WHERE account_notices.user_key = users.key)
            """, .integer(userKey), .time(now)
        ) { row throws(StoreError) in
            SignInRecord(liveSessions: try row.integer(), hasNotices: try row.integer() > 0)
        }
        return record ?? SignInRecord(liveSessions: 0, hasNotices: false)
    }

    /// Notes that a user got new tokens.
    package func recordRefresh(userKey: Int64, at now: Timestamp) throws(StoreError) {
        try run(
            "record_refresh", "UPDATE users SET last_refresh_at = $2 WHERE key = $1", .integer(userKey), .time(now))
    }

    /// Replaces the user's own profile by the one that `user` has, with the times of its edits; what is nil is cleared.
    package func setProfile(of user: User) throws(StoreError) {
        try run(
            "set_user_profile",
            """
            UPDATE users SET display_name = $2, photo_url = $3, screen_name = $4, display_name_edited_at = $5,
                photo_url_edited_at = $6
            WHERE key = $1
            """,
            .integer(user.key), .text(orNull: user.displayName), .text(orNull: user.photoURL),
            .text(orNull: user.screenName), .time(orNull: user.displayNameEditedAt),
            .time(orNull: user.photoURLEditedAt))
        noteTextChange(of: user.key)
    }

    /// Ends the validity of everything that was issued to a user.
    ///
    /// - Parameters:
    ///   - userKey: The user.
    ///   - validSince: Whole seconds since 1970, for the wire.
    /// - Returns: The new epoch; nil if the user does not exist.
    /// - Throws: ``StoreError``.
    package func bumpEpoch(userKey: Int64, validSince: Int64) throws(StoreError) -> Int64? {
        try value(
            "bump_epoch", "UPDATE users SET epoch = epoch + 1, valid_since = $2 WHERE key = $1 RETURNING epoch",
            .integer(userKey), .integer(validSince)
        ) { row throws(StoreError) in try row.integer() }
    }

    /// Remembers the address a user had before the first change of it.
    package func recordInitialEmail(of userKey: Int64, _ email: String) throws(StoreError) {
        try run(
            "record_initial_email", "UPDATE users SET initial_email = $2 WHERE key = $1 AND initial_email IS NULL",
            .integer(userKey), .text(email))
        noteTextChange(of: userKey)
    }

    /// Notes that a user signs in with custom tokens.
    package func recordCustomAuth(userKey: Int64) throws(StoreError) {
        try run("record_custom_auth", "UPDATE users SET custom_auth = 1 WHERE key = $1", .integer(userKey))
    }

    /// Removes a user with their identities, sessions and provider grants. The sessions' ends are published.
    ///
    /// - Returns: false if the user was gone already.
    package func deleteUser(key userKey: Int64) throws(StoreError) -> Bool {
        try publishEnds(ofSessionsOf: userKey, reason: "the user was removed")
        forgetTextChange(of: userKey)
        return try run("delete_user", "DELETE FROM users WHERE key = $1", .integer(userKey)) > 0
    }
}

extension User {
    /// Whether the user is only a device if all identities are anonymous: there is no address, and there never was a custom
    /// token.
    package var isAnonymousByItself: Bool { !isCustomAuth && email == nil }

    /// The same with the identities.
    static let isAnonymousInSQL = """
        users.custom_auth = 0 AND users.email IS NULL AND NOT EXISTS (
            SELECT 1 FROM identities WHERE identities.user_key = users.key AND identities.anonymous = 0)
        """
}
