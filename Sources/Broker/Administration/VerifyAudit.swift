package import BrokerStore
import ProviderKit

/// The end of the audit's chain as an administrator noted it outside of the store, to find a chain that was shortened
/// together with its record.
package struct AuditHead: DescribedObject, Hashable {
    package static let texts: [String: MemberText] = [
        "sequence": "The number of the last entry.", "seal": "Its seal, in hexadecimal digits.",
    ]

    package let sequence: Int64
    package let seal: String

    package init(sequence: Int64, seal: String) {
        self.sequence = sequence
        self.seal = seal
    }

    /// Reads what ``description`` printed; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = Int64(parts[0]), sequence > 0, parts[1].utf8.count == 64 else {
            return nil
        }
        self.init(sequence: sequence, seal: String(parts[1]))
    }

    package var description: String { "\(sequence):\(seal)" }
}

/// The result of a stretch of the audit.
package struct AuditReport: DescribedObject, Hashable {
    package static let texts: [String: MemberText] = [
        "entries": "The entries of this stretch.",
        "findings": "The first findings of this stretch.",
        "findingCount": "All findings of this stretch.",
        "next": "The number of the last entry of this stretch, after which the next one begins; absent at the end.",
        "removed": "The number of the last entry that was removed by its age.",
        "head": "The end of the chain; absent while nothing is sealed.",
        "unsealed": "The entries that are not in the chain yet.",
        "oldestUnsealed": "The moment of the oldest of them.",
    ]

    package var entries: Int
    package var findings: [AuditFinding]
    package var findingCount: Int
    package var next: Int64?
    package var removed: Int64
    package var head: AuditHead?
    package var unsealed: Int64
    package var oldestUnsealed: Timestamp?
}

extension AuditFinding: DescribedObject {
    package static let texts: [String: MemberText] = [
        "kind": "What is wrong.", "first": "The first number concerned.", "last": "The last number concerned.",
    ]
}

extension AdminContext {
    /// Entries that one read of the store takes.
    private static let auditPage = 1000
    /// Pages of one stretch.
    private static let auditPages = 20

    /// A page with the ends of the chain in one snapshot.
    private struct Page: Sendable {
        let rows: [SealedAuditEntry]
        let anchors: [AuditAnchor.Name: AuditAnchor]
        let record: [UInt8]?
        let unsealed: UnsealedAudit
    }

    /// Verifies the next stretch of the audit's hash chain, in constant memory and while brokers write. Of several callers
    /// with the same stretch one verifies it, and all get the report.
    ///
    /// - Parameters:
    ///   - sequence: The last entry of the stretch before; nil at the beginning.
    ///   - expected: An earlier end of the chain, which the chain has to contain.
    /// - Returns: What was found.
    /// - Throws: ``AdminFailure/verificationRuns`` while this broker verifies another stretch, or a store's error.
    package func verifyAudit(
        after sequence: Int64? = nil, expecting expected: AuditHead? = nil
    ) async throws -> AuditReport {
        try await auditVerification.report(on: .init(after: sequence, expected: expected)) { [self] in
            try await verifyStretch(after: sequence, expecting: expected)
        }.value
    }

    private func verifyStretch(after sequence: Int64?, expecting expected: AuditHead?) async throws -> AuditReport {
        let chain = AuditChain(masterKey)
        var walk = try await walk(chain, after: sequence)
        if let expected { try await check(expected, in: &walk) }
        var turn = 0
        while true {
            turn += 1
            let page = try await page(after: walk.position)
            if sequence == nil, turn == 1 { walk.check(record: page.record) }
            if let start = page.anchors[.start] {
                if sequence == nil, turn == 1 { walk.check(start) }
                walk.skip(to: start)
            }
            for row in page.rows { walk.visit(row) }
            let isLast = page.rows.count < Self.auditPage
            if isLast { walk.finish(at: page.anchors[.head]) }
            if isLast || turn == Self.auditPages { return report(walk, page, isLast: isLast) }
        }
    }

    private func walk(_ chain: AuditChain, after sequence: Int64?) async throws -> AuditWalk {
        guard let sequence else { return AuditWalk(chain) }
        let row = try await store.read {
            try $0.sealedAudit(after: AuditPosition(sequence: sequence, key: .min), limit: 1)
        }
        guard let row = row.first, row.sequence == sequence else { return AuditWalk(chain, resumingAfter: sequence) }
        return AuditWalk(chain, resumingAfter: row)
    }

    private func page(after position: AuditPosition) async throws -> Page {
        try await store.read { transaction in
            Page(
                rows: try transaction.sealedAudit(after: position, limit: Self.auditPage),
                anchors: try transaction.auditAnchors(), record: try transaction.auditRecord(),
                unsealed: try transaction.unsealedAudit())
        }
    }

    private func check(_ expected: AuditHead, in walk: inout AuditWalk) async throws {
        let (row, anchors) = try await store.read { transaction in
            (
                try transaction.sealedAudit(after: AuditPosition(sequence: expected.sequence, key: .min), limit: 1)
                    .first,
                try transaction.auditAnchors()
            )
        }
        let places = [row?.place, anchors[.start]?.place, anchors[.head]?.place].compactMap { $0 }
        let place = places.first { $0.sequence == expected.sequence }
        // What was removed by its age cannot be compared any more.
        if place == nil, let start = anchors[.start], start.sequence > expected.sequence { return }
        if place.map({ Hexadecimal.encode($0.seal) }) != expected.seal.lowercased() {
            walk.report(AuditFinding(.unexpected, expected.sequence))
        }
    }

    private func report(_ walk: AuditWalk, _ page: Page, isLast: Bool) -> AuditReport {
        AuditReport(
            entries: walk.entries, findings: walk.findings, findingCount: walk.findingCount,
            next: isLast ? nil : walk.sequence, removed: page.anchors[.start]?.sequence ?? 0,
            head: page.anchors[.head].flatMap { head in
                head.sequence > 0 ? AuditHead(sequence: head.sequence, seal: Hexadecimal.encode(head.seal)) : nil
            },
            unsealed: page.unsealed.count, oldestUnsealed: page.unsealed.oldest)
    }
}

extension AuditFinding {
    /// The entries and what is wrong with them.
    package var text: TerminalText {
        let entries: TerminalText =
            last == 0 ? "the chain" : first == last ? "entry \(first)" : "entries \(first) to \(last)"
        return switch kind {
        case .missing: "\(entries): missing"
        case .altered: "\(entries): edited, or in another place than it was written"
        case .inserted: "\(entries): not written by a broker"
        case .unknownKey: "\(entries): sealed with a key that the broker does not have"
        case .replacedKey: "\(entries): sealed with a key that had been replaced"
        case .start: "\(entries): the record of the chain's beginning was altered"
        case .head: "\(entries): the record of the chain's end is missing or was altered"
        case .record: "the record that this store has a chain is missing or was altered"
        case .recorded: "\(entries): a broker found the chain broken and continued it here"
        case .unexpected: "\(entries): the chain does not contain the expected seal"
        }
    }
}
