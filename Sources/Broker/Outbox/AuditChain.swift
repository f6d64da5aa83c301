import BrokerStore
import Crypto
import Foundation
import JOSE
import ProviderKit

/// The hash chain of the audit (Docs/Decisions/0035-the-audit-chain.md): an HMAC over each entry and the seal before it, and
/// one over each end of the chain.
///
/// The newest key seals. Earlier ones only verify: nothing is sealed again when the master key is rotated.
struct AuditChain: Sendable {
    /// A place in the chain that the next entry follows.
    struct Place: Sendable, Hashable {
        let sequence: Int64
        let seal: [UInt8]

        /// Before the first entry.
        static let beginning = Place(sequence: 0, seal: [UInt8](repeating: 0, count: 32))
    }

    private let masterKey: MasterKey
    /// Oldest first.
    let keys: [MasterKey.SigningSecret]

    /// The chain with the keys that the broker has at this moment.
    init(_ masterKey: MasterKey) {
        self.masterKey = masterKey
        keys = masterKey.generations(of: .auditSeals)
    }

    /// The age of a key among those of the chain; nil for one that the broker does not have.
    func index(ofKey id: String) -> Int? { keys.lastIndex { $0.id == id } }

    /// Whether the newest key is the newest one in the store.
    func isCurrent(in transaction: borrowing Transaction) throws(StoreError) -> Bool {
        let purpose = MasterKey.Purpose.auditSeals.rawValue
        let newest = try transaction.wrappedKeys().last { $0.purpose == purpose }
        return keys.last?.id == newest?.id ?? masterKey.identifier
    }

    /// Seals entries one after the other.
    ///
    /// - Parameters:
    ///   - entries: In the order of the chain.
    ///   - place: The place before the first of them.
    /// - Returns: The sealed entries.
    /// - Throws: ``StoreError`` when the chain has no further number, which only an altered store has.
    func seal(_ entries: [AuditEntry], after place: Place) throws(StoreError) -> [SealedAuditEntry] {
        guard let secret = keys.last else { return [] }
        var (last, sealed) = (place, [SealedAuditEntry]())
        for entry in entries {
            guard (0..<Int64.max - 1).contains(last.sequence) else {
                throw StoreError(.corrupt, "the audit has an entry with the number \(last.sequence)")
            }
            let row = SealedAuditEntry(
                entry: entry, sequence: last.sequence + 1, keyID: secret.id,
                seal: Self.code(of: entry, last.sequence + 1, after: last.seal, with: secret))
            sealed.append(row)
            last = Place(sequence: row.sequence, seal: row.seal)
        }
        return sealed
    }

    /// Whether the seal of an entry is the one that follows `previous`.
    func isValid(_ row: SealedAuditEntry, after previous: [UInt8]) -> Bool {
        guard let index = index(ofKey: row.keyID) else { return false }
        return Self.code(of: row.entry, row.sequence, after: previous, with: keys[index]) == row.seal
    }

    /// Signs an end of the chain with the newest key.
    func sign(_ name: AuditAnchor.Name, at place: Place, _ now: Timestamp) -> AuditAnchor? {
        keys.last.map { Self.sign(name, at: place, now, with: $0) }
    }

    /// The same with a key that the broker has not adopted yet.
    static func sign(
        _ name: AuditAnchor.Name, at place: Place, _ now: Timestamp, with secret: MasterKey.SigningSecret
    ) -> AuditAnchor {
        AuditAnchor(
            name: name, sequence: place.sequence, seal: place.seal, at: now, keyID: secret.id,
            signature: signature(name, place, now, with: secret))
    }

    /// Whether the broker has signed this end of the chain.
    func isValid(_ anchor: AuditAnchor) -> Bool {
        guard let index = index(ofKey: anchor.keyID) else { return false }
        return Self.signature(anchor.name, anchor.place, anchor.at, with: keys[index]) == anchor.signature
    }

    /// The record that the store has a chain, sealed with the newest key.
    ///
    /// The store has it from its first start on, and with it the end of the chain. A store that lacks one of them had it
    /// removed.
    var record: [UInt8]? { keys.last.map { Self.record(with: $0) } }

    /// The same with a key that the broker has not adopted yet.
    static func record(with secret: MasterKey.SigningSecret) -> [UInt8] {
        var message = CanonicalBytes("audit-chain/1")
        message.append(secret.id)
        return message.code(with: secret)
    }

    /// Seals the record of a store that is new, or comes from a version without it, and signs the end of an empty chain.
    func begin(in store: Store, at now: Timestamp) async throws {
        guard try await store.read({ try $0.auditRecord() }) == [], let record else { return }
        try await store.write(at: now) { transaction in
            guard try transaction.auditRecord() == [], try isCurrent(in: transaction) else { return }
            if try transaction.auditAnchors()[.head] == nil, let head = sign(.head, at: .beginning, now) {
                try transaction.put(head)
            }
            try transaction.putAuditRecord(record)
        }
    }

    private static func code(
        of entry: AuditEntry, _ sequence: Int64, after previous: [UInt8], with secret: MasterKey.SigningSecret
    ) -> [UInt8] {
        var message = CanonicalBytes("audit-entry/1")
        message.append(secret.id)
        message.append(previous)
        for number in [sequence, entry.key, entry.at.milliseconds] { message.append(number) }
        // An entry that lacks a column has the code it had before there was such a column.
        let columns: [(String, String?)] = [
            ("actor_kind", entry.actorKind.rawValue), ("actor", entry.actor), ("event", entry.event),
            ("local_id", entry.localID), ("provider", entry.provider), ("subject_hash", entry.subjectHash),
            ("request_id", entry.requestID), ("detail", entry.detail.text), ("address", entry.address),
            ("reason", entry.reason),
        ]
        for (name, value) in columns {
            guard let value else { continue }
            message.append(name)
            message.append(value)
        }
        return message.code(with: secret)
    }

    private static func signature(
        _ name: AuditAnchor.Name, _ place: Place, _ now: Timestamp, with secret: MasterKey.SigningSecret
    ) -> [UInt8] {
        var message = CanonicalBytes("audit-anchor/1")
        message.append(secret.id)
        message.append(name.rawValue)
        message.append(place.sequence)
        message.append(place.seal)
        message.append(now.milliseconds)
        return message.code(with: secret)
    }
}

extension AuditAnchor {
    var place: AuditChain.Place { AuditChain.Place(sequence: sequence, seal: seal) }
}

extension SealedAuditEntry {
    var place: AuditChain.Place { AuditChain.Place(sequence: sequence, seal: seal) }
}

/// Values one after the other, so that no two lists of values have the same bytes.
private struct CanonicalBytes {
    private var bytes: [UInt8] = []

    init(_ kind: String) { append(kind) }

    mutating func append(_ value: Int64) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ value: [UInt8]) {
        append(Int64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func append(_ text: String) {
        append(text.utf8Bytes)
    }

    func code(with secret: MasterKey.SigningSecret) -> [UInt8] { secret.code(of: bytes).byteArray }
}
