// Generated from `audit_anchors` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// An end of the hash chain, signed, so that missing entries are noticed there as well.
package struct AuditAnchor: Record {
    package var name: Name
    package var sequence: Int64
    /// The seal of that entry.
    package var seal: [UInt8]
    package var at: Timestamp
    package var keyID: String
    package var signature: [UInt8]

    package init(name: Name, sequence: Int64, seal: [UInt8], at: Timestamp, keyID: String, signature: [UInt8]) {
        self.name = name
        self.sequence = sequence
        self.seal = seal
        self.at = at
        self.keyID = keyID
        self.signature = signature
    }
}

extension AuditAnchor {
    package static let table = TableDefinition.auditAnchors
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        name = try row.choice(Name.self)
        sequence = try row.integer()
        seal = try row.blob()
        at = try row.time()
        keyID = try row.text()
        signature = try row.blob()
    }

    package var values: [SQLValue] {
        [.text(name.rawValue), .integer(sequence), .blob(seal), .time(at), .text(keyID), .blob(signature)]
    }
}
