/// Successive users in the order of their local ids, with what other tables have about them: one query for each table.
package struct UserPage: Sendable {
    /// The users of a page, `$1` excluded, `$2` included.
    static let range = "users.local_id > $1 AND users.local_id <= $2"

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
        guard let last = page.users.last?.localID else { return page }
        let identities: [Identity] = try all(
            "identities_of_user_page",
            """
            SELECT \(Identity.columns) FROM identities
            WHERE user_key IN (SELECT users.key FROM users WHERE \(UserPage.range)) ORDER BY key
            """, .text(localID ?? ""), .text(last))
        page.identities = Dictionary(grouping: identities, by: \.userKey)
        let refreshes = try rows(
            "last_refreshes_of_user_page",
            """
            SELECT user_key, max(coalesce(last_used_at, rotated_at)) FROM sessions
            WHERE coalesce(last_used_at, rotated_at) IS NOT NULL AND coalesce(family, '') <> 'web'
                AND user_key IN (SELECT users.key FROM users WHERE \(UserPage.range))
            GROUP BY user_key
            """, .text(localID ?? ""), .text(last)
        ) { row throws(StoreError) in (try row.integer(), try row.time()) }
        let lastRefreshes = Dictionary(uniqueKeysWithValues: refreshes)
        for index in page.users.indices {
            let known = page.users[index].lastRefreshAt
            page.users[index].lastRefreshAt = [known, lastRefreshes[page.users[index].key]].compactMap(\.self).max()
        }
        guard includesAliases else { return page }
        let subjects = try rows(
            "subject_aliases_of_user_page",
            """
            SELECT alias.identity_key, alias.provider, alias.issuer, alias.subject FROM identity_aliases AS alias
            WHERE alias.identity_key IN (
                SELECT identities.key FROM identities JOIN users ON users.key = identities.user_key
                WHERE \(UserPage.range))
            ORDER BY alias.created_at, alias.subject
            """, .text(localID ?? ""), .text(last)
        ) { row throws(StoreError) in (identityKey: try row.integer(), alias: try IdentityKey(reading: &row)) }
        page.subjectAliases = Dictionary(grouping: subjects, by: \.identityKey).mapValues { $0.map(\.alias) }
        let localIDs = try rows(
            "aliases_of_user_page",
            """
            SELECT alias.user_key, alias.local_id FROM user_aliases AS alias
            WHERE alias.user_key IN (SELECT users.key FROM users WHERE \(UserPage.range))
            ORDER BY alias.created_at, alias.local_id
            """, .text(localID ?? ""), .text(last)
        ) { row throws(StoreError) in (userKey: try row.integer(), localID: try row.text()) }
        page.userAliases = Dictionary(grouping: localIDs, by: \.userKey).mapValues { $0.map(\.localID) }
        return page
    }
}
