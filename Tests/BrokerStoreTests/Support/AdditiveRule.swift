import BrokerStore

/// What DDL may do while brokers that do not know it work on the same store (Docs/Decisions/0009-rolling-upgrades.md).
enum AdditiveRule {
    /// What in `migration` would break an older broker; empty if nothing would.
    static func violations(in migration: Migration) -> [String] {
        let made = migration.statements.compactMap { $0.firstMatch(of: /^CREATE TABLE (\w+) \(/).map { String($0.1) } }
        return migration.statements.compactMap { violation(in: $0, besides: made) }
    }

    /// Whether a migration made the index, and not as a unique one.
    private static func isPlain(_ index: Substring) -> Bool {
        Migration.all.contains { $0.statements.contains { $0.starts(with: "CREATE INDEX \(index) ON ") } }
    }

    private static func violation(in statement: String, besides made: [String]) -> String? {
        // Without this an older broker could no longer remove what is referred to.
        let references = statement.matches(of: /REFERENCES \w+ \(\w+\)/).count
        let loose = statement.matches(of: /REFERENCES \w+ \(\w+\) ON DELETE (CASCADE|SET NULL)/).count
        guard references == loose else {
            return "a reference that would keep an older broker from removing rows: \(statement)"
        }
        // No statement names an index, so a missing one costs time alone.
        if let index = statement.firstMatch(of: /^DROP INDEX (\w+)$/) {
            return isPlain(index.1) ? nil : "an older broker relies on the uniqueness: \(statement)"
        }
        if statement.starts(with: "CREATE TABLE ") || statement.starts(with: "CREATE INDEX ") { return nil }
        // Older brokers read settings by their names only.
        if statement.starts(with: "INSERT INTO settings ") { return nil }
        if let index = statement.firstMatch(of: /^CREATE UNIQUE INDEX \w+ ON (\w+)/) {
            return made.contains(String(index.1))
                ? nil : "an older broker does not know of the uniqueness: \(statement)"
        }
        guard statement.firstMatch(of: #/^ALTER TABLE \w+ ADD COLUMN /#) != nil else {
            return "neither a table, nor an index, nor a column: \(statement)"
        }
        guard !statement.contains(/UNIQUE|PRIMARY KEY/) else {
            return "an older broker does not know of the uniqueness: \(statement)"
        }
        guard !statement.contains("NOT NULL") || statement.contains(" DEFAULT ") else {
            return "an older broker gives the column no value: \(statement)"
        }
        return nil
    }
}
