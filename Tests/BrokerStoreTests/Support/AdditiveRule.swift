import BrokerStore

/// What DDL may do while brokers that do not know it work on the same store (Docs/Decisions/0009-rolling-upgrades.md).
enum AdditiveRule {
    /// What in `migration` would break an older broker; empty if nothing would.
    static func violations(in migration: Migration) -> [String] {
        let made = migration.statements.compactMap { $0.firstMatch(of: /^CREATE TABLE (\w+) \(/).map { String($0.1) } }
        let rebuilt = migration.statements.compactMap { Rebuilding(renaming: $0, in: migration) }
        return migration.statements.compactMap { statement in
            rebuilt.contains { $0.statements.contains(statement) } ? nil : violation(in: statement, besides: made)
        } + rebuilt.flatMap(\.violations)
    }

    /// A table that takes another's place and name, with all its rows: statements go on to mean what they did where it has
    /// the same columns, and is unique in everything that the former one was unique in but its private key.
    private struct Rebuilding {
        let statements: [String]
        let violations: [String]

        init?(renaming statement: String, in migration: Migration) {
            guard let names = statement.firstMatch(of: /^ALTER TABLE (\w+) RENAME TO (\w+)$/),
                let table = Self.declaration(of: names.1, before: migration.version + 1),
                let former = Self.declaration(of: names.2, before: migration.version)
            else { return nil }
            let columns = Self.columns(of: former)
            let list = columns.map(\.name).joined(separator: ", ")
            let copy = "INSERT INTO \(names.1) (\(list))\nSELECT \(list) FROM \(names.2)"
            statements = [copy, "DROP TABLE \(names.2)", statement]
            guard statements.allSatisfy(migration.statements.contains) else { return nil }
            let lost = columns.filter { column in
                !Self.columns(of: table).contains { candidate in
                    candidate.name == column.name && candidate.type == column.type
                        && (candidate.isUnique || !column.isUnique || column.name == "key")
                        && (candidate.isUnique || candidate.isRequired == column.isRequired || column.name == "key")
                }
            }
            violations = lost.map { "an older broker relies on the column: \($0.name)" }
        }

        private struct Column {
            let name, type: Substring
            let isUnique, isRequired: Bool
        }

        private static func columns(of table: String) -> [Column] {
            table.matches(of: /(?m)^ +(\w+) (bigint|bytea|broker_text)(.*?),?$/).map { match in
                Column(
                    name: match.1, type: match.2, isUnique: match.3.contains(/UNIQUE|PRIMARY KEY/),
                    isRequired: match.3.contains("NOT NULL"))
            }
        }

        private static func declaration(of table: Substring, before version: Int64) -> String? {
            Migration.all.filter { $0.version < version }.flatMap(\.statements)
                .last { $0.starts(with: "CREATE TABLE \(table) (") }
        }
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
