import StoreSchema

extension Transaction {
    /// The next rows of a table in the order of their keys.
    func rows(of table: TableDefinition, after key: RowKey?, limit: Int) throws(StoreError) -> [TableRow] {
        let statements = TableStatements.of(table)
        let (statement, values) =
            key.map { (statements.nextPage, $0.values + [.limit(limit)]) } ?? (statements.firstPage, [.limit(limit)])
        return try rows(statement, values: values) { row throws(StoreError) in try TableRow(reading: &row, of: table) }
    }

    /// The row with this key.
    func row(_ key: RowKey) throws(StoreError) -> TableRow? {
        try value(TableStatements.of(key.table).byKey, values: key.values) { row throws(StoreError) in
            try TableRow(reading: &row, of: key.table)
        }
    }

    /// The number of rows of a table.
    func count(of table: TableDefinition) throws(StoreError) -> Int64 {
        try value(TableStatements.of(table).count) { row throws(StoreError) in try row.integer() } ?? 0
    }

    /// Whether the store has no rows to copy.
    func isEmpty() throws(StoreError) -> Bool {
        for table in TableDefinition.all where try !rows(of: table, after: nil, limit: 1).isEmpty { return false }
        return true
    }

    /// Makes rows of one table what they are elsewhere; rows that are in their way make room.
    ///
    /// - Returns: the keys of those that could not be placed, since what they refer to is not there.
    func place(_ rows: [TableRow]) throws(StoreError) -> [RowKey] {
        guard let table = rows.first?.table else { return [] }
        var unplaced: [RowKey] = []
        for start in stride(from: 0, to: rows.count, by: TableStatements.batch) {
            let chunk = rows[start..<min(start + TableStatements.batch, rows.count)]
            let inserted = try insertNew(chunk, of: table)
            for row in chunk where !inserted.contains(row.key.text) {
                if try !put(row) { unplaced.append(row.key) }
            }
        }
        return unplaced
    }

    /// Removes a row, and with it what refers to it.
    func remove(_ key: RowKey) throws(StoreError) {
        try run(TableStatements.of(key.table).remove, values: key.values)
    }

    /// The rows that go when this one goes, their children included.
    func descendants(of key: RowKey) throws(StoreError) -> [RowKey] {
        var found: [RowKey] = []
        for (table, statement) in TableStatements.of(key.table).children {
            let children = try rows(statement, values: key.values) { row throws(StoreError) in
                try RowKey(reading: &row, of: table)
            }
            for child in children {
                found.append(child)
                if child.values.count == 1 { found += try descendants(of: child) }
            }
        }
        return found
    }

    /// Removes the first rows of a table.
    ///
    /// - Returns: how many there were to remove.
    func clear(_ table: TableDefinition, limit: Int) throws(StoreError) -> Int {
        try run(TableStatements.of(table).clear, .limit(limit))
    }

    /// - Returns: The keys of the inserted rows, as text.
    private func insertNew(_ rows: ArraySlice<TableRow>, of table: TableDefinition) throws(StoreError) -> Set<String> {
        guard let last = rows.last else { return [] }
        // The statement needs a full batch; a repeated row changes nothing.
        let padding = repeatElement(last, count: TableStatements.batch - rows.count)
        let values = rows.flatMap(\.values) + padding.flatMap(\.values)
        let inserted = try self.rows(TableStatements.of(table).insertNew, values: values) { row throws(StoreError) in
            try RowKey(reading: &row, of: table).text
        }
        return Set(inserted)
    }

    private func put(_ row: TableRow) throws(StoreError) -> Bool {
        let statements = TableStatements.of(row.table)
        for (unique, release) in zip(row.table.uniques, statements.releases) {
            try run(release, values: row.values(of: unique.columns) + row.key.values)
        }
        return try run(statements.upsert, values: row.values) > 0
    }
}
