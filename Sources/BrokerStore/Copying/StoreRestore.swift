import Foundation
import StoreSchema

/// A restore of a backup into an empty store, which invalidates everything issued before.
package struct StoreRestore: Sendable {
    let target: Store
    let name: String
    let now: @Sendable () -> Timestamp
    let report: @Sendable (StoreProgress) -> Void

    /// - Parameters:
    ///   - target: The store, opened for transfer.
    ///   - name: The operator's name of the backup.
    ///   - now: The clock.
    ///   - report: Receives the progress.
    package init(
        into target: Store, named name: String, now: @escaping @Sendable () -> Timestamp,
        report: @escaping @Sendable (StoreProgress) -> Void = { _ in }
    ) {
        self.target = target
        self.name = name
        self.now = now
        self.report = report
    }

    /// The result of a restore.
    package struct Outcome: Sendable {
        /// The digests of the restored tables.
        package let digests: [TableDigest]
        /// How many users of the backup were deleted again.
        package let erased: Int
    }

    /// Fills the store. Starts over when an earlier call was interrupted.
    ///
    /// - Parameters:
    ///   - path: The backup, which is not changed.
    ///   - erasures: The deletions of users to apply again.
    ///   - audit: The audit entry for the restored store.
    /// - Returns: The outcome.
    /// - Throws: ``TransferRefusal`` or a store's error. A partly filled store then refuses to be served.
    package func callAsFunction(
        from path: String, repeating erasures: [Erasure] = [], audit: AuditEntry
    ) async throws -> Outcome {
        try await Store.withCurrent(archive: path) { archive in try await fill(from: archive, erasures, audit) }
    }

    private func fill(from archive: Store, _ erasures: [Erasure], _ audit: AuditEntry) async throws -> Outcome {
        let mark = try await begin()
        let total = try await archive.rowCount()
        var copied = 0
        for table in TableDefinition.all {
            try await copy(table, from: archive, under: mark) { count in
                copied += count
                report(StoreProgress(.copying, table: table.name, copied, of: total))
            }
        }
        let erased = try await erase(erasures, audit, under: mark)
        try await target.write { tx in
            try tx.append(audit)
            try tx.delete(mark)
        }
        let digests = try await target.digests(report: report)
        return Outcome(digests: digests, erased: erased)
    }

    /// Deletes users again. The store is not served before this has ended.
    ///
    /// - Returns: How many there were.
    private func erase(_ erasures: [Erasure], _ audit: AuditEntry, under mark: Transfer) async throws -> Int {
        var count = 0
        for start in stride(from: 0, to: erasures.count, by: StoreCopy.pageSize) {
            try Task.checkCancellation()
            let part = erasures[start..<min(start + StoreCopy.pageSize, erasures.count)]
            count += try await target.write { tx in
                try tx.require(mark)
                var count = 0
                for erasure in part where try tx.repeatErasure(erasure, audit) { count += 1 }
                return count
            }
        }
        return count
    }

    /// Marks the store as half filled, and empties it if it was.
    private func begin() async throws -> Transfer {
        let mark = Transfer(
            role: .incoming, id: UUID().uuidString, phase: .restoring, other: name, revision: 0, changedAt: now())
        let earlier = try await target.write { tx -> Transfer? in
            if let earlier = try tx.transfers().first {
                guard earlier.phase == .restoring else { throw TransferRefusal.anotherCopy }
                return earlier
            }
            guard try tx.isEmpty() else { throw TransferRefusal.targetIsNotEmpty }
            guard try tx.insert(mark) else { throw TransferRefusal.continuedElsewhere }
            return nil
        }
        guard let earlier else { return mark }
        let now = now()
        let taken = try await target.change(earlier, at: now) { _ in }
        try await target.clear(under: taken, report)
        return taken
    }

    private func copy(
        _ table: TableDefinition, from archive: Store, under mark: Transfer, counting: (_ rows: Int) -> Void
    ) async throws {
        let restoration = Restoration(now: now())
        var last: RowKey?
        while true {
            try Task.checkCancellation()
            let page = try await archive.read { [last] tx in
                try tx.rows(of: table, after: last, limit: StoreCopy.pageSize)
            }
            let rows = page.compactMap { restoration($0) }
            let unplaced = try await target.write { tx in
                try tx.require(mark)
                return try tx.place(rows)
            }
            guard unplaced.isEmpty else {
                throw StoreError(.corrupt, "the backup has rows in \(table.name) that refer to rows it does not have")
            }
            counting(page.count)
            guard page.count == StoreCopy.pageSize, let end = page.last else { return }
            last = end.key
        }
    }
}
