/// The statements that read many users with all that belongs to them: one statement for each table and page.
enum UserPageStatements {
    /// The users of a page, `$1` excluded, `$2` included.
    private static let range = "users.local_id > $1 AND users.local_id <= $2"

    static let identities = Statement(
        "identities_of_user_page",
        """
        SELECT \(Identity.columns) FROM identities
        WHERE user_key IN (SELECT users.key FROM users WHERE \(range)) ORDER BY key
        """, .text, .text)

    static let subjectAliases = Statement(
        "subject_aliases_of_user_page",
        """
        SELECT alias.identity_key, alias.provider, alias.issuer, alias.subject FROM identity_aliases AS alias
        WHERE alias.identity_key IN (
            SELECT identities.key FROM identities JOIN users ON users.key = identities.user_key WHERE \(range))
        ORDER BY alias.created_at, alias.subject
        """, .text, .text)

    static let userAliases = Statement(
        "aliases_of_user_page",
        """
        SELECT alias.user_key, alias.local_id FROM user_aliases AS alias
        WHERE alias.user_key IN (SELECT users.key FROM users WHERE \(range))
        ORDER BY alias.created_at, alias.local_id
        """, .text, .text)

    static let lastRefreshes = Statement(
        "last_refreshes_of_user_page",
        """
        SELECT user_key, max(coalesce(last_used_at, rotated_at)) FROM sessions
        WHERE coalesce(last_used_at, rotated_at) IS NOT NULL AND coalesce(family, '') <> 'web'
            AND user_key IN (SELECT users.key FROM users WHERE \(range))
        GROUP BY user_key
        """, .text, .text)

    static let all = [identities, subjectAliases, userAliases, lastRefreshes]
}

/// Successive users in the order of their local ids, with what other tables have about them.
package struct UserPage: Sendable {
    package var users: [User]
    /// By the key of the user, in the order in which they were linked.
    package var identities: [Int64: [Identity]] = [:]
    /// The further subjects of identities, by the key of the identity, oldest first.
    package var subjectAliases: [Int64: [IdentityKey]] = [:]
    /// The local ids of users merged into these, by the key of the user, oldest first.
    package var userAliases: [Int64: [String]] = [:]
}

extension Transaction {
    /// Reads the next `limit` users after `localID`, or from the first, with their identities and the time of their last
    /// refresh.
    ///
    /// - Parameters:
    ///   - localID: The last one of the previous page.
    ///   - limit: The maximum number of users.
    ///   - includesAliases: Whether the aliases of users and of their identities are read.
    /// - Returns: The page; it is the last one if it has fewer users than `limit`.
    /// - Throws: ``StoreError``.
    package func userPage(
        after localID: String?, limit: Int, includesAliases: Bool = false
    ) throws(StoreError) -> UserPage {
        var page = UserPage(users: try users(after: localID, limit: limit))
        guard let last = page.users.last else { return page }
        let range: [SQLValue] = [.text(localID ?? ""), .text(last.localID)]
        for var row in try run(UserPageStatements.identities, values: range) {
            let identity = try Identity(reading: &row)
            page.identities[identity.userKey, default: []].append(identity)
        }
        var refreshes: [Int64: Timestamp] = [:]
        for var row in try run(UserPageStatements.lastRefreshes, values: range) {
            refreshes[try row.integer()] = try row.time()
        }
        for index in page.users.indices {
            let known = page.users[index].lastRefreshAt
            page.users[index].lastRefreshAt = [known, refreshes[page.users[index].key]].compactMap(\.self).max()
        }
        guard includesAliases else { return page }
        for var row in try run(UserPageStatements.subjectAliases, values: range) {
            let key = try row.integer()
            let alias = try IdentityKey(provider: row.text(), issuer: row.text(), subject: row.text())
            page.subjectAliases[key, default: []].append(alias)
        }
        for var row in try run(UserPageStatements.userAliases, values: range) {
            page.userAliases[try row.integer(), default: []].append(try row.text())
        }
        return page
    }
}
