import StoreSchema

/// A search for users by the beginnings of their words, or for all users, with filters.
package struct UserSearch: Sendable {
    /// The users of a page at most.
    package static let maximumLimit = 50
    /// How many rows a page looks at, in so many steps: most pages are full after the first. A filter that few users
    /// satisfy ends the page after the last.
    static let steps = [100, 400, 1000]
    /// Greater than everything that follows the beginning of a word.
    fileprivate static let end = "\u{10FFFF}"

    /// The beginnings of words, each of which a user has (``SearchWords/typed(_:)``). Without any, all users are found,
    /// the latest first.
    package let words: [String]
    package var provider: String?
    package var isDisabled: Bool?
    package var isAnonymous: Bool?
    package var createdSince, createdBefore: Timestamp?
    /// The time of the last sign-in. A user who never signed in did so before any time.
    package var signedInSince, signedInBefore: Timestamp?

    package init(words: [String]) {
        // The longest is the one that the fewest users are likely to have.
        let sorted = words.sorted { $0.utf8.count > $1.utf8.count }
        self.words = Array(sorted.prefix(SearchWords.maximumTyped))
    }

    /// The place after which the next page begins.
    package struct Position: Sendable, Hashable {
        let word: String
        let userKey: Int64
    }

    /// A found user.
    package struct Match: Sendable {
        package let user: User
        /// The first of the user's words that begins as the longest of the searched ones; nil in a search without words.
        package let word: String?
        /// The provider entries of the user's identities, in the order in which they were linked.
        package var providers: [String] = []
        package var isAnonymous = true
    }

    package struct Page: Sendable {
        package let matches: [Match]
        /// nil where there is nothing after the page.
        package let next: Position?
    }
}

extension UserSearch.Position {
    /// A text for the place, without the private key.
    package var text: String { "\(KeyGenerator.cursor(at: userKey)) \(word)" }

    /// The place of a text; nil for another text.
    ///
    /// - Parameters:
    ///   - text: What ``text`` was.
    ///   - search: The search, which finds users by words that begin as its first one, or by none.
    package init?(_ text: String, in search: UserSearch) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].utf8.contains(0), let key = KeyGenerator.key(ofCursor: String(parts[0]))
        else { return nil }
        if let word = search.words.first {
            guard parts[1].utf8.starts(with: word.utf8) else { return nil }
            self.init(word: String(parts[1]), userKey: KeyGenerator.lastKey(ofTimeOf: key))
        } else {
            guard parts[1].isEmpty else { return nil }
            self.init(word: "", userKey: key)
        }
    }
}

/// The statements that look at so many rows. The number stands in them: where a LIMIT is a parameter, PostgreSQL plans for a
/// tenth of the table, and sorts all words of a range.
struct UserSearchStep: Sendable {
    /// Finds users by the words after (`$1`, `$2`) and before `$3`, at most `$4`, each by the first word that begins with
    /// `$5`.
    fileprivate let byWord: Statement
    /// The last of these words, where there are as many as the step looks at.
    fileprivate let lastWord: Statement
    /// Finds users before `$1`, the latest first, at most `$2`. Without a join: with one, PostgreSQL took 130 ms after
    /// an import of 200 000 users.
    fileprivate let latest: Statement
    /// The last of these users, where there are as many as the step looks at.
    fileprivate let lastUser: Statement

    private init(_ count: Int) {
        let words = """
            SELECT word, user_key FROM user_words WHERE (word, user_key) > ($1, $2) AND word < $3
            ORDER BY word, user_key
            """
        let users = "SELECT key FROM users WHERE key < $1 ORDER BY key DESC"
        byWord = Statement(
            "search_users_by_\(count)_words",
            """
            SELECT candidate.word, \(User.columns) FROM (\(words) LIMIT \(count)) AS candidate
            JOIN users ON users.key = candidate.user_key
            WHERE NOT EXISTS (
                SELECT 1 FROM user_words AS earlier WHERE earlier.user_key = candidate.user_key
                    AND earlier.word >= $5 AND earlier.word < candidate.word)
                AND \(UserSearch.filters(from: 6))
            ORDER BY candidate.word, candidate.user_key LIMIT $4
            """, parameters: [.text, .integer, .text, .integer, .text] + UserSearch.filterTypes)
        lastWord = Statement(
            "last_of_\(count)_words", "\(words) LIMIT 1 OFFSET \(count - 1)", .text, .integer, .text)
        latest = Statement(
            "search_latest_\(count)_users",
            """
            SELECT \(User.columns) FROM (
                SELECT \(User.columns) FROM users WHERE key < $1 ORDER BY key DESC LIMIT \(count)) AS users
            WHERE \(UserSearch.filters(from: 3, of: "users.key"))
            ORDER BY users.key DESC LIMIT $2
            """, parameters: [.integer, .integer] + UserSearch.filterTypes)
        lastUser = Statement("last_of_\(count)_users", "\(users) LIMIT 1 OFFSET \(count - 1)", .integer)
    }

    fileprivate static let all = UserSearch.steps.map(UserSearchStep.init)

    static let statements = all.flatMap { [$0.byWord, $0.lastWord, $0.latest, $0.lastUser] }
}

extension UserSearch {
    /// Parameters of the filters: the other words, then what ``filterValues`` has.
    fileprivate static func filters(from first: Int, of userKey: String = "candidate.user_key") -> String {
        let filter = first + SearchWords.maximumTyped - 1
        let words = (first..<filter).map { parameter in
            """
            ($\(parameter) = '' OR EXISTS (
                SELECT 1 FROM user_words AS other WHERE other.user_key = \(userKey)
                    AND other.word >= $\(parameter) AND other.word < $\(parameter) || '\(end)'))
            """
        }
        let others = [
            """
            ($\(filter) = '' OR EXISTS (
                SELECT 1 FROM identities WHERE identities.user_key = users.key AND identities.provider = $\(filter)))
            """,
            "($\(filter + 1) < 0 OR users.disabled = $\(filter + 1))",
            "($\(filter + 2) < 0 OR CASE WHEN \(User.isAnonymousInSQL) THEN 1 ELSE 0 END = $\(filter + 2))",
            "users.created_at >= $\(filter + 3) AND users.created_at < $\(filter + 4)",
            """
            coalesce(users.last_login_at, 0) >= $\(filter + 5) AND coalesce(users.last_login_at, 0) < $\(filter + 6)
            """,
        ]
        return (words + others).joined(separator: " AND ")
    }

    fileprivate static let filterTypes: [ColumnType] =
        Array(repeating: .text, count: SearchWords.maximumTyped) + Array(repeating: .integer, count: 6)

    fileprivate var filterValues: [SQLValue] {
        let others = words.dropFirst()
        let padding = repeatElement("", count: SearchWords.maximumTyped - 1 - others.count)
        func choice(_ flag: Bool?) -> SQLValue { flag.map(SQLValue.flag) ?? .integer(-1) }
        func time(_ moment: Timestamp?, _ otherwise: Int64) -> SQLValue {
            .integer(moment?.milliseconds ?? otherwise)
        }
        return (others + padding).map(SQLValue.text) + [
            .text(provider ?? ""), choice(isDisabled), choice(isAnonymous), time(createdSince, .min),
            time(createdBefore, .max), time(signedInSince, .min), time(signedInBefore, .max),
        ]
    }

    /// The provider entries of a page of users.
    fileprivate static let providers = Statement(
        "providers_of_users",
        """
        SELECT user_key, provider, anonymous FROM identities
        WHERE user_key IN (\((1...UserSearch.maximumLimit).map { "$\($0)" }.joined(separator: ", "))) ORDER BY key
        """, parameters: Array(repeating: .integer, count: UserSearch.maximumLimit))
}

extension Transaction {
    /// A page of found users: in the order of their words, or the latest first in a search without words.
    ///
    /// - Parameters:
    ///   - search: The search.
    ///   - position: The end of the previous page.
    ///   - limit: The maximum number of users, up to ``UserSearch/maximumLimit``.
    /// - Returns: The page. It may have fewer users than `limit` although there are more.
    /// - Throws: ``StoreError``.
    package func users(
        _ search: UserSearch, after position: UserSearch.Position?, limit: Int
    ) throws(StoreError) -> UserSearch.Page {
        var found: [UserSearch.Match] = []
        var next = position
        for step in UserSearchStep.all {
            // One more than the page has tells whether there is another page.
            found += try matches(search, after: next, step, limit: limit + 1 - found.count)
            if found.count > limit {
                found.removeLast()
                next = found.last.map { UserSearch.Position(word: $0.word ?? "", userKey: $0.user.key) }
                break
            }
            next = try lastExamined(search, after: next, step)
            if next == nil { break }
        }
        return UserSearch.Page(matches: try withProviders(found), next: next)
    }

    private func matches(
        _ search: UserSearch, after position: UserSearch.Position?, _ step: UserSearchStep, limit: Int
    ) throws(StoreError) -> [UserSearch.Match] {
        guard let word = search.words.first else {
            return try rows(
                step.latest,
                values: [.integer(position?.userKey ?? .max), .limit(limit)] + search.filterValues
            ) { row throws(StoreError) in
                UserSearch.Match(user: try User(reading: &row), word: nil)
            }
        }
        return try rows(
            step.byWord,
            values: range(of: word, after: position) + [.limit(limit), .text(word)] + search.filterValues
        ) { row throws(StoreError) in
            let word = try row.text()
            return UserSearch.Match(user: try User(reading: &row), word: word)
        }
    }

    private func range(of word: String, after position: UserSearch.Position?) -> [SQLValue] {
        [
            .text(position?.word ?? word), .integer(position?.userKey ?? -1), .text(word + UserSearch.end),
        ]
    }

    /// The last row that a step looked at; nil where there were fewer to look at.
    private func lastExamined(
        _ search: UserSearch, after position: UserSearch.Position?, _ step: UserSearchStep
    ) throws(StoreError) -> UserSearch.Position? {
        guard let word = search.words.first else {
            return try value(step.lastUser, .integer(position?.userKey ?? .max)) { row throws(StoreError) in
                UserSearch.Position(word: "", userKey: try row.integer())
            }
        }
        return try value(step.lastWord, values: range(of: word, after: position)) { row throws(StoreError) in
            UserSearch.Position(word: try row.text(), userKey: try row.integer())
        }
    }

    private func withProviders(_ matches: [UserSearch.Match]) throws(StoreError) -> [UserSearch.Match] {
        guard let last = matches.last else { return [] }
        let keys = matches.map(\.user.key)
        let padding = repeatElement(last.user.key, count: UserSearch.maximumLimit - keys.count)
        var matches = matches
        for index in matches.indices {
            matches[index].isAnonymous = matches[index].user.isAnonymousByItself
        }
        let identities = try rows(UserSearch.providers, values: (keys + padding).map(SQLValue.integer)) {
            row throws(StoreError) in
            (userKey: try row.integer(), provider: try row.text(), isAnonymous: try row.flag())
        }
        for identity in identities {
            guard let index = keys.firstIndex(of: identity.userKey) else { continue }
            matches[index].providers.append(identity.provider)
            if !identity.isAnonymous { matches[index].isAnonymous = false }
        }
        return matches
    }
}
