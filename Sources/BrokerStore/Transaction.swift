/// The store inside one transaction, lent to the closure of ``Store/write(_:)`` or ``Store/read(_:)``.
///
/// What can be done stands with each table, as an extension. SQL is not to be had from outside this module.
package struct Transaction: ~Copyable {
    /// Engines look here for what only they can do.
    let connection: any Connection

    init(on connection: any Connection) {
        self.connection = connection
    }

    /// Runs `statement` to its end and returns all its rows.
    ///
    /// An error is terminal: the transaction will be rolled back even if the caller swallows it.
    @discardableResult
    func run(_ statement: Statement, _ values: SQLValue...) throws(StoreError) -> [Row] {
        try connection.run(statement, values)
    }

    /// The same with the values in an array.
    @discardableResult
    func run(_ statement: Statement, values: [SQLValue]) throws(StoreError) -> [Row] {
        try connection.run(statement, values)
    }
}
