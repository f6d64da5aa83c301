import StoreSchema

/// A record of changed rows in a SQLite file. Its triggers are in the file, so they apply to every process with the
/// file open, from its next statement on.
///
/// Belongs to a copy, not to the schema: it comes with the copy and goes with it, and only SQLite files have it.
enum ChangeCapture {
    private static let log = "captured_changes"
    private static let events = ["INSERT", "UPDATE", "DELETE"]

    /// The log and the triggers that write to it. What is there already stays. Numbers are never given twice: a process
    /// that continues the copy beside another would forget changes it has not seen (``forget``).
    static let installation: [String] =
        [
            """
            CREATE TABLE IF NOT EXISTS \(log) (
                sequence INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL, row_key TEXT NOT NULL)
            """
        ] + TableDefinition.all.flatMap { table in events.map { capture($0, table) } }

    static let removal: [String] =
        TableDefinition.all.flatMap { table in events.map { "DROP TRIGGER IF EXISTS \(name("capture", $0, table))" } }
        + ["DROP TABLE IF EXISTS \(log)"]

    /// Triggers that refuse every write, in processes that know nothing of copies too.
    static let refusal: [String] = TableDefinition.all.flatMap { table in
        events.map { event in
            """
            CREATE TRIGGER IF NOT EXISTS \(name("refuse", event, table)) BEFORE \(event) ON \(table.name)
            BEGIN SELECT RAISE(ABORT, 'this store was moved to another database'); END
            """
        }
    }

    static let admission: [String] = TableDefinition.all.flatMap { table in
        events.map { "DROP TRIGGER IF EXISTS \(name("refuse", $0, table))" }
    }

    static let page = onFile(
        "captured_changes", "SELECT sequence, table_name, row_key FROM \(log) ORDER BY sequence LIMIT $1", [.integer])
    static let forget = onFile("forget_changes", "DELETE FROM \(log) WHERE sequence <= $1", [.integer])
    static let note = onFile(
        "note_change", "INSERT INTO \(log) (table_name, row_key) VALUES ($1, $2)", [.text, .text])
    static let count = onFile("count_changes", "SELECT count(*) FROM \(log)", [])

    /// A statement for a table that only a SQLite file ever has; the catalogue is of those both engines run.
    private static func onFile(_ name: String, _ sql: String, _ parameters: [ColumnType]) -> Statement {
        Statement(name, sql, parameters: parameters)
    }

    private static func capture(_ event: String, _ table: TableDefinition) -> String {
        var notes = ""
        if event != "INSERT" { notes += note("OLD", table) }
        if event != "DELETE" { notes += note("NEW", table, unlessEqualTo: event == "UPDATE" ? "OLD" : nil) }
        return """
            CREATE TRIGGER IF NOT EXISTS \(name("capture", event, table)) AFTER \(event) ON \(table.name)
            BEGIN \(notes) END
            """
    }

    private static func note(_ row: String, _ table: TableDefinition, unlessEqualTo other: String? = nil) -> String {
        let condition = other.map { " WHERE \(key(row, table)) <> \(key($0, table))" } ?? ""
        return "INSERT INTO \(log) (table_name, row_key) SELECT '\(table.name)', \(key(row, table))\(condition); "
    }

    /// The spelling of ``RowKey/text``.
    private static func key(_ row: String, _ table: TableDefinition) -> String {
        table.key.map { column in
            switch column.type {
            case .integer: "CAST(\(row).\(column.name) AS TEXT)"
            case .text, .blob: "hex(CAST(\(row).\(column.name) AS BLOB))"
            }
        }.joined(separator: " || '.' || ")
    }

    private static func name(_ purpose: String, _ event: String, _ table: TableDefinition) -> String {
        "\(purpose)_\(event.lowercased())_\(table.name)"
    }
}

/// Changes that were captured and not yet worked off, the oldest of them, as their rows are at one moment.
struct ChangeBatch: Sendable {
    /// The last change it covers.
    let sequence: Int64
    /// The number of covered changes.
    let count: Int
    /// The rows that are there, each once.
    let rows: [TableRow]
    /// The keys of those that are gone.
    let removed: [RowKey]
}

extension Transaction {
    /// Runs the parts of ``ChangeCapture``.
    func define(_ parts: [String]) throws(StoreError) {
        for sql in parts { try define(sql) }
    }

    /// The oldest changes that were captured; nil if there are none.
    func capturedChanges(limit: Int) throws(StoreError) -> ChangeBatch? {
        let entries = try self.rows(ChangeCapture.page, .limit(limit)) { row throws(StoreError) in
            (sequence: try row.integer(), table: try row.text(), key: try row.text())
        }
        var (last, seen, rows, removed) = (Int64(0), Set<String>(), [TableRow](), [RowKey]())
        for entry in entries {
            last = entry.sequence
            guard seen.insert("\(entry.table) \(entry.key)").inserted else { continue }
            guard let table = TableDefinition.named(entry.table) else {
                throw StoreError(.corrupt, "a change was captured in a table this broker does not know")
            }
            let key = try RowKey(entry.key, of: table)
            if let row = try row(key) { rows.append(row) } else { removed.append(key) }
        }
        guard !entries.isEmpty else { return nil }
        return ChangeBatch(sequence: last, count: entries.count, rows: rows, removed: removed)
    }

    /// The number of pending changes.
    func capturedChangeCount() throws(StoreError) -> Int64 {
        try value(ChangeCapture.count) { row throws(StoreError) in try row.integer() } ?? 0
    }

    /// Forgets the changes up to `sequence`.
    func forgetChanges(upTo sequence: Int64) throws(StoreError) {
        try run(ChangeCapture.forget, .integer(sequence))
    }

    /// Has rows copied once more, as if they had changed.
    func noteChanges(_ keys: [RowKey]) throws(StoreError) {
        for key in keys { try run(ChangeCapture.note, .text(key.table.name), .text(key.text)) }
    }
}
