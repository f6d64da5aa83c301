import BrokerStore
import ProviderKit

/// A page of a user's timeline as it is stored, with what its sentences refer to.
struct TimelineFacts: Sendable {
    /// What made an identity the user's.
    struct IdentityOrigin: Sendable {
        let identity: Identity
        /// The entry about the identity's first appearance; nil when it is too old to be there.
        let entry: AuditEntry?
        /// The merge with which it came, if it was another user's before.
        let merge: AuditEntry?
    }

    let rows: [HistoryRow]
    let next: String?
    let origins: [IdentityOrigin]
    /// The latest proof of the user before a link, of the rows and the origins, by the key of the link's entry.
    let proofs: [Int64: AuditEntry]
    /// The devices of sessions by the moment at which they began.
    let devices: [Timestamp: String]
    /// The names of admin credentials, by their actor in the audit.
    let administrators: [String: String]

    init(
        of record: UserRecord, _ kind: ShowTimeline.Kind?, before key: Int64?, limit: Int, withIdentities: Bool,
        in transaction: borrowing Transaction
    ) throws(StoreError) {
        let user = record.user
        let localIDs = [user.localID] + (try transaction.userAliases(of: user.key))
        (rows, next) = try transaction.timelineRows(of: localIDs, kind, before: key, limit: limit)
        var entries: [AuditEntry] = []
        for case .audit(let entry) in rows { entries.append(entry) }
        var devices: [Timestamp: String] = [:]
        if let first = entries.map(\.at).min(), let last = entries.map(\.at).max() {
            for start in try transaction.sessionStarts(userKey: user.key, from: first, through: last) {
                devices[start.at] = UserAgentName(start.userAgent)?.text
            }
        }
        self.devices = devices
        var origins: [IdentityOrigin] = []
        if withIdentities {
            let merges = try transaction.auditEntries(
                AuditFilter(localID: user.localID, event: "user.merged"), limit: 100)
            for identity in record.identities {
                origins.append(try transaction.origin(of: identity, user.localID, localIDs, merges))
            }
        }
        self.origins = origins.sorted { $0.identity.linkedAt < $1.identity.linkedAt }
        var proofs: [Int64: AuditEntry] = [:]
        for entry in entries + origins.compactMap(\.entry)
        where entry.event == "identity.linked" && proofs[entry.key] == nil {
            proofs[entry.key] = try transaction.proof(before: entry)
        }
        self.proofs = proofs
        administrators = try transaction.administratorNames()
    }
}

extension Transaction {
    /// How many rows a page of one kind looks at.
    private static let lookedThrough = 2000

    /// The rows of a page of a timeline, newest first, and what the next page follows. A page of a kind that few rows are of
    /// ends early.
    fileprivate func timelineRows(
        of localIDs: [String], _ kind: ShowTimeline.Kind?, before key: Int64?, limit: Int
    ) throws(StoreError) -> (rows: [HistoryRow], next: String?) {
        guard let kind else { return try historyRows(of: localIDs, before: key, limit: limit) }
        var (found, before, left): ([HistoryRow], Int64?, Int) = ([], key, Self.lookedThrough)
        while true {
            let page = try historyRows(of: localIDs, before: before, limit: min(200, left))
            for (place, row) in page.rows.enumerated() where row.kind == kind {
                found.append(row)
                guard found.count == limit else { continue }
                let isLast = page.next == nil && place == page.rows.count - 1
                return (found, isLast ? nil : KeyGenerator.cursor(at: row.key))
            }
            left -= page.rows.count
            guard let last = page.rows.last, page.next != nil else { return (found, nil) }
            guard left > 0 else { return (found, page.next) }
            before = last.key
        }
    }

    /// The events by which a user proves an identity or begins to have one.
    private static let proofs: Set<String> = [
        "user.created", "user.signed-in", "user.reauthenticated", "identity.linked",
    ]
    /// Entries before a link in which its proof is looked for.
    private static let lookedAt = 50

    /// The latest proof of the user before a link.
    fileprivate func proof(before link: AuditEntry) throws(StoreError) -> AuditEntry? {
        guard let localID = link.localID else { return nil }
        let earlier = try auditEntries(localID: localID, by: nil, before: link.key, limit: Self.lookedAt)
        // What an administrator added proves nothing.
        return earlier.first { $0.actorKind != .admin && Self.proofs.contains($0.event) && $0.provider != nil }
    }

    fileprivate func origin(
        of identity: Identity, _ localID: String, _ localIDs: [String], _ merges: [AuditEntry]
    ) throws(StoreError) -> TimelineFacts.IdentityOrigin {
        var entry: AuditEntry?
        for localID in localIDs {
            let found = try firstAuditEntry(
                localID: localID, subjectHash: identity.identity.subjectHash, since: identity.linkedAt)
            if let found, found.key < entry?.key ?? .max { entry = found }
        }
        let former = entry?.localID.flatMap { $0.hasSameBytes(as: localID) ? nil : $0 }
        return TimelineFacts.IdentityOrigin(
            identity: identity, entry: entry,
            merge: former.flatMap { former in merges.first { $0.details["absorbed"]?.string == former } })
    }
}
