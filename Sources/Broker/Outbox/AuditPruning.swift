import BrokerStore
import Logging
import ProviderKit

extension AuditChain {
    /// Removes audit entries by their age from the beginning of the hash chain, in the transaction of the caller, and
    /// records where the chain begins then.
    ///
    /// The entries that go are verified first. A broken chain is recorded in the audit, since its evidence goes.
    ///
    /// - Parameters:
    ///   - moment: Entries of it or before are aged.
    ///   - present: The present, which no entry can be later than.
    ///   - limit: The maximum number of entries.
    ///   - transaction: The store.
    /// - Returns: How many went.
    /// - Throws: A store's error.
    func prune(
        until moment: Timestamp, at present: Timestamp, limit: Int, in transaction: borrowing Transaction
    ) throws -> Int {
        guard try isCurrent(in: transaction) else { return 0 }
        let start = try transaction.auditAnchors()[.start]
        let page = try transaction.sealedAudit(
            after: start.map { AuditPosition(sequence: $0.sequence) } ?? .beginning, limit: limit)
        let aged = Self.aged(page, until: moment, at: present)
        guard let last = aged.last, let anchor = sign(.start, at: last.place, transaction.now) else { return 0 }
        var walk = AuditWalk(self, after: start?.place ?? .beginning)
        if let start { walk.check(start) }
        for row in aged { walk.visit(row) }
        if let finding = walk.findings.first { try record(finding, walk.findingCount, in: transaction) }
        try transaction.put(anchor)
        return try transaction.removeSealedAudit(upTo: last.sequence)
    }

    /// The entries before the first one that has to stay. An entry of the future was written with a wrong clock; it goes
    /// with an aged one behind it, so that it does not hold up all others.
    static func aged(
        _ page: [SealedAuditEntry], until moment: Timestamp, at present: Timestamp
    ) -> ArraySlice<SealedAuditEntry> {
        let removable = page.prefix { $0.entry.at <= moment || $0.entry.at > present }
        guard let last = removable.lastIndex(where: { $0.entry.at <= moment }) else { return [] }
        return removable[...last]
    }

    private func record(
        _ finding: AuditFinding, _ count: Int, in transaction: borrowing Transaction
    ) throws(StoreError) {
        Logger.current.critical(
            "audit chain is broken among entries that are removed by their age",
            metadata: ["kind": "\(finding.kind.rawValue)", "at": "\(finding.first)"])
        try transaction.audit(
            AuditFinding.event, of: nil,
            detail: [
                "kind": .string(finding.kind.rawValue), "number": .integer(finding.first),
                "findings": .integer(Int64(count)),
            ])
    }
}
