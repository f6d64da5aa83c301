extension Transaction {
    /// Whether the store is a SQLite file.
    var isSQLite: Bool { connection is SQLiteConnection }

    /// Changes the schema of a SQLite file within this transaction.
    func define(_ sql: String) throws(StoreError) {
        guard let connection = connection as? SQLiteConnection else {
            throw StoreError(.misuse, "only a SQLite file can be prepared for moving away")
        }
        try connection.once(sql)
    }
}
