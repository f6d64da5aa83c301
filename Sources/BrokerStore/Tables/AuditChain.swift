/// An audit entry with its place in the hash chain.
package struct SealedAuditEntry: Sendable, Hashable {
    package let entry: AuditEntry
    /// Its place in the chain: 1, 2, 3, …
    package let sequence: Int64
    /// The id of the key that ``seal`` was made with.
    package let keyID: String
    package let seal: [UInt8]

    package init(entry: AuditEntry, sequence: Int64, keyID: String, seal: [UInt8]) {
        self.entry = entry
        self.sequence = sequence
        self.keyID = keyID
        self.seal = seal
    }

    /// The position of the entry, from which a reader continues.
    package var position: AuditPosition { AuditPosition(sequence: sequence, key: entry.key) }
}

/// A position in the chain. The key tells entries of one sequence number apart, which only a changed store has.
package struct AuditPosition: Sendable, Hashable {
    package let sequence: Int64
    package let key: Int64

    package init(sequence: Int64, key: Int64 = .max) {
        self.sequence = sequence
        self.key = key
    }

    /// Before every entry.
    package static let beginning = AuditPosition(sequence: .min)
}

extension AuditAnchor {
    package enum Name: String, Sendable, Hashable, CaseIterable {
        /// The last entry that was removed by its age.
        case start
        /// The last entry that was sealed.
        case head
    }
}

/// The entries that are not in the chain yet.
package struct UnsealedAudit: Sendable, Hashable {
    package let count: Int64
    /// The moment of the oldest of them.
    package let oldest: Timestamp?
}

extension Transaction {
    /// The setting with the record that the store has a chain.
    private static let auditRecordName = "audit-chain"

    /// The entries that are not in the chain yet, in the order of their keys.
    package func unsealedAudit(limit: Int) throws(StoreError) -> [AuditEntry] {
        try all(
            "unsealed_audit",
            "SELECT \(AuditEntry.columns) FROM audit WHERE sequence IS NULL ORDER BY key LIMIT $1", .limit(limit))
    }

    package func unsealedAudit() throws(StoreError) -> UnsealedAudit {
        let unsealed = try value(
            "count_unsealed_audit", "SELECT count(*), min(at) FROM audit WHERE sequence IS NULL"
        ) { row throws(StoreError) in
            UnsealedAudit(count: try row.integer(), oldest: try row.optionalTime())
        }
        return unsealed ?? UnsealedAudit(count: 0, oldest: nil)
    }

    /// Gives an entry its place in the chain.
    ///
    /// - Returns: false if it has one, or is gone.
    package func place(_ sealed: SealedAuditEntry) throws(StoreError) -> Bool {
        try run(
            "seal_audit",
            """
            UPDATE audit SET sequence = $2, seal_key = $3, seal = $4 WHERE key = $1 AND sequence IS NULL
            """, .integer(sealed.entry.key), .integer(sealed.sequence), .text(sealed.keyID), .blob(sealed.seal)) > 0
    }

    /// The next entries of the chain.
    package func sealedAudit(after position: AuditPosition, limit: Int) throws(StoreError) -> [SealedAuditEntry] {
        try rows(
            "audit_chain",
            """
            SELECT \(SealedAuditEntry.columns) FROM audit WHERE sequence IS NOT NULL AND (sequence, key) > ($1, $2)
            ORDER BY sequence, key LIMIT $3
            """, .integer(position.sequence), .integer(position.key), .limit(limit)
        ) { row throws(StoreError) in try SealedAuditEntry(reading: &row) }
    }

    /// The entry with the largest number.
    package func lastSealedAudit() throws(StoreError) -> SealedAuditEntry? {
        try value(
            "last_sealed_audit",
            """
            SELECT \(SealedAuditEntry.columns) FROM audit WHERE sequence IS NOT NULL
            ORDER BY sequence DESC, key DESC LIMIT 1
            """
        ) { row throws(StoreError) in try SealedAuditEntry(reading: &row) }
    }

    /// Removes the entries up to a number.
    ///
    /// - Returns: How many went.
    package func removeSealedAudit(upTo sequence: Int64) throws(StoreError) -> Int {
        try separateDecisions(fromSealedAuditUpTo: sequence)
        return try run(
            "remove_sealed_audit", "DELETE FROM audit WHERE sequence IS NOT NULL AND sequence <= $1",
            .integer(sequence))
    }

    /// The ends of the chain.
    package func auditAnchors() throws(StoreError) -> [AuditAnchor.Name: AuditAnchor] {
        let anchors: [AuditAnchor] = try all(
            "audit_anchors", "SELECT \(AuditAnchor.columns) FROM audit_anchors")
        return anchors.reduce(into: [:]) { $0[$1.name] = $1 }
    }

    /// The sealed record that the store has a chain. It is empty until the first broker seals it, in a new store and in
    /// one that a migration has marked; nil in a store that had it removed.
    package func auditRecord() throws(StoreError) -> [UInt8]? {
        try setting(Self.auditRecordName)
    }

    /// Writes the record that the store has a chain.
    package func putAuditRecord(_ seal: [UInt8]) throws(StoreError) {
        guard try !insertSetting(Self.auditRecordName, seal) else { return }
        try updateSetting(Self.auditRecordName, seal)
    }

    /// Writes an end of the chain.
    package func put(_ anchor: AuditAnchor) throws(StoreError) {
        try run(
            "put_audit_anchor",
            """
            INSERT INTO audit_anchors (\(AuditAnchor.columnNames)) VALUES (\(AuditAnchor.parameters))
            ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence, seal = excluded.seal, at = excluded.at,
                key_id = excluded.key_id, signature = excluded.signature
            """,
            .text(anchor.name.rawValue), .integer(anchor.sequence), .blob(anchor.seal), .time(anchor.at),
            .text(anchor.keyID), .blob(anchor.signature))
    }
}

extension SealedAuditEntry {
    /// The columns of ``init(reading:)``.
    static let columns = "\(AuditEntry.columns), sequence, seal_key, seal"

    fileprivate init(reading row: inout Row) throws(StoreError) {
        // Null where another program has changed the store: such a seal matches nothing.
        try self.init(
            entry: AuditEntry(reading: &row), sequence: row.integer(), keyID: row.optionalText() ?? "",
            seal: row.optionalBlob() ?? [])
    }
}
