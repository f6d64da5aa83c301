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

/// An end of the hash chain, signed, so that missing entries are noticed there as well.
package struct AuditAnchor: Sendable, Hashable {
    package enum Name: String, Sendable, Hashable, CaseIterable {
        /// The last entry that was removed by its age.
        case start
        /// The last entry that was sealed.
        case head
    }

    package let name: Name
    package let sequence: Int64
    /// The seal of that entry.
    package let seal: [UInt8]
    package let at: Timestamp
    package let keyID: String
    package let signature: [UInt8]

    package init(name: Name, sequence: Int64, seal: [UInt8], at: Timestamp, keyID: String, signature: [UInt8]) {
        self.name = name
        self.sequence = sequence
        self.seal = seal
        self.at = at
        self.keyID = keyID
        self.signature = signature
    }
}

/// The entries that are not in the chain yet.
package struct UnsealedAudit: Sendable, Hashable {
    package let count: Int64
    /// The moment of the oldest of them.
    package let oldest: Timestamp?
}

/// The statements of the hash chain in `audit`, and of `audit_anchors`.
enum AuditChainStatements {
    /// The setting with the record that the store has a chain.
    static let recordName = "audit-chain"

    private static let sealColumns = "\(AuditStatements.columns), sequence, seal_key, seal"
    private static let anchorColumns = "name, sequence, seal, at, key_id, signature"

    static let unsealed = Statement(
        "unsealed_audit",
        "SELECT \(AuditStatements.columns) FROM audit WHERE sequence IS NULL ORDER BY key LIMIT $1", .integer)

    static let countUnsealed = Statement(
        "count_unsealed_audit", "SELECT count(*), min(at) FROM audit WHERE sequence IS NULL")

    static let seal = Statement(
        "seal_audit",
        "UPDATE audit SET sequence = $2, seal_key = $3, seal = $4 WHERE key = $1 AND sequence IS NULL RETURNING key",
        .integer, .integer, .text, .blob)

    static let sealed = Statement(
        "audit_chain",
        """
        SELECT \(sealColumns) FROM audit WHERE sequence IS NOT NULL AND (sequence, key) > ($1, $2)
        ORDER BY sequence, key LIMIT $3
        """, .integer, .integer, .integer)

    static let last = Statement(
        "last_sealed_audit",
        "SELECT \(sealColumns) FROM audit WHERE sequence IS NOT NULL ORDER BY sequence DESC, key DESC LIMIT 1")

    static let removeUpTo = Statement(
        "remove_sealed_audit", "DELETE FROM audit WHERE sequence IS NOT NULL AND sequence <= $1 RETURNING key",
        .integer)

    static let anchors = Statement("audit_anchors", "SELECT \(anchorColumns) FROM audit_anchors")

    static let putAnchor = Statement(
        "put_audit_anchor",
        """
        INSERT INTO audit_anchors (\(anchorColumns)) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence, seal = excluded.seal, at = excluded.at,
            key_id = excluded.key_id, signature = excluded.signature
        """, .text, .integer, .blob, .integer, .text, .blob)

    static let all = [unsealed, countUnsealed, seal, sealed, last, removeUpTo, anchors, putAnchor]
}

extension Transaction {
    /// The entries that are not in the chain yet, in the order of their keys.
    package func unsealedAudit(limit: Int) throws(StoreError) -> [AuditEntry] {
        try run(AuditChainStatements.unsealed, .limit(limit)).map { row throws(StoreError) in
            var row = row
            return try AuditEntry(reading: &row)
        }
    }

    package func unsealedAudit() throws(StoreError) -> UnsealedAudit {
        guard var row = try run(AuditChainStatements.countUnsealed).first else {
            return UnsealedAudit(count: 0, oldest: nil)
        }
        return UnsealedAudit(count: try row.integer(), oldest: try row.optionalTime())
    }

    /// Gives an entry its place in the chain.
    ///
    /// - Returns: false if it has one, or is gone.
    package func place(_ sealed: SealedAuditEntry) throws(StoreError) -> Bool {
        try !run(
            AuditChainStatements.seal, .integer(sealed.entry.key), .integer(sealed.sequence), .text(sealed.keyID),
            .blob(sealed.seal)
        ).isEmpty
    }

    /// The next entries of the chain.
    package func sealedAudit(after position: AuditPosition, limit: Int) throws(StoreError) -> [SealedAuditEntry] {
        try run(
            AuditChainStatements.sealed, .integer(position.sequence), .integer(position.key), .limit(limit)
        ).map { row throws(StoreError) in try SealedAuditEntry(reading: row) }
    }

    /// The entry with the largest number.
    package func lastSealedAudit() throws(StoreError) -> SealedAuditEntry? {
        try run(AuditChainStatements.last).first.map { row throws(StoreError) in try SealedAuditEntry(reading: row) }
    }

    /// Removes the entries up to a number.
    ///
    /// - Returns: How many went.
    package func removeSealedAudit(upTo sequence: Int64) throws(StoreError) -> Int {
        try run(AuditChainStatements.removeUpTo, .integer(sequence)).count
    }

    /// The ends of the chain.
    package func auditAnchors() throws(StoreError) -> [AuditAnchor.Name: AuditAnchor] {
        var anchors: [AuditAnchor.Name: AuditAnchor] = [:]
        for var row in try run(AuditChainStatements.anchors) {
            let name = try row.choice(AuditAnchor.Name.self)
            anchors[name] = AuditAnchor(
                name: name, sequence: try row.integer(), seal: try row.blob(), at: try row.time(),
                keyID: try row.text(), signature: try row.blob())
        }
        return anchors
    }

    /// The sealed record that the store has a chain. It is empty until the first broker seals it, in a new store and in
    /// one that a migration has marked; nil in a store that had it removed.
    package func auditRecord() throws(StoreError) -> [UInt8]? {
        try setting(AuditChainStatements.recordName)
    }

    /// Writes the record that the store has a chain.
    package func putAuditRecord(_ seal: [UInt8]) throws(StoreError) {
        guard try !insertSetting(AuditChainStatements.recordName, seal) else { return }
        try updateSetting(AuditChainStatements.recordName, seal)
    }

    /// Writes an end of the chain.
    package func put(_ anchor: AuditAnchor) throws(StoreError) {
        try run(
            AuditChainStatements.putAnchor, .text(anchor.name.rawValue), .integer(anchor.sequence),
            .blob(anchor.seal), .time(anchor.at), .text(anchor.keyID), .blob(anchor.signature))
    }
}

extension SealedAuditEntry {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        // Null where another program has changed the store: such a seal matches nothing.
        try self.init(
            entry: AuditEntry(reading: &row), sequence: row.integer(), keyID: row.optionalText() ?? "",
            seal: row.optionalBlob() ?? [])
    }
}
