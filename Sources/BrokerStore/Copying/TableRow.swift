package import StoreSchema

/// A row of some table, whatever it means.
package struct TableRow: Sendable, Hashable {
    package let table: TableDefinition
    /// In the order of the table's columns; nulls have their column's type.
    private(set) var values: [SQLValue]

    /// Takes a row over from the answer of a statement that names all columns.
    init(reading row: inout Row, of table: TableDefinition) throws(StoreError) {
        self.table = table
        values = zip(try row.values(), table.columns).map { value, column in
            if case .null = value { .null(column.type) } else { value }
        }
    }

    var key: RowKey { RowKey(table: table, values: table.keyPositions.map { values[$0] }) }

    /// The value of a column; changing one that is not there changes nothing.
    subscript(column: String) -> SQLValue? {
        get { table.position(of: column).map { values[$0] } }
        set {
            guard let newValue, let position = table.position(of: column) else { return }
            values[position] = newValue
        }
    }

    /// The values of some columns.
    func values(of columns: [String]) -> [SQLValue] {
        columns.compactMap { table.position(of: $0) }.map { values[$0] }
    }
}
