import BrokerStore
import Logging
import OAuth
import ProviderKit

/// Puts audit entries into the hash chain, in one broker at a time.
///
/// Entries get their numbers here and not where they are written: transactions commit in another order than they draw
/// their keys. What has no number is sealed next, however old its key is, so no entry stays outside the chain.
package struct AuditSealing: StoreLayer {
    package let stored: StoreContext
    private let leased: LeasedWork

    /// How often a running server looks for entries to seal.
    package static let interval = Duration.seconds(2)
    /// A turn may be missed without another broker's taking over.
    package static let leaseDuration = Duration.seconds(5)
    /// Entries that one transaction seals at most: others wait to write meanwhile.
    static let batch = 200

    /// The end of the chain as a snapshot of the store has it.
    private struct End: Sendable {
        var pending: [AuditEntry]
        var head: AuditAnchor?
        var start: AuditAnchor?
        var last: SealedAuditEntry?
        var record: [UInt8]?
    }

    /// Another broker has changed the chain or its key meanwhile.
    private struct ChainChanged: Error {}

    /// - Parameters:
    ///   - stored: The store, and the keys of the chain.
    ///   - leaseDuration: The time after which another broker takes over from one that was killed.
    package init(_ stored: StoreContext, leaseDuration: Duration = Self.leaseDuration) {
        self.stored = stored
        let lease = Lease(name: "audit-sealing", holder: RandomText.alphanumeric(22), duration: leaseDuration)
        leased = LeasedWork(lease, in: stored.store, now: stored.clock)
    }

    /// Seals what is not sealed yet, unless another broker does.
    ///
    /// - Parameter takesOver: Whether the lease of another broker is ignored, as by a process that has sealed nothing yet:
    ///   the broker before it may have been killed. The lease spares work only; two workers cannot fork the chain.
    /// - Returns: The number of sealed entries.
    /// - Throws: A store's error. What was sealed before it stays sealed.
    @discardableResult
    package func turn(takingOver takesOver: Bool = false) async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let sealed = try await sealBatch(takesOver)
            count += sealed
            guard sealed == Self.batch else { break }
        }
        return count
    }

    /// Lets another broker take the next turn, when this one stops.
    package func release() async throws { try await leased.release() }

    private func sealBatch(_ takesOver: Bool) async throws -> Int {
        // Read outside of the transaction that writes: on PostgreSQL it would conflict with every new entry.
        let end = try await store.read { transaction in
            var end = End(pending: try transaction.unsealedAudit(limit: Self.batch))
            guard !end.pending.isEmpty else { return end }
            let anchors = try transaction.auditAnchors()
            (end.head, end.start) = (anchors[.head], anchors[.start])
            end.record = try transaction.auditRecord()
            end.last = try transaction.lastSealedAudit()
            return end
        }
        guard !end.pending.isEmpty else { return 0 }
        let chain = AuditChain(masterKey)
        let place = intactPlace(of: end, chain)
        let sealed = try chain.seal(end.pending, after: place ?? repairedPlace(of: end, chain))
        do {
            return try await write(sealed, over: end.head, chain, isRepair: place == nil, takesOver)
        } catch is ChainChanged {
            return 0
        }
    }

    /// The end of the chain; nil if a record is missing, or contradicts the last entry.
    private func intactPlace(of end: End, _ chain: AuditChain) -> AuditChain.Place? {
        guard let head = end.head, chain.isValid(head), end.record == chain.record else { return nil }
        let last = end.last?.place ?? end.start?.place ?? .beginning
        return last == head.place ? head.place : nil
    }

    /// The place at which a broken chain is continued: behind every number that was used.
    private func repairedPlace(of end: End, _ chain: AuditChain) -> AuditChain.Place {
        let anchors = [end.head, end.start].compactMap { $0 }.filter(chain.isValid).map(\.place)
        let last = end.last.map { [$0.place] } ?? []
        return (last + anchors).max { $0.sequence < $1.sequence } ?? .beginning
    }

    private func write(
        _ sealed: [SealedAuditEntry], over head: AuditAnchor?, _ chain: AuditChain, isRepair: Bool,
        _ takesOver: Bool
    ) async throws -> Int {
        // One transaction acquires the lease and seals: a batch is all of the work.
        let isSealed = try await write { [lease = leased.lease] transaction in
            let now = transaction.now
            guard try transaction.acquire(lease, at: now, takingOver: takesOver) else { return false }
            guard try chain.isCurrent(in: transaction), try transaction.auditAnchors()[.head] == head else {
                throw ChainChanged()
            }
            for row in sealed where try !transaction.place(row) { throw ChainChanged() }
            if let last = sealed.last, let anchor = chain.sign(.head, at: last.place, now) {
                try transaction.put(anchor)
            }
            if isRepair {
                if let record = chain.record { try transaction.putAuditRecord(record) }
                let detail: JSONObject = ["number": .integer((sealed.first?.sequence ?? 1) - 1)]
                try transaction.audit(AuditFinding.event, of: nil, detail: detail)
            }
            return true
        }
        guard isSealed else { return 0 }
        if isRepair {
            Logger.current.critical(
                "audit chain is broken; it was continued", metadata: ["at": "\(sealed.first?.sequence ?? 0)"])
        }
        return sealed.count
    }
}
