// Generated from `master_keys` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A master key the store was or is sealed under. The store knows it by its id and check value only.
package struct MasterKeyRow: Record {
    /// Private, time-ordered.
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

extension MasterKeyRow {
    package static let table = TableDefinition.masterKeys
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        checkValue = try row.blob()
        beganAt = try row.optionalTime()
        endedAt = try row.optionalTime()
        rewrappedAt = try row.optionalTime()
        compromisedAt = try row.optionalTime()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .blob(checkValue), .time(orNull: beganAt), .time(orNull: endedAt),
            .time(orNull: rewrappedAt), .time(orNull: compromisedAt),
        ]
    }
}
