extension Migration {
    /// The words by which administrators find users (Docs/Decisions/0058-search-words.md). Those of the users that there
    /// are, and of those that older brokers write, are written in the background.
    static let userWords = Migration(
        version: 46, name: "user words",
        statements: [
            """
            CREATE TABLE user_words (
                word broker_text NOT NULL,
                user_key bigint NOT NULL REFERENCES users (key) ON DELETE CASCADE,
                PRIMARY KEY (word, user_key)
            )
            """,
            "CREATE INDEX user_words_user_key ON user_words (user_key, word)",
        ])
}
