/// A statement with its values, on its way to a database.
struct Call: Sendable {
    let statement: Statement
    let values: [SQLValue]

    init(_ statement: Statement, _ values: [SQLValue]) {
        self.statement = statement
        self.values = values
    }

    init(_ statement: Statement, _ values: SQLValue...) {
        self.init(statement, values)
    }
}
