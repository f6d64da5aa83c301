import Foundation
import StoreSchema

/// A copy of a live SQLite store to another database, with a switch that loses no write.
///
/// Triggers in the source note changed rows. Pages are copied in the order of their keys. Then the noted rows are
/// copied again until none is left, the last time while writes are refused. Every step can be repeated: the target
/// stores the progress in the transaction of the step.
package struct StoreCopy: Sendable {
    static let pageSize = 500
    /// Many, so that the transactions around them cost little: a busy source must not outrun its copy.
    static let changesAtOnce = 4000
    /// So many are worked off in the blink of an eye, in which writes can be refused.
    static let fewChanges = 500

    let source: Store
    let target: Store
    let names: (source: String, target: String)
    let now: @Sendable () -> Timestamp
    let report: @Sendable (StoreProgress) -> Void

    /// - Parameters:
    ///   - source: A SQLite store, opened for transfer.
    ///   - target: Another one, opened for transfer.
    ///   - names: The names of both stores, each recorded in the other store, so never a secret.
    ///   - now: The clock.
    ///   - report: Receives the progress.
    package init(
        from source: Store, to target: Store, names: (source: String, target: String),
        now: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (StoreProgress) -> Void = { _ in }
    ) {
        self.source = source
        self.target = target
        self.names = names
        self.now = now
        self.report = report
    }

    /// Copies until only what changes at this moment is missing. Goes on where an earlier call stopped.
    ///
    /// - Throws: ``TransferRefusal`` before anything was written; a store's error, after which it may be repeated.
    package func prepare() async throws {
        _ = try await prepared()
    }

    /// Finishes a copy: the source refuses writes, gets even with the target, and is served no more.
    ///
    /// If anything fails on the way, the source serves again as before.
    ///
    /// - Parameter audit: The audit entry for both stores.
    /// - Returns: The digests of the copied tables.
    /// - Throws: ``TransferRefusal`` or a store's error.
    package func move(_ audit: AuditEntry) async throws -> [TableDigest] {
        let incoming = try await prepared()
        // Counted before writes are refused.
        let total = try await source.rowCount()
        guard var outgoing = try await source.transfer(.outgoing) else { throw TransferRefusal.notMoving }
        if outgoing.phase == .copying { outgoing = try await refuseWrites(outgoing, audit) }
        let digests: [TableDigest]
        do {
            try await follow(incoming, toTheEnd: true)
            digests = try await equalDigests(of: total)
        } catch {
            if outgoing.phase == .switching { try? await admitWrites(outgoing) }
            throw error
        }
        if outgoing.phase == .switching { try await leave(outgoing) }
        // Last, so that at no moment both of them may be served.
        guard let latest = try await target.transfer(.incoming) else { throw TransferRefusal.anotherCopy }
        guard latest.phase != .withdrawing else { throw TransferRefusal.withdrawing }
        try await target.change(latest, at: now()) { $0.phase = .complete }
        return digests
    }

    /// A target that lacks only what changes at this moment.
    private func prepared() async throws -> Transfer {
        let incoming = try await copyPages(try await begin())
        try await follow(incoming, toTheEnd: false)
        return incoming
    }

    /// Compares both stores and returns their equal digests.
    private func equalDigests(of total: Int?) async throws -> [TableDigest] {
        async let copied = target.digests()
        let original = try await source.read { [report] tx in try tx.digests(.comparing, of: total, report) }
        let differing = try await original.differing(from: copied)
        guard differing.isEmpty else { throw TransferRefusal.tablesDiffer(differing) }
        return original
    }

    private func refuseWrites(_ outgoing: Transfer, _ audit: AuditEntry) async throws -> Transfer {
        let now = now()
        return try await source.write { tx in
            try tx.append(audit)
            try tx.define(ChangeCapture.refusal)
            return try tx.change(outgoing, at: now) { $0.phase = .switching }
        }
    }

    private func admitWrites(_ outgoing: Transfer) async throws {
        let now = now()
        try await source.write { tx in
            try tx.define(ChangeCapture.admission)
            _ = try tx.change(outgoing, at: now) { $0.phase = .copying }
        }
    }

    private func leave(_ outgoing: Transfer) async throws {
        let now = now()
        try await source.write { tx in
            try tx.define(ChangeCapture.removal)
            _ = try tx.change(outgoing, at: now) { $0.phase = .moved }
        }
    }

    /// Begins the copy, or finds the one that was begun.
    ///
    /// - Returns: How far the target is.
    /// - Throws: ``TransferRefusal``.
    private func begin() async throws -> Transfer {
        guard try await source.read({ tx in tx.isSQLite }) else { throw TransferRefusal.sourceIsNoSQLiteFile }
        try await refuseOtherSchema()
        let outgoing = try await source.transfer(.outgoing)
        let incoming = try await target.transfer(.incoming)
        // A source that was filled by a copy itself has a row of its own about that, of no interest here.
        switch (outgoing, incoming) {
        case (nil, nil): return try await start()
        case (let outgoing?, let incoming?):
            guard outgoing.id == incoming.id else { throw TransferRefusal.anotherCopy }
            try refuseEnded(outgoing, incoming)
            return incoming
        case (let outgoing?, nil):
            // The process that began it got no further than that, or another target was meant.
            guard outgoing.phase == .copying, outgoing.other == names.target else {
                throw outgoing.phase == .withdrawing ? TransferRefusal.withdrawing : .anotherCopy
            }
            return try await fill(outgoing)
        case (nil, .some): throw try await isTargetServed() ? TransferRefusal.targetIsNotEmpty : .anotherCopy
        }
    }

    private func refuseOtherSchema() async throws {
        let version = try await source.read { tx in try tx.schemaVersion() }
        guard try await target.read({ tx in try tx.schemaVersion() }) == version else {
            throw TransferRefusal.differentSchemas
        }
    }

    private func refuseEnded(_ outgoing: Transfer, _ incoming: Transfer) throws(TransferRefusal) {
        if outgoing.phase == .withdrawing || incoming.phase == .withdrawing { throw .withdrawing }
        if outgoing.phase == .moved, incoming.phase == .complete { throw .movedAlready }
    }

    private func isTargetServed() async throws -> Bool {
        try await target.transfer(.incoming)?.phase == .complete
    }

    private func start() async throws -> Transfer {
        let outgoing = Transfer(
            role: .outgoing, id: UUID().uuidString, phase: .copying, other: names.target, revision: 0,
            changedAt: now())
        try await source.write { tx in
            guard try tx.insert(outgoing) else { throw TransferRefusal.continuedElsewhere }
            try tx.define(ChangeCapture.installation)
        }
        do {
            return try await fill(outgoing)
        } catch let refusal as TransferRefusal where refusal != .continuedElsewhere {
            try await source.write { tx in
                try tx.define(ChangeCapture.removal)
                try tx.delete(outgoing)
            }
            throw refusal
        }
    }

    /// Marks an empty target as one that is being filled.
    ///
    /// - Throws: ``TransferRefusal``; `.continuedElsewhere` if another process has found this copy begun and has marked
    ///   the target for it.
    private func fill(_ outgoing: Transfer) async throws -> Transfer {
        let incoming = Transfer(
            role: .incoming, id: outgoing.id, phase: .copying, other: names.source, revision: 0, changedAt: now())
        try await target.write { tx in
            // What was written to the source a moment ago must not be found here.
            guard try tx.transfer(.outgoing)?.id != outgoing.id else { throw TransferRefusal.sameStore }
            guard try tx.transfer(.incoming)?.id != outgoing.id else { throw TransferRefusal.continuedElsewhere }
            guard try tx.isEmpty() else { throw TransferRefusal.targetIsNotEmpty }
            guard try tx.insert(incoming) else { throw TransferRefusal.anotherCopy }
        }
        return incoming
    }

    /// Copies the rows that are there, page by page.
    ///
    /// - Returns: How far the target is: it has all pages.
    private func copyPages(_ incoming: Transfer) async throws -> Transfer {
        guard incoming.phase == .copying else { return incoming }
        let total = try await source.rowCount()
        // An earlier call may have copied some.
        var (incoming, copied) = (incoming, try await target.rowCount())
        while incoming.phase == .copying {
            try Task.checkCancellation()
            let table = incoming.table.flatMap(TableDefinition.named) ?? TableDefinition.all[0]
            let after = try incoming.rowKey.map { try RowKey($0, of: table) }
            let page = try await source.read { tx in try tx.rows(of: table, after: after, limit: Self.pageSize) }
            copied += page.count
            incoming = try await keep(page, incoming, next: Self.position(after: page, in: table))
            report(StoreProgress(.copying, table: table.name, copied, of: total))
        }
        return incoming
    }

    /// The position after a page: the table and its last copied row; nil after the last page of the last table.
    private static func position(after page: [TableRow], in table: TableDefinition) -> (table: String, rowKey: String?)?
    {
        if page.count == pageSize, let last = page.last { return (table.name, last.key.text) }
        guard let index = TableDefinition.all.firstIndex(of: table), index + 1 < TableDefinition.all.count else {
            return nil
        }
        return (TableDefinition.all[index + 1].name, nil)
    }

    private func keep(
        _ page: [TableRow], _ incoming: Transfer, next: (table: String, rowKey: String?)?
    ) async throws -> Transfer {
        let now = now()
        let (unplaced, moved) = try await target.write { tx in
            let unplaced = try tx.place(page)
            let moved = try tx.change(incoming, at: now) { if unplaced.isEmpty { $0.advance(to: next) } }
            return (unplaced, moved)
        }
        guard !unplaced.isEmpty else { return moved }
        // Their parents changed since the page was read. Noted before the page is marked as copied.
        try await source.write { tx in try tx.noteChanges(unplaced) }
        return try await target.change(moved, at: now) { $0.advance(to: next) }
    }

    /// Works off the changes that were captured, oldest first.
    ///
    /// - Parameters:
    ///   - incoming: Guards against another process that does the same.
    ///   - toTheEnd: Otherwise it stops when few are left.
    /// - Throws: ``TransferRefusal/continuedElsewhere`` or a store's error.
    private func follow(_ incoming: Transfer, toTheEnd: Bool) async throws {
        guard try await source.transfer(.outgoing)?.phase != .moved else { return }
        var (incoming, stuck, applied) = (try await target.transfer(.incoming) ?? incoming, 0, 0)
        while let batch = try await source.read({ tx in try tx.capturedChanges(limit: Self.changesAtOnce) }) {
            try Task.checkCancellation()
            let placed: Bool
            (incoming, placed) = try await apply(batch, incoming)
            stuck = placed ? 0 : stuck + batch.count
            let waiting = try await source.read { tx in try tx.capturedChangeCount() }
            applied += batch.count
            report(StoreProgress(.following, applied, of: applied + Int(clamping: waiting)))
            guard stuck <= Int(clamping: waiting) + Self.changesAtOnce else {
                throw StoreError(.corrupt, "the source has rows that refer to rows it does not have")
            }
            if !toTheEnd, waiting < Self.fewChanges { return }
        }
    }

    /// - Returns: How far the target is, and whether anything could be done.
    private func apply(_ batch: ChangeBatch, _ incoming: Transfer) async throws -> (Transfer, Bool) {
        let now = now()
        let doomed = try await target.read { tx in try batch.removed.flatMap { try tx.descendants(of: $0) } }
        if !doomed.isEmpty {
            // They go with their parents, though in the source they may have found others.
            try await source.write { tx in try tx.noteChanges(doomed) }
        }
        let (moved, unplaced) = try await target.write { tx in
            let unplaced = try tx.place(batch)
            return (try tx.change(incoming, at: now) { _ in }, unplaced)
        }
        try await source.write { tx in
            try tx.forgetChanges(upTo: batch.sequence)
            try tx.noteChanges(unplaced)
        }
        return (moved, !batch.removed.isEmpty || unplaced.count < batch.rows.count)
    }

    /// Takes a copy back, finished or not: the source is served as before, the target is empty.
    ///
    /// After the switch only while the target is unchanged, with all of its brokers stopped. An interrupted call can be
    /// repeated.
    ///
    /// - Throws: ``TransferRefusal``; with `.tablesDiffer` everything is as it was.
    package func takeBack() async throws {
        guard let outgoing = try await source.transfer(.outgoing) else { throw TransferRefusal.notMoving }
        var incoming = try await target.transfer(.incoming)
        if let incoming {
            guard incoming.id == outgoing.id else { throw TransferRefusal.anotherCopy }
        } else if outgoing.phase != .withdrawing {
            // It was never marked, or it is gone: as long as nothing was served from it, nothing is lost.
            guard outgoing.phase != .moved, outgoing.other == names.target else { throw TransferRefusal.anotherCopy }
        }
        if let found = incoming { incoming = try await withdraw(found, isServed: outgoing.phase == .moved) }
        let withdrawn = try await revive(outgoing)
        if let incoming { try await empty(incoming) }
        try await source.write { tx in try tx.delete(withdrawn) }
    }

    /// Closes the target, once it is sure that nothing would be lost with it.
    private func withdraw(_ incoming: Transfer, isServed: Bool) async throws -> Transfer {
        let closed = try await target.change(incoming, at: now()) { $0.phase = .withdrawing }
        guard isServed else { return closed }
        do {
            _ = try await equalDigests(of: try await source.rowCount())
            return closed
        } catch {
            // If even this fails, the target stays closed, and taking back may be tried again.
            _ = try? await target.change(closed, at: now()) { $0.phase = .complete }
            throw error
        }
    }

    private func revive(_ outgoing: Transfer) async throws -> Transfer {
        let now = now()
        return try await source.write { tx in
            try tx.define(ChangeCapture.admission)
            try tx.define(ChangeCapture.removal)
            return try tx.change(outgoing, at: now) { $0.phase = .withdrawing }
        }
    }

    private func empty(_ incoming: Transfer) async throws {
        try await target.clear(under: incoming, report)
        try await target.write { tx in try tx.delete(incoming) }
    }
}

extension Store {
    /// The copy in which this store has `role`.
    package func transfer(_ role: Transfer.Role) async throws -> Transfer? {
        try await read { tx in try tx.transfer(role) }
    }

    /// Changes a transfer that no other process has changed since it was read.
    @discardableResult
    func change(
        _ transfer: Transfer, at now: Timestamp, _ change: @escaping @Sendable (inout Transfer) -> Void
    ) async throws -> Transfer {
        try await write { tx in try tx.change(transfer, at: now, change) }
    }
}

extension Transaction {
    /// Changes a transfer that no other process has changed since it was read.
    ///
    /// - Throws: ``TransferRefusal/continuedElsewhere`` if another process has.
    func change(
        _ transfer: Transfer, at now: Timestamp, _ change: (inout Transfer) -> Void
    ) throws -> Transfer {
        var changed = transfer
        change(&changed)
        guard let updated = try update(changed, at: now) else { throw TransferRefusal.continuedElsewhere }
        return updated
    }
}

extension Transfer {
    /// Moves on to a table and the row it is copied from on; nil: everything is there.
    fileprivate mutating func advance(to next: (table: String, rowKey: String?)?) {
        (table, rowKey) = (next?.table, next?.rowKey)
        if next == nil { phase = .following }
    }
}

extension Transaction {
    /// Removes the rows that are gone in the source, then makes the others what they are there, parents first.
    ///
    /// - Returns: The keys of rows whose parents are not there yet.
    fileprivate func place(_ batch: ChangeBatch) throws(StoreError) -> [RowKey] {
        // The other way round a row could be placed with a parent it has left in the source, and go with it unnoticed.
        for key in batch.removed { try remove(key) }
        var unplaced: [RowKey] = []
        for table in TableDefinition.all { unplaced += try place(batch.rows.filter { $0.table.name == table.name }) }
        return unplaced
    }
}

extension Store {
    /// Removes every row of a store that is not served, children first, unless another process continues the transfer.
    func clear(
        under mark: Transfer, _ report: (StoreProgress) -> Void = { _ in }
    ) async throws {
        let total = try await rowCount()
        var removed = 0
        for table in TableDefinition.all.reversed() {
            while case let count = try await write({ tx in
                try tx.require(mark)
                return try tx.clear(table, limit: StoreCopy.pageSize)
            }), count > 0 {
                try Task.checkCancellation()
                removed += count
                report(StoreProgress(.removing, table: table.name, removed, of: total))
            }
        }
    }
}
