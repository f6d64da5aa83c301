import Foundation

extension StoreCopy {
    /// Begins the copy, or finds the one that was begun.
    ///
    /// - Returns: How far the target is.
    /// - Throws: ``TransferRefusal``.
    func begin() async throws -> Transfer {
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
        } catch let refusal as TransferRefusal {
            try await source.write { tx in
                try tx.define(ChangeCapture.removal)
                try tx.delete(outgoing)
            }
            throw refusal
        }
    }

    /// Marks an empty target as one that is being filled.
    private func fill(_ outgoing: Transfer) async throws -> Transfer {
        let incoming = Transfer(
            role: .incoming, id: outgoing.id, phase: .copying, other: names.source, revision: 0, changedAt: now())
        try await target.write { tx in
            // What was written to the source a moment ago must not be found here.
            guard try tx.transfer(.outgoing)?.id != outgoing.id else { throw TransferRefusal.sameStore }
            guard try tx.isEmpty() else { throw TransferRefusal.targetIsNotEmpty }
            guard try tx.insert(incoming) else { throw TransferRefusal.anotherCopy }
        }
        return incoming
    }
}
