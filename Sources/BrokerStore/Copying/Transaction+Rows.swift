extension Transaction {
    /// The next rows of a table in the order of their keys.
    func rows(of table: TableShape, after key: RowKey?, limit: Int) throws(StoreError) -> [TableRow] {
        let statements = TableStatements.of(table)
        let rows =
            if let key {
                try run(statements.nextPage, values: key.values + [.limit(limit)])
            } else {
                try run(statements.firstPage, .limit(limit))
            }
        return rows.map { TableRow($0, of: table) }
    }

    /// The row with this key.
    func row(_ key: RowKey) throws(StoreError) -> TableRow? {
        try run(TableStatements.of(key.table).byKey, values: key.values).first.map { TableRow($0, of: key.table) }
    }

    /// The number of rows of a table.
    func count(of table: TableShape) throws(StoreError) -> Int64 {
        guard var row = try run(TableStatements.of(table).count).first else { return 0 }
        return try row.integer()
    }

    /// Whether the store has no rows to copy.
    func isEmpty() throws(StoreError) -> Bool {
        for table in TableShape.all where try !rows(of: table, after: nil, limit: 1).isEmpty { return false }
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
            for row in try run(statement, values: key.values) {
                let child = RowKey(row, of: table)
                found.append(child)
                if child.values.count == 1 { found += try descendants(of: child) }
            }
        }
        return found
    }

    /// Removes the first rows of a table.
    ///
    /// - Returns: how many there were to remove.
    func clear(_ table: TableShape, limit: Int) throws(StoreError) -> Int {
        try run(TableStatements.of(table).clear, .limit(limit)).count
    }

    /// - Returns: The keys of the inserted rows, as text.
    private func insertNew(_ rows: ArraySlice<TableRow>, of table: TableShape) throws(StoreError) -> Set<String> {
        guard let last = rows.last else { return [] }
        // The statement needs a full batch; a repeated row changes nothing.
        let padding = repeatElement(last, count: TableStatements.batch - rows.count)
        let values = rows.flatMap(\.values) + padding.flatMap(\.values)
        let inserted = try run(TableStatements.of(table).insertNew, values: values)
        return Set(inserted.map { RowKey($0, of: table).text })
    }

    private func put(_ row: TableRow) throws(StoreError) -> Bool {
        let statements = TableStatements.of(row.table)
        for (unique, release) in zip(row.table.uniques, statements.releases) {
            try run(release, values: row.values(of: unique.columns) + row.key.values)
        }
        return try !run(statements.upsert, values: row.values).isEmpty
    }
}
