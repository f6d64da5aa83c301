/// The local ids of users that were merged into others.
extension Transaction {
    /// Makes the local id of a deleted user stand for another user, until that one is deleted.
    ///
    /// - Returns: false if a user or an alias has the local id.
    package func addUserAlias(_ localID: String, of userKey: Int64, at now: Timestamp) throws(StoreError) -> Bool {
        noteTextChange(of: userKey)
        return try run(
            "add_user_alias",
            """
            INSERT INTO user_aliases (local_id, user_key, created_at) SELECT $1, $2, $3
            WHERE NOT EXISTS (SELECT 1 FROM users WHERE local_id = $1)
            ON CONFLICT DO NOTHING
            """, .text(localID), .integer(userKey), .time(now)) > 0
    }

    /// The user that the user of this local id was merged into, if any.
    package func user(absorbing localID: String) throws(StoreError) -> User? {
        try first(
            "user_by_alias",
            """
            SELECT \(User.columns) FROM user_aliases JOIN users ON users.key = user_aliases.user_key
            WHERE user_aliases.local_id = $1
            """, .text(localID))
    }

    /// The local ids of the users that were merged into a user, oldest first.
    package func userAliases(of userKey: Int64) throws(StoreError) -> [String] {
        try rows(
            "aliases_of_user", "SELECT local_id FROM user_aliases WHERE user_key = $1 ORDER BY created_at, local_id",
            .integer(userKey)
        ) { row throws(StoreError) in try row.text() }
    }

    /// Removes an alias.
    ///
    /// - Returns: false if there is none.
    package func removeUserAlias(_ localID: String) throws(StoreError) -> Bool {
        try noteTextChange(
            ofOwner: value(
                "remove_user_alias", "DELETE FROM user_aliases WHERE local_id = $1 RETURNING user_key", .text(localID)
            ) { row throws(StoreError) in try row.integer() })
    }
}
