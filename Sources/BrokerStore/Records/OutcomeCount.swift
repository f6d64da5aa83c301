// Generated from `outcome_counts` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// How many sign-ins, or refusals of one cause, one broker has counted in an hour.
package struct OutcomeCount: Record {
    /// Its beginning.
    package var hour: Timestamp
    /// The stable code of the cause; empty for sign-ins.
    package var code: String
    /// The provider entry; empty where none takes part.
    package var provider: String
    /// The OAuth client; empty where none is known.
    package var clientID: String
    /// The broker's process.
    package var holder: String
    package var count: Int64

    package init(hour: Timestamp, code: String, provider: String, clientID: String, holder: String, count: Int64) {
        self.hour = hour
        self.code = code
        self.provider = provider
        self.clientID = clientID
        self.holder = holder
        self.count = count
    }
}

extension OutcomeCount {
    package static let table = TableDefinition.outcomeCounts
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        hour = try row.time()
        code = try row.text()
        provider = try row.text()
        clientID = try row.text()
        holder = try row.text()
        count = try row.integer()
    }

    package var values: [SQLValue] {
        [.time(hour), .text(code), .text(provider), .text(clientID), .text(holder), .integer(count)]
    }
}
