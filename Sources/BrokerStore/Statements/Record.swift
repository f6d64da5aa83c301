package import StoreSchema

/// A row of a table. The table's declaration gives its properties, its initialisers and its values, which
/// `scripts/generate` writes to the folder Records.
package protocol Record: Sendable, Hashable {
    static var table: TableDefinition { get }
    static var statements: RecordStatements { get }

    /// Reads ``columns``.
    init(reading row: inout Row) throws(StoreError)
    /// The values of ``columns``.
    var values: [SQLValue] { get }
}

extension Record {
    /// The columns that a record reads, qualified by the table.
    static var columns: String { statements.columns }
    /// The same without the table, for an INSERT.
    static var columnNames: String { statements.columnNames }
    /// `$1, $2, …`, as many as columns.
    static var parameters: String { statements.parameters }
    /// Inserts ``values``.
    static var insertion: Statement { statements.insertion }
}

/// The parts of SQL that every record has, made once from the table's declaration.
package struct RecordStatements: Sendable {
    let columns, columnNames, parameters: String
    let insertion, insertionUnlessTaken: Statement
    /// Finds a row by its private key; nil in a table without one.
    let byKey: Statement?

    init(_ table: TableDefinition) {
        let recorded = table.recordColumns
        columns = recorded.map { "\(table.name).\($0.name)" }.joined(separator: ", ")
        columnNames = TableDefinition.list(recorded)
        parameters = recorded.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let insert = "INSERT INTO \(table.name) (\(columnNames)) VALUES (\(parameters))"
        insertion = Statement("insert_\(table.name)", insert, parameters: recorded.map(\.type))
        insertionUnlessTaken = Statement(
            "insert_untaken_\(table.name)",
            "\(insert) ON CONFLICT DO NOTHING",
            parameters: recorded.map(\.type))
        byKey =
            table.key.map(\.name) == ["key"]
            ? Statement("key_of_\(table.name)", "SELECT key FROM \(table.name) WHERE key = $1", .integer) : nil
    }

    static let all: [Statement] = TableDefinition.all.filter { $0.record != nil }.flatMap { table in
        let own = RecordStatements(table)
        return [own.insertion, own.insertionUnlessTaken] + (own.byKey.map { [$0] } ?? [])
    }
}

extension Transaction {
    /// Adds a row.
    package func insert(_ record: some Record) throws(StoreError) {
        try run(type(of: record).insertion, values: record.values)
    }

    /// Adds a row with a private key, unless something that is unique in it is another row's.
    ///
    /// - Returns: false if it is; then nothing was written.
    /// - Throws: `.rowKeyTaken` if it is the private key alone, which repeats the transaction.
    func insertUnlessTaken(_ record: some Record) throws(StoreError) -> Bool {
        let statements = type(of: record).statements
        let isInserted = try run(statements.insertionUnlessTaken, values: record.values) > 0
        if !isInserted { try refuseTakenKey(of: record) }
        return isInserted
    }

    /// Repeats the transaction, with other keys, if another row has the record's private key. For a record that was not
    /// inserted, whatever the reason.
    func refuseTakenKey<R: Record>(of record: R) throws(StoreError) {
        let statements = R.statements
        guard let byKey = statements.byKey, case .integer(let key)? = record.values.first,
            try run(byKey, .integer(key)) > 0
        else { return }
        let error = StoreError(.rowKeyTaken, "\(statements.insertion.name): the private key is taken")
        connection.fail(error)
        throw error
    }
}
