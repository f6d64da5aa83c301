extension StoreCopy {
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
            _ = try await equalDigests()
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
        try await target.clear(under: incoming) { report(.removing(table: $0, rows: $1)) }
        try await target.write { tx in try tx.delete(incoming) }
    }
}

extension Store {
    /// Removes every row of a store that is not served, children first, unless another process continues the transfer.
    func clear(
        under mark: Transfer, _ report: (_ table: String, _ rows: Int) -> Void = { _, _ in }
    ) async throws {
        for table in TableShape.all.reversed() {
            var removed = 0
            while case let count = try await write({ tx in
                try tx.require(mark)
                return try tx.clear(table, limit: StoreCopy.pageSize)
            }), count > 0 {
                try Task.checkCancellation()
                removed += count
                report(table.name, removed)
            }
        }
    }
}
