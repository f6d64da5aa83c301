/// The state of a store in a copy, as source or as target.
package struct Transfer: Sendable, Hashable {
    /// Which end of the copy this store is.
    package enum Role: String, Sendable, Hashable {
        case outgoing, incoming
    }

    /// The phase of the copy.
    package enum Phase: String, Sendable, Hashable {
        /// Outgoing: changes are captured, everything is served. Incoming: rows are copied page by page.
        case copying
        /// Incoming: all pages are there, changes are worked off.
        case following
        /// Outgoing: writes are refused until the last changes are copied and both stores compare equal.
        case switching
        /// Outgoing: nothing is served here any more.
        case moved
        /// Incoming: equal to its source, and served.
        case complete
        /// The copy is being rolled back.
        case withdrawing
        /// Incoming: filled from a backup.
        case restoring
    }

    package var role: Role
    /// Random; the same at both ends.
    package var id: String
    package var phase: Phase
    /// The name of the other store. Never a secret.
    package var other: String
    /// The table whose rows are copied at the moment, and the last one of them; nil before the first.
    var table: String?
    var rowKey: String?
    /// Grows with each change, so that of two processes that continue one copy one notices the other.
    var revision: Int64
    package var changedAt: Timestamp
}

extension Transfer {
    static let every = Statement(
        "transfers", "SELECT role, id, phase, other, table_name, row_key, revision, changed_at FROM transfers")

    /// Reads a row of ``every``.
    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            role: row.choice(Role.self), id: row.text(), phase: row.choice(Phase.self), other: row.text(),
            table: row.optionalText(), rowKey: row.optionalText(), revision: row.integer(), changedAt: row.time())
    }
}

extension Transaction {
    /// The copies of this store: usually none.
    func transfers() throws(StoreError) -> [Transfer] {
        try connection.transfers()
    }

    /// The copy in which this store has `role`.
    package func transfer(_ role: Transfer.Role) throws(StoreError) -> Transfer? {
        try transfers().first { $0.role == role }
    }

    /// Begins a copy.
    ///
    /// - Returns: false if one has begun already; then nothing was written.
    func insert(_ transfer: Transfer) throws(StoreError) -> Bool {
        try run(
            "insert_transfer",
            """
            INSERT INTO transfers (role, id, phase, other, table_name, row_key, revision, changed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
            """, .text(transfer.role.rawValue), .text(transfer.id), .text(transfer.phase.rawValue),
            .text(transfer.other), .text(orNull: transfer.table), .text(orNull: transfer.rowKey),
            .integer(transfer.revision), .time(transfer.changedAt)) > 0
    }

    /// Keeps how far a copy got.
    ///
    /// - Returns: the transfer with its new revision; nil if another process changed it since it was read.
    func update(_ transfer: Transfer, at now: Timestamp) throws(StoreError) -> Transfer? {
        let revision = try value(
            "update_transfer",
            """
            UPDATE transfers SET phase = $4, table_name = $5, row_key = $6, revision = revision + 1, changed_at = $7
            WHERE role = $1 AND id = $2 AND revision = $3 RETURNING revision
            """, .text(transfer.role.rawValue), .text(transfer.id), .integer(transfer.revision),
            .text(transfer.phase.rawValue), .text(orNull: transfer.table), .text(orNull: transfer.rowKey), .time(now)
        ) { row throws(StoreError) in try row.integer() }
        guard let revision else { return nil }
        var updated = transfer
        updated.revision = revision
        updated.changedAt = now
        return updated
    }

    /// Removes a copy that is unchanged since it was read.
    ///
    /// - Throws: ``TransferRefusal/continuedElsewhere`` if another process has, or a ``StoreError``.
    func delete(_ transfer: Transfer) throws {
        let count = try run(
            "delete_transfer", "DELETE FROM transfers WHERE role = $1 AND id = $2 AND revision = $3",
            .text(transfer.role.rawValue), .text(transfer.id), .integer(transfer.revision))
        guard count > 0 else { throw TransferRefusal.continuedElsewhere }
    }

    /// Checks that a copy is unchanged since it was read.
    ///
    /// - Throws: ``TransferRefusal/continuedElsewhere`` if another process has, or a ``StoreError``.
    func require(_ transfer: Transfer) throws {
        let found = try self.transfer(transfer.role)
        guard found?.id == transfer.id, found?.revision == transfer.revision else {
            throw TransferRefusal.continuedElsewhere
        }
    }
}
