extension Transaction {
    /// Adds `entry`.
    ///
    /// - Returns: false if there is one with its id.
    package func insert(_ entry: StoredProviderEntry) throws(StoreError) -> Bool {
        try insertUnlessTaken(entry)
    }

    /// All entries, in the order in which they were added.
    package func providerEntries() throws(StoreError) -> [StoredProviderEntry] {
        try all("provider_entries", "SELECT \(StoredProviderEntry.columns) FROM provider_entries ORDER BY key")
    }

    /// Writes the content, the version and the moment of a changed entry.
    package func update(_ entry: StoredProviderEntry) throws(StoreError) {
        try run(
            "update_provider_entry",
            "UPDATE provider_entries SET sealed_entry = $2, version = $3, changed_at = $4 WHERE key = $1",
            .integer(entry.key), .blob(entry.sealedEntry), .integer(entry.version), .time(entry.changedAt))
    }

    /// Removes an entry.
    ///
    /// - Returns: false if there is none with this id.
    package func removeProviderEntry(id: String) throws(StoreError) -> Bool {
        try run("remove_provider_entry", "DELETE FROM provider_entries WHERE id = $1", .text(id)) > 0
    }
}
