// Generated from `provider_entries` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A provider entry that stands in the store instead of `plugins.json`.
package struct StoredProviderEntry: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// The wire's `providerId`.
    package var id: String
    /// The entry as `plugins.json` would have it, with its secrets.
    package var sealedEntry: [UInt8]
    /// 1, 2, 3, …: each change has the next.
    package var version: Int64
    package var createdAt: Timestamp
    package var changedAt: Timestamp

    package init(
        key: Int64, id: String, sealedEntry: [UInt8], version: Int64, createdAt: Timestamp, changedAt: Timestamp
    ) {
        self.key = key
        self.id = id
        self.sealedEntry = sealedEntry
        self.version = version
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}

extension StoredProviderEntry {
    package static let table = TableDefinition.providerEntries
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        sealedEntry = try row.blob()
        version = try row.integer()
        createdAt = try row.time()
        changedAt = try row.time()
    }

    package var values: [SQLValue] {
        [.integer(key), .text(id), .blob(sealedEntry), .integer(version), .time(createdAt), .time(changedAt)]
    }
}
