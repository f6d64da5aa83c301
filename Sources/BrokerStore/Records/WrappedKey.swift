// Generated from `wrapped_keys` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A random key of one purpose, sealed under the master key, so that what it signs survives a rotation of that one.
package struct WrappedKey: Record {
    /// Private, time-ordered.
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

extension WrappedKey {
    package static let table = TableDefinition.wrappedKeys
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        purpose = try row.text()
        generation = try row.integer()
        id = try row.text()
        sealedKey = try row.blob()
        createdAt = try row.time()
        activatesAt = try row.time()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(purpose), .integer(generation), .text(id), .blob(sealedKey), .time(createdAt),
            .time(activatesAt),
        ]
    }
}
