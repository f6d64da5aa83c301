/// A provider entry that stands in the store instead of `plugins.json`.
package struct StoredProviderEntry: Sendable, Hashable {
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

/// The statements of `provider_entries`.
enum ProviderEntryStatements {
    static let columns = "key, id, sealed_entry, version, created_at, changed_at"

    static let insert = Statement(
        "insert_provider_entry",
        """
        INSERT INTO provider_entries (\(columns)) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING key
        """, .integer, .text, .blob, .integer, .integer, .integer)

    static let everyEntry = Statement(
        "provider_entries", "SELECT \(columns) FROM provider_entries ORDER BY key")

    static let update = Statement(
        "update_provider_entry",
        "UPDATE provider_entries SET sealed_entry = $2, version = $3, changed_at = $4 WHERE key = $1",
        .integer, .blob, .integer, .integer)

    static let remove = Statement(
        "remove_provider_entry", "DELETE FROM provider_entries WHERE id = $1 RETURNING key", .text)

    static let all = [insert, everyEntry, update, remove]
}

extension Transaction {
    /// Adds `entry`.
    ///
    /// - Returns: false if there is one with its id.
    package func insert(_ entry: StoredProviderEntry) throws(StoreError) -> Bool {
        let rows = try run(
            ProviderEntryStatements.insert, .integer(entry.key), .text(entry.id), .blob(entry.sealedEntry),
            .integer(entry.version), .time(entry.createdAt), .time(entry.changedAt))
        return !rows.isEmpty
    }

    /// All entries, in the order in which they were added.
    package func providerEntries() throws(StoreError) -> [StoredProviderEntry] {
        try run(ProviderEntryStatements.everyEntry).map { row throws(StoreError) in
            var row = row
            return StoredProviderEntry(
                key: try row.integer(), id: try row.text(), sealedEntry: try row.blob(), version: try row.integer(),
                createdAt: try row.time(), changedAt: try row.time())
        }
    }

    /// Writes the content, the version and the moment of a changed entry.
    package func update(_ entry: StoredProviderEntry) throws(StoreError) {
        try run(
            ProviderEntryStatements.update, .integer(entry.key), .blob(entry.sealedEntry), .integer(entry.version),
            .time(entry.changedAt))
    }

    /// Removes an entry.
    ///
    /// - Returns: false if there is none with this id.
    package func removeProviderEntry(id: String) throws(StoreError) -> Bool {
        try !run(ProviderEntryStatements.remove, .text(id)).isEmpty
    }
}
