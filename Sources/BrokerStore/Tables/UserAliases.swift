/// The statements of `user_aliases`: the local ids of users that were merged into others.
enum UserAliasStatements {
    static let add = Statement(
        "add_user_alias",
        """
        INSERT INTO user_aliases (local_id, user_key, created_at) SELECT $1, $2, $3
        WHERE NOT EXISTS (SELECT 1 FROM users WHERE local_id = $1)
        ON CONFLICT DO NOTHING RETURNING user_key
        """, .text, .integer, .integer)

    static let user = Statement(
        "user_by_alias",
        """
        SELECT \(User.columns) FROM user_aliases JOIN users ON users.key = user_aliases.user_key
        WHERE user_aliases.local_id = $1
        """, .text)

    static let ofUser = Statement(
        "aliases_of_user", "SELECT local_id FROM user_aliases WHERE user_key = $1 ORDER BY created_at, local_id",
        .integer)

    static let move = Statement(
        "move_user_aliases", "UPDATE user_aliases SET user_key = $2 WHERE user_key = $1", .integer, .integer)

    static let moveOne = Statement(
        "move_user_alias", "UPDATE user_aliases SET user_key = $3 WHERE local_id = $1 AND user_key = $2",
        .text, .integer, .integer)

    static let remove = Statement(
        "remove_user_alias", "DELETE FROM user_aliases WHERE local_id = $1 RETURNING user_key", .text)

    static let all = [add, user, ofUser, move, moveOne, remove]
}

extension Transaction {
    /// Makes the local id of a deleted user stand for another user, until that one is deleted.
    ///
    /// - Returns: false if a user or an alias has the local id.
    package func addUserAlias(_ localID: String, of userKey: Int64, at now: Timestamp) throws(StoreError) -> Bool {
        try !run(UserAliasStatements.add, .text(localID), .integer(userKey), .time(now)).isEmpty
    }

    /// The user that the user of this local id was merged into, if any.
    package func user(absorbing localID: String) throws(StoreError) -> User? {
        guard var row = try run(UserAliasStatements.user, .text(localID)).first else { return nil }
        return try User(reading: &row)
    }

    /// The local ids of the users that were merged into a user, oldest first.
    package func userAliases(of userKey: Int64) throws(StoreError) -> [String] {
        try run(UserAliasStatements.ofUser, .integer(userKey)).map { row throws(StoreError) in
            var row = row
            return try row.text()
        }
    }

    /// Makes every alias of one user stand for another, so that aliases never lead to aliases.
    package func moveUserAliases(from userKey: Int64, to survivor: Int64) throws(StoreError) {
        try run(UserAliasStatements.move, .integer(userKey), .integer(survivor))
    }

    /// Makes one alias of a user stand for another user.
    package func moveUserAlias(_ localID: String, from userKey: Int64, to heir: Int64) throws(StoreError) {
        try run(UserAliasStatements.moveOne, .text(localID), .integer(userKey), .integer(heir))
    }

    /// Removes an alias.
    ///
    /// - Returns: false if there is none.
    package func removeUserAlias(_ localID: String) throws(StoreError) -> Bool {
        try !run(UserAliasStatements.remove, .text(localID)).isEmpty
    }
}
