/// A master key the store was or is sealed under. The store knows it by its id and check value only.
package struct MasterKeyRow: Sendable, Hashable {
    package var key: Int64
    /// Eight hexadecimal digits, as in the header of sealed values.
    package var id: String
    /// Recognises the key.
    package var checkValue: [UInt8]
    /// When values began to be sealed under it; nil for the key the store was made with.
    package var beganAt: Timestamp?
    /// When another one took over; nil for the current key.
    package var endedAt: Timestamp?
    /// When no value was left under it.
    package var rewrappedAt: Timestamp?
    /// When a rotation declared it compromised.
    package var compromisedAt: Timestamp?

    package init(
        key: Int64, id: String, checkValue: [UInt8], beganAt: Timestamp? = nil, endedAt: Timestamp? = nil,
        rewrappedAt: Timestamp? = nil, compromisedAt: Timestamp? = nil
    ) {
        self.key = key
        self.id = id
        self.checkValue = checkValue
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.rewrappedAt = rewrappedAt
        self.compromisedAt = compromisedAt
    }
}

/// The statements of `master_keys`.
enum MasterKeyStatements {
    private static let columns = "key, id, check_value, began_at, ended_at, rewrapped_at, compromised_at"

    static let everyKey = Statement("master_keys", "SELECT \(columns) FROM master_keys ORDER BY key")

    static let upsert = Statement(
        "put_master_key",
        """
        INSERT INTO master_keys (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (id) DO UPDATE SET began_at = excluded.began_at, ended_at = excluded.ended_at,
            rewrapped_at = excluded.rewrapped_at, compromised_at = excluded.compromised_at
        """, .integer, .text, .blob, .integer, .integer, .integer, .integer)

    static let all = [everyKey, upsert]
}

extension Transaction {
    /// The master keys of the store's history, oldest first; empty before the first rotation.
    package func masterKeys() throws(StoreError) -> [MasterKeyRow] {
        try run(MasterKeyStatements.everyKey).map { row throws(StoreError) in
            var row = row
            return MasterKeyRow(
                key: try row.integer(), id: try row.text(), checkValue: try row.blob(),
                beganAt: try row.optionalTime(), endedAt: try row.optionalTime(),
                rewrappedAt: try row.optionalTime(), compromisedAt: try row.optionalTime())
        }
    }

    /// Adds a master key, or writes the times of the one with this id.
    package func put(_ key: MasterKeyRow) throws(StoreError) {
        try run(
            MasterKeyStatements.upsert, .integer(key.key), .text(key.id), .blob(key.checkValue),
            .time(orNull: key.beganAt), .time(orNull: key.endedAt), .time(orNull: key.rewrappedAt),
            .time(orNull: key.compromisedAt))
    }
}
