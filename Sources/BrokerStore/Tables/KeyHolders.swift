/// A running broker with the master keys it has, so that a rotation can tell whether all brokers will follow.
package struct KeyHolder: Sendable, Hashable {
    /// A random id of the process.
    package var holder: String
    /// The ids of the keys it is configured with.
    package var keyIDs: [String]
    /// The id of the key it seals with.
    package var sealing: String
    package var seenAt: Timestamp
    /// The version of its program and the name of its computer; nil for a broker of schema 48 and before.
    package var version: String?
    package var host: String?

    package init(
        holder: String, keyIDs: [String], sealing: String, seenAt: Timestamp, version: String? = nil,
        host: String? = nil
    ) {
        self.holder = holder
        self.keyIDs = keyIDs
        self.sealing = sealing
        self.seenAt = seenAt
        self.version = version
        self.host = host
    }
}

extension Transaction {
    /// The brokers that were seen after a moment.
    package func keyHolders(seenAfter moment: Timestamp) throws(StoreError) -> [KeyHolder] {
        try rows(
            "key_holders",
            "SELECT holder, key_ids, sealing, seen_at, version, host FROM key_holders WHERE seen_at > $1 ORDER BY holder",
            .time(moment)
        ) { row throws(StoreError) in
            KeyHolder(
                holder: try row.text(), keyIDs: try row.words(), sealing: try row.text(), seenAt: try row.time(),
                version: try row.optionalText(), host: try row.optionalText())
        }
    }

    /// Records that a broker runs, and forgets those that were not seen after `silence`.
    package func put(_ holder: KeyHolder, forgettingSilentSince silence: Timestamp) throws(StoreError) {
        try run("remove_silent_key_holders", "DELETE FROM key_holders WHERE seen_at <= $1", .time(silence))
        try run(
            "put_key_holder",
            """
            INSERT INTO key_holders (holder, key_ids, sealing, seen_at, version, host) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (holder) DO UPDATE SET sealing = excluded.sealing, seen_at = excluded.seen_at
            """, .text(holder.holder), .words(holder.keyIDs), .text(holder.sealing), .time(holder.seenAt),
            .text(orNull: holder.version), .text(orNull: holder.host))
    }

    /// Records that a broker has stopped.
    package func removeKeyHolder(_ holder: String) throws(StoreError) {
        try run("remove_key_holder", "DELETE FROM key_holders WHERE holder = $1", .text(holder))
    }
}
