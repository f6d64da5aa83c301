import BrokerStore

/// Something in the audit that its hash chain does not confirm.
package struct AuditFinding: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Entries between two others, or at an end of the chain, are gone.
        case missing
        /// An entry does not match its seal: it was edited or took another's place.
        case altered
        /// An entry has a number that the chain does not give it.
        case inserted
        /// An entry or an end is sealed with a key that the broker does not have.
        case unknownKey = "unknown-key"
        /// An entry or an end is sealed with a key that had been replaced.
        case replacedKey = "replaced-key"
        /// The record of the first entry is missing or altered.
        case start
        /// The record of the last entry is missing or altered.
        case head
        /// The record that the store has a chain is missing or altered.
        case record
        /// A broker found the chain broken and continued it.
        case recorded
        /// The chain does not contain the expected seal.
        case unexpected
    }

    package let kind: Kind
    /// The first and the last number concerned.
    package let first: Int64
    package let last: Int64

    package init(_ kind: Kind, _ first: Int64, _ last: Int64? = nil) {
        self.kind = kind
        self.first = first
        self.last = last ?? first
    }

    /// The event with which a broker records that it found the chain broken.
    package static let event = "audit.chain-broken"
}

/// Checks the entries of the chain one after the other, in constant memory.
struct AuditWalk: Sendable {
    /// The most findings that are listed; all of them are counted.
    static let longestList = 100

    private let chain: AuditChain
    /// The last entry that was looked at.
    private(set) var position: AuditPosition
    private(set) var sequence: Int64
    /// The seal that the next entry follows; nil after missing entries.
    private var seal: [UInt8]?
    /// The age of the last key.
    private var generation = 0
    private(set) var entries = 0
    private(set) var findingCount = 0
    private(set) var findings: [AuditFinding] = []

    /// - Parameters:
    ///   - chain: Has the keys.
    ///   - place: The place before the first entry.
    init(_ chain: AuditChain, after place: AuditChain.Place = .beginning) {
        self.chain = chain
        (sequence, seal) = (place.sequence, place.seal)
        // Entries of smaller numbers that are left are looked at too.
        position = place == .beginning ? .beginning : AuditPosition(sequence: place.sequence)
    }

    /// Continues a walk behind an entry that it has visited.
    init(_ chain: AuditChain, resumingAfter row: SealedAuditEntry) {
        self.init(chain, after: row.place)
        generation = chain.index(ofKey: row.keyID) ?? 0
    }

    /// The same when that entry is gone.
    init(_ chain: AuditChain, resumingAfter sequence: Int64) {
        self.init(chain, after: AuditChain.Place(sequence: sequence, seal: []))
        seal = nil
    }

    /// Continues behind entries that were removed by their age.
    mutating func skip(to start: AuditAnchor) {
        guard start.sequence > sequence else { return }
        (sequence, seal) = (start.sequence, start.seal)
    }

    mutating func visit(_ row: SealedAuditEntry) {
        position = row.position
        entries += 1
        guard row.sequence > sequence else { return report(AuditFinding(.inserted, row.sequence)) }
        if row.sequence > sequence + 1 {
            report(AuditFinding(.missing, sequence + 1, row.sequence - 1))
            seal = nil
        }
        check(key: row.keyID, of: row.sequence)
        if let seal, chain.index(ofKey: row.keyID) != nil, !chain.isValid(row, after: seal) {
            report(AuditFinding(.altered, row.sequence))
        }
        if row.entry.event == AuditFinding.event { report(AuditFinding(.recorded, row.sequence)) }
        (sequence, seal) = (row.sequence, row.seal)
    }

    /// Checks the record of an end.
    mutating func check(_ anchor: AuditAnchor) {
        let kind: AuditFinding.Kind = anchor.name == .start ? .start : .head
        if !chain.isValid(anchor) {
            report(AuditFinding(kind, anchor.sequence))
        } else if anchor.keyID != chain.keys.last?.id {
            // A rotation signs both ends again.
            report(AuditFinding(.replacedKey, anchor.sequence))
        }
    }

    /// Checks the record that the store has a chain.
    mutating func check(record: [UInt8]?) {
        if record != chain.record { report(AuditFinding(.record, 0)) }
    }

    /// Checks that the chain ends where its head says, once every entry was looked at.
    mutating func finish(at head: AuditAnchor?) {
        // A store has a head from its first start on, also while nothing is sealed.
        guard let head else { return report(AuditFinding(.head, sequence)) }
        check(head)
        if head.sequence > sequence {
            report(AuditFinding(.missing, sequence + 1, head.sequence))
        } else if head.sequence < sequence {
            report(AuditFinding(.inserted, head.sequence + 1, sequence))
        } else if let seal, seal != head.seal {
            report(AuditFinding(.altered, sequence))
        }
    }

    mutating func report(_ finding: AuditFinding) {
        findingCount += 1
        if findings.count < Self.longestList { findings.append(finding) }
    }

    private mutating func check(key id: String, of sequence: Int64) {
        guard let index = chain.index(ofKey: id) else { return report(AuditFinding(.unknownKey, sequence)) }
        if index < generation { report(AuditFinding(.replacedKey, sequence)) }
        generation = max(generation, index)
    }
}
