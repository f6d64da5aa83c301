/// A copy of a live SQLite store to another database, with a switch that loses no write.
///
/// Triggers in the source note changed rows. Pages are copied in the order of their keys. Then the noted rows are
/// copied again until none is left, the last time while writes are refused. Every step can be repeated: the target
/// stores the progress in the transaction of the step.
package struct StoreCopy: Sendable {
    /// The current progress, for the operator.
    package enum Progress: Sendable, Hashable {
        case copying(table: String, rows: Int)
        case following(waiting: Int)
        case comparing
        case removing(table: String, rows: Int)
    }

    static let pageSize = 500
    /// Many, so that the transactions around them cost little: a busy source must not outrun its copy.
    static let changesAtOnce = 4000
    /// So many are worked off in the blink of an eye, in which writes can be refused.
    static let fewChanges = 500

    let source: Store
    let target: Store
    let names: (source: String, target: String)
    let now: @Sendable () -> Timestamp
    let report: @Sendable (Progress) -> Void

    /// - Parameters:
    ///   - source: A SQLite store, opened for transfer.
    ///   - target: Another one, opened for transfer.
    ///   - names: The names of both stores, each recorded in the other store, so never a secret.
    ///   - now: The clock.
    ///   - report: Receives the progress.
    package init(
        from source: Store, to target: Store, names: (source: String, target: String),
        now: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (Progress) -> Void = { _ in }
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
        guard var outgoing = try await source.transfer(.outgoing) else { throw TransferRefusal.notMoving }
        if outgoing.phase == .copying { outgoing = try await refuseWrites(outgoing, audit) }
        let digests: [TableDigest]
        do {
            try await follow(incoming, toTheEnd: true)
            digests = try await equalDigests()
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
    func equalDigests() async throws -> [TableDigest] {
        report(.comparing)
        async let copied = target.digests()
        let original = try await source.digests()
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
