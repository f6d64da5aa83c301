/// A check for collisions of private keys, for tables whose rows are inserted with `ON CONFLICT DO NOTHING`.
enum RowKeyStatements {
    static let users = Statement("user_key", "SELECT key FROM users WHERE key = $1", .integer)
    static let identities = Statement("identity_key", "SELECT key FROM identities WHERE key = $1", .integer)
    static let pendingMerges = Statement("merge_key", "SELECT key FROM pending_merges WHERE key = $1", .integer)
    static let deviceAuthorizations = Statement(
        "device_authorization_key", "SELECT key FROM device_authorizations WHERE key = $1", .integer)

    static let providerDevices = Statement(
        "provider_device_key", "SELECT key FROM provider_devices WHERE key = $1", .integer)

    static let all = [users, identities, pendingMerges, deviceAuthorizations, providerDevices]
}

extension Transaction {
    /// Runs an `INSERT … ON CONFLICT DO NOTHING RETURNING key`.
    ///
    /// - Parameters:
    ///   - statement: The insertion.
    ///   - key: The new row's private key.
    ///   - taken: Finds the row of the table that has this key.
    ///   - values: The values of the insertion.
    /// - Returns: false if a public unique key exists.
    /// - Throws: `.rowKeyTaken` if it is the private one, which repeats the transaction.
    func insert(
        _ statement: Statement, key: Int64, unless taken: Statement, values: [SQLValue]
    ) throws(StoreError) -> Bool {
        guard try run(statement, values: values).isEmpty else { return true }
        guard try !run(taken, .integer(key)).isEmpty else { return false }
        let error = StoreError(.rowKeyTaken, "\(statement.name): the private key is taken")
        connection.fail(error)
        throw error
    }
}
