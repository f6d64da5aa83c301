extension StoreCopy {
    /// Copies the rows that are there, page by page.
    ///
    /// - Returns: How far the target is: it has all pages.
    func copyPages(_ incoming: Transfer) async throws -> Transfer {
        var (incoming, copied) = (incoming, 0)
        while incoming.phase == .copying {
            try Task.checkCancellation()
            let table = incoming.table.flatMap(TableShape.named) ?? TableShape.all[0]
            let after = try incoming.rowKey.map { try RowKey($0, of: table) }
            let page = try await source.read { tx in try tx.rows(of: table, after: after, limit: Self.pageSize) }
            copied = (after == nil ? 0 : copied) + page.count
            incoming = try await keep(page, incoming, next: Self.position(after: page, in: table))
            report(.copying(table: table.name, rows: copied))
        }
        return incoming
    }

    /// The position after a page: the table and its last copied row; nil after the last page of the last table.
    private static func position(after page: [TableRow], in table: TableShape) -> (table: String, rowKey: String?)? {
        if page.count == pageSize, let last = page.last { return (table.name, last.key.text) }
        guard let index = TableShape.all.firstIndex(of: table), index + 1 < TableShape.all.count else { return nil }
        return (TableShape.all[index + 1].name, nil)
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
    func follow(_ incoming: Transfer, toTheEnd: Bool) async throws {
        guard try await source.transfer(.outgoing)?.phase != .moved else { return }
        var (incoming, stuck) = (try await target.transfer(.incoming) ?? incoming, 0)
        while let batch = try await source.read({ tx in try tx.capturedChanges(limit: Self.changesAtOnce) }) {
            try Task.checkCancellation()
            let placed: Bool
            (incoming, placed) = try await apply(batch, incoming)
            stuck = placed ? 0 : stuck + batch.count
            let waiting = try await source.read { tx in try tx.capturedChangeCount() }
            report(.following(waiting: Int(clamping: waiting)))
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
        for table in TableShape.all { unplaced += try place(batch.rows.filter { $0.table.name == table.name }) }
        return unplaced
    }
}
