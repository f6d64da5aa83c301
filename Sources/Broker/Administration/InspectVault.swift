package import BrokerStore
import ProviderKit

/// A sealed value that does not open. Tells its place, never its content.
package struct VaultFinding: Error, Sendable, Hashable {
    package enum Problem: String, Sendable, Hashable {
        /// Damaged, or moved from another row.
        case corrupt
        /// Sealed under a master key that this broker does not have.
        case unknownKey
    }

    package let table: String
    package let column: String
    /// The row's private key.
    package let row: Int64
    package let problem: Problem
    /// The id of the master key in its header; nil for a value too short to have one.
    package let keyID: String?
}

/// Opens and seals the values of one column.
struct SealedColumnSealer: Sendable {
    private let column: SealedColumn
    private let sealer: Sealer

    /// - Throws: ``StoreError`` for a column whose purpose this broker does not know.
    init(_ column: SealedColumn, _ masterKey: MasterKey) throws {
        guard let purpose = MasterKey.Purpose(rawValue: column.purpose) else {
            throw StoreError(.misuse, "no purpose of the master key is called \(column.purpose)")
        }
        self.column = column
        sealer = Sealer(masterKey, for: purpose)
    }

    func open(_ value: SealedValue) -> Result<[UInt8], VaultFinding> {
        do throws(SealError) {
            return .success(try sealer.open(value.bytes, row: value.row))
        } catch {
            let problem: VaultFinding.Problem =
                switch error {
                case .corrupt: .corrupt
                case .sealedWithAnotherKey: .unknownKey
                }
            let keyID = value.bytes.count >= 5 ? Hexadecimal.encode(value.bytes[1..<5]) : nil
            return .failure(
                VaultFinding(
                    table: column.table, column: column.column, row: value.key, problem: problem, keyID: keyID))
        }
    }

    func seal(_ bytes: [UInt8], for value: SealedValue, with material: KeyMaterial) throws -> [UInt8] {
        try sealer.seal(bytes, row: value.row, with: material)
    }
}

/// The sealed values of a store and their keys, for an administrator. Works while brokers serve, and on a store whose
/// keys are damaged.
package struct InspectVault: StoreLayer {
    package let stored: StoreContext

    /// Values that one read opens at most.
    private static let page = 1000

    /// - Throws: ``ConfigurationError`` when the broker has not the key the store is sealed under.
    package init(_ stored: StoreContext) async throws {
        self.stored = stored
        if let vault = try await stored.store.read({ try $0.vaultState() }) {
            _ = try stored.masterKey.sealingKey(of: vault)
        }
    }

    /// The values of one column under one master key.
    package struct Count: Sendable, Hashable {
        package let table: String
        package let column: String
        package let purpose: String
        package let keyID: String
        package let rows: Int64
    }

    /// The keys of a store and what is sealed under them.
    package struct Status: Sendable {
        /// The id of the key that seals; nil for a store that is empty.
        package let sealing: String?
        /// The ids of the keys of the configuration, the master key first.
        package let configured: [String]
        package let history: [MasterKeyRow]
        package let wrapped: [WrappedKey]
        package let counts: [Count]
        /// The brokers that run.
        package let holders: [KeyHolder]
        package let now: Timestamp

        /// The values that are not sealed under the current key.
        package var rowsUnderOtherKeys: Int64 { counts.filter { $0.keyID != sealing }.reduce(0) { $0 + $1.rows } }

        /// When the pages that browsers had open at the last change have expired; until then the former key opens them.
        package var formsExpireAt: Timestamp? {
            history.compactMap(\.endedAt).max().map {
                $0.advanced(by: HostedForms.lifetime + MasterKeyRotation.activationDelay)
            }
        }

        /// Whether the configuration needs its previous key no more.
        package var canRemovePrevious: Bool {
            configured.count > 1 && sealing == configured[0] && rowsUnderOtherKeys == 0
                && !history.contains { $0.endedAt != nil && $0.rewrappedAt == nil }
                && (formsExpireAt.map { $0 <= now } ?? true)
        }
    }

    /// Reads the keys and counts the values under each.
    ///
    /// - Throws: A store's error.
    package func status() async throws -> Status {
        let (keys, now) = (masterKey.keys, now)
        return try await store.read { transaction in
            let vault = try transaction.vaultState()
            var counts: [Count] = []
            for column in SealedColumn.all {
                counts += try transaction.sealedCounts(of: column).map { keyID, rows in
                    Count(
                        table: column.table, column: column.column, purpose: column.purpose,
                        keyID: Hexadecimal.encode(keyID), rows: rows)
                }
            }
            return Status(
                sealing: vault.flatMap { vault in keys.first { $0.checkValue == vault.checkValue } }?.identifier,
                configured: keys.map(\.identifier), history: vault?.history ?? [], wrapped: vault?.wrapped ?? [],
                counts: counts,
                holders: try transaction.keyHolders(seenAfter: now.advanced(by: .zero - MasterKeyWatch.silence)),
                now: now)
        }
    }

    /// Opens every sealed value, in small reads.
    ///
    /// - Parameter progress: Called with the number of values that were opened, and of all.
    /// - Returns: The number of values, and those that do not open.
    /// - Throws: A store's error.
    package func verify(
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> (values: Int, findings: [VaultFinding]) {
        var (values, findings) = (0, [VaultFinding]())
        let total = try await store.read { try $0.sealedCount() }
        for column in SealedColumn.all {
            let sealer = try SealedColumnSealer(column, masterKey)
            var last = Int64(0)
            while true {
                try Task.checkCancellation()
                let after = last
                let page = try await store.read { transaction in
                    try transaction.sealedValues(of: column, after: after, limit: Self.page)
                }
                guard let end = page.last else { break }
                last = end.key
                values += page.count
                progress(values, total)
                for value in page {
                    if case .failure(let finding) = sealer.open(value) { findings.append(finding) }
                }
            }
        }
        return (values, findings)
    }
}

extension Transaction {
    /// The number of sealed values, all or without those under one master key.
    func sealedCount(notUnder keyID: [UInt8]? = nil) throws(StoreError) -> Int {
        var count: Int64 = 0
        for column in SealedColumn.all {
            for (key, rows) in try sealedCounts(of: column) where key != keyID { count += rows }
        }
        return Int(clamping: count)
    }
}
