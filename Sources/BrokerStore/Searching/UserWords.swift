import StoreSchema
import Synchronization

/// The users of a transaction by whose names, addresses or ids they are found otherwise afterwards.
struct SearchChanges: Sendable {
    enum Change: Sendable {
        /// The user is new: these are all texts.
        case added([(kind: SearchedText, text: String)])
        /// The words that the user has are compared with the texts.
        case changed
    }

    fileprivate var users: [Int64: Change] = [:]
}

/// The words by which a user is found follow from the user's texts in every table that has some. Methods that write such a
/// column note the user. The words are written once for each, at the end of the transaction (``Store``).
extension Transaction {
    /// Notes the texts of a user who is inserted.
    func noteTexts(ofNew user: User) {
        let texts = SearchedTable.users.texts(in: user.values)
        searchChanges.withLock { $0.users[user.key] = .added(texts) }
    }

    /// Notes the texts of an identity that is inserted.
    func noteTexts(ofNew identity: Identity) {
        let texts = SearchedTable.identities.texts(in: identity.values)
        searchChanges.withLock { changes in
            // Nothing is read about a user who did not exist before: that would be in the way of others who sign up.
            guard case .added(let known)? = changes.users[identity.userKey] else {
                changes.users[identity.userKey] = .changed
                return
            }
            changes.users[identity.userKey] = .added(known + texts)
        }
    }

    /// Notes that a user may be found otherwise.
    package func noteTextChange(of userKey: Int64) {
        searchChanges.withLock { $0.users[userKey] = .changed }
    }

    /// Notes the user whose row a statement has changed; nil where it has changed none.
    ///
    /// - Returns: Whether it has changed one.
    @discardableResult
    func noteTextChange(ofOwner userKey: Int64?) -> Bool {
        guard let userKey else { return false }
        noteTextChange(of: userKey)
        return true
    }

    /// Forgets what was noted about a user who is deleted: the words go with the user.
    func forgetTextChange(of userKey: Int64) {
        searchChanges.withLock { $0.users[userKey] = nil }
    }

    /// Writes the words of the users that were noted.
    func writeNotedWords() throws(StoreError) {
        let changes = searchChanges.withLock { changes in
            defer { changes.users = [:] }
            return changes.users
        }
        // In one order, so that two transactions do not wait for each other.
        for (userKey, change) in changes.sorted(by: { $0.key < $1.key }) {
            switch change {
            case .added(let texts): try addWords(SearchWords.words(of: texts), of: userKey)
            case .changed:
                guard let state = try wordStates(SearchedTable.ofUser, .integer(userKey)).first else { continue }
                try removeWords(state.stored.subtracting(state.expected), of: userKey)
                try addWords(state.expected.subtracting(state.stored), of: userKey)
            }
        }
    }

    /// The next users in the order of their keys whose stored words are others than their texts have.
    ///
    /// - Parameters:
    ///   - key: The last user that was looked at.
    ///   - limit: The maximum number of users to look at.
    /// - Returns: The keys of these users, and the last one looked at; nil where there are no more users.
    /// - Throws: ``StoreError``.
    package func usersWithOtherWords(
        after key: Int64, limit: Int
    ) throws(StoreError) -> (users: [Int64], last: Int64?) {
        let keys = try rows(
            "user_keys_after", "SELECT key FROM users WHERE key > $1 ORDER BY key LIMIT $2", .integer(key),
            .limit(limit)
        ) { row throws(StoreError) in try row.integer() }
        guard let last = keys.last else { return ([], nil) }
        let states = try wordStates(SearchedTable.ofUsers, .integer(key), .integer(last))
        return (states.filter { $0.stored != $0.expected }.map(\.userKey), last)
    }

    private struct WordState {
        let userKey: Int64
        var texts: [(kind: SearchedText, text: String)] = []
        var stored: Set<String> = []
        var expected: Set<String> { SearchWords.words(of: texts) }
    }

    private func wordStates(_ statement: Statement, _ values: SQLValue...) throws(StoreError) -> [WordState] {
        var states: [Int64: WordState] = [:]
        try connection.run(statement, values) { row throws(StoreError) in
            let (userKey, source) = (try row.integer(), Int(try row.integer()))
            var state = states[userKey] ?? WordState(userKey: userKey)
            if SearchedTable.all.indices.contains(source) {
                for kind in SearchedTable.all[source].kinds {
                    if let text = try row.optionalText() { state.texts.append((kind, text)) }
                }
            } else {
                state.stored.insert(try row.text())
            }
            states[userKey] = state
        }
        return states.values.sorted { $0.userKey < $1.userKey }
    }

    private func addWords(_ words: Set<String>, of userKey: Int64) throws(StoreError) {
        try run(UserWordStatements.add, words, of: userKey)
    }

    private func removeWords(_ words: Set<String>, of userKey: Int64) throws(StoreError) {
        try run(UserWordStatements.remove, words, of: userKey)
    }

    private func run(_ statement: Statement, _ words: Set<String>, of userKey: Int64) throws(StoreError) {
        // In one order, as the users.
        let words = words.sorted()
        for start in stride(from: 0, to: words.count, by: UserWordStatements.batch) {
            let batch = words[start...].prefix(UserWordStatements.batch)
            let padding = repeatElement(SQLValue.null(.text), count: UserWordStatements.batch - batch.count)
            try run(statement, values: [.integer(userKey)] + batch.map(SQLValue.text) + padding)
        }
    }
}

/// A table with columns by which users are searched.
struct SearchedTable: Sendable {
    static let users = SearchedTable(.users)
    static let identities = SearchedTable(.identities)
    static let all = TableDefinition.all.filter { $0.columns.contains { $0.searched != nil } }.map(SearchedTable.init)

    let table: TableDefinition
    /// What the searched columns are, in their order.
    let kinds: [SearchedText]
    private let columns: [ColumnDefinition]
    /// Of the searched columns among those of the record.
    private let positions: [Int]

    private init(_ table: TableDefinition) {
        self.table = table
        columns = table.columns.filter { $0.searched != nil }
        kinds = columns.compactMap(\.searched)
        positions = columns.compactMap { table.recordColumns.firstIndex(of: $0) }
    }

    /// The texts in the values of a record.
    func texts(in values: [SQLValue]) -> [(kind: SearchedText, text: String)] {
        zip(kinds, positions).compactMap { kind, position in
            guard case .text(let text) = values[position] else { return nil }
            return (kind, text)
        }
    }

    /// All texts and words of user `$1`.
    static let ofUser = Statement("texts_and_words_of_user", textsAndWords { "\($0) = $1" }, .integer)
    /// The same of the users after `$1` up to `$2`.
    static let ofUsers = Statement(
        "texts_and_words_of_users", textsAndWords { "\($0) > $1 AND \($0) <= $2" }, .integer, .integer)

    static let statements = [ofUser, ofUsers]

    /// Answers with the user, the place of the table in ``all`` and its texts. The words have the place after the last.
    private static func textsAndWords(where condition: (String) -> String) -> String {
        let width = all.map(\.columns.count).max() ?? 1
        func select(_ user: String, _ source: Int, _ columns: [String], from rows: String) -> String {
            let padded = columns + repeatElement("CAST(NULL AS text)", count: width - columns.count)
            return """
                SELECT \(user), CAST(\(source) AS bigint), \(padded.joined(separator: ", ")) FROM \(rows)
                WHERE \(condition(user))
                """
        }
        let texts = all.enumerated().map { source, searched in
            let name = searched.table.name
            let columns = searched.columns.map { "\(name).\($0.name)" }
            switch searched.table.ownership.owner {
            case .user(let owner): return select("\(name).\(owner)", source, columns, from: name)
            case .identity(let owner):
                return select(
                    "identities.user_key", source, columns,
                    from: "identities JOIN \(name) ON \(name).\(owner) = identities.key")
            case .own, .localID, .subject, .noUser: return select("\(name).key", source, columns, from: name)
            }
        }
        let words = select("user_words.user_key", all.count, ["user_words.word"], from: "user_words")
        return (texts + [words]).joined(separator: " UNION ALL ")
    }
}

enum UserWordStatements {
    /// The words of one statement: most users have no more.
    static let batch = 16

    static let parameters = (2...batch + 1).map { "$\($0)" }
    static let types = [ColumnType.integer] + repeatElement(.text, count: batch)

    static let add = Statement(
        "add_words_of_user",
        """
        WITH added (word) AS (VALUES \(UserWordStatements.parameters.map { "(\($0))" }.joined(separator: ", ")))
        INSERT INTO user_words (word, user_key) SELECT word, $1 FROM added WHERE word IS NOT NULL
        ON CONFLICT DO NOTHING
        """, parameters: UserWordStatements.types)

    static let remove = Statement(
        "remove_words_of_user",
        "DELETE FROM user_words WHERE user_key = $1 AND word IN (\(UserWordStatements.parameters.joined(separator: ", ")))",
        parameters: UserWordStatements.types)
}

/// Whether the words of all users were written.
extension Transaction {
    private static let setting = "user-words"

    /// Whether the words of every user were written by this broker's rule. Those that an older broker changed since are
    /// repaired in the background.
    package func hasWordsOfAllUsers() throws(StoreError) -> Bool { try setting(Self.setting) == [SearchWords.rule] }

    /// Records that the words of every user were written.
    package func recordWordsOfAllUsers() throws(StoreError) {
        guard try !hasWordsOfAllUsers(), try !insertSetting(Self.setting, [SearchWords.rule]) else { return }
        try updateSetting(Self.setting, [SearchWords.rule])
    }
}
