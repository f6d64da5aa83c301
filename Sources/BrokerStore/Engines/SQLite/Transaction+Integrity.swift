extension Transaction {
    /// The findings of SQLite's integrity check; none for other engines.
    func fileViolations() throws(StoreError) -> [Violation] {
        guard isSQLite else { return [] }
        let complaints = try rows(Self.integrity) { row throws(StoreError) in try row.text() }
        return complaints.filter { $0 != "ok" }.map { Violation(table: "the file", row: nil, complaint: $0) }
    }

    /// Pages, indexes and constraints; at most a hundred complaints, which name tables, columns and pages.
    private static var integrity: Statement {
        Statement("sqlite_integrity", "PRAGMA integrity_check(100)", parameters: [])
    }
}
