/// A random key of one purpose, sealed under the master key, so that what it signs survives a rotation of that one.
package struct WrappedKey: Sendable, Hashable {
    package var key: Int64
    /// The raw value of the purpose.
    package var purpose: String
    /// 0 for the key that was derived from the first master key, which only verifies once a later one is active.
    package var generation: Int64
    /// Names it in what it signs.
    package var id: String
    package var sealedKey: [UInt8]
    package var createdAt: Timestamp
    /// When it replaces the generation before.
    package var activatesAt: Timestamp

    package init(
        key: Int64, purpose: String, generation: Int64, id: String, sealedKey: [UInt8], createdAt: Timestamp,
        activatesAt: Timestamp
    ) {
        self.key = key
        self.purpose = purpose
        self.generation = generation
        self.id = id
        self.sealedKey = sealedKey
        self.createdAt = createdAt
        self.activatesAt = activatesAt
    }
}

/// The statements of `wrapped_keys`.
enum WrappedKeyStatements {
    private static let columns = "key, purpose, generation, id, sealed_key, created_at, activates_at"

    static let everyKey = Statement(
        "wrapped_keys", "SELECT \(columns) FROM wrapped_keys ORDER BY purpose, generation")

    static let insert = Statement(
        "insert_wrapped_key", "INSERT INTO wrapped_keys (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        .integer, .text, .integer, .text, .blob, .integer, .integer)

    static let removeOfPurpose = Statement(
        "remove_wrapped_keys_of_purpose", "DELETE FROM wrapped_keys WHERE purpose = $1", .text)

    static let removeReplaced = Statement(
        "remove_replaced_wrapped_keys",
        """
        DELETE FROM wrapped_keys WHERE purpose <> $2 AND EXISTS (
            SELECT 1 FROM wrapped_keys AS later WHERE later.purpose = wrapped_keys.purpose
                AND later.generation > wrapped_keys.generation AND later.activates_at <= $1)
        RETURNING key
        """, .integer, .text)

    static let firstSession = Statement("first_session", "SELECT created_at FROM sessions ORDER BY key LIMIT 1")

    static let all = [everyKey, insert, removeOfPurpose, removeReplaced, firstSession]
}

extension Transaction {
    /// All keys, by purpose and generation; empty before the first rotation.
    package func wrappedKeys() throws(StoreError) -> [WrappedKey] {
        try run(WrappedKeyStatements.everyKey).map { row throws(StoreError) in
            var row = row
            return WrappedKey(
                key: try row.integer(), purpose: try row.text(), generation: try row.integer(), id: try row.text(),
                sealedKey: try row.blob(), createdAt: try row.time(), activatesAt: try row.time())
        }
    }

    package func insert(_ key: WrappedKey) throws(StoreError) {
        try run(
            WrappedKeyStatements.insert, .integer(key.key), .text(key.purpose), .integer(key.generation),
            .text(key.id), .blob(key.sealedKey), .time(key.createdAt), .time(key.activatesAt))
    }

    /// Removes every generation of a purpose, which invalidates what they have signed.
    package func removeWrappedKeys(of purpose: String) throws(StoreError) {
        try run(WrappedKeyStatements.removeOfPurpose, .text(purpose))
    }

    /// Removes the generations that were replaced before the first session in the store began, so that nothing they
    /// signed is left.
    ///
    /// - Parameters:
    ///   - moment: Nothing that was replaced later goes, even where there is no session.
    ///   - lasting: The purpose whose earlier generations stay, because what they signed stays.
    /// - Returns: How many went.
    /// - Throws: ``StoreError``.
    package func removeReplacedWrappedKeys(
        by moment: Timestamp, exceptOf lasting: String
    ) throws(StoreError) -> Int {
        var horizon = moment
        if var row = try run(WrappedKeyStatements.firstSession).first { horizon = min(horizon, try row.time()) }
        return try run(WrappedKeyStatements.removeReplaced, .time(horizon), .text(lasting)).count
    }
}
