package import BrokerStore
package import ProviderKit

/// An audit entry as administrators see it.
package struct AuditRecord: Codable, Sendable {
    package let time: Timestamp
    package let event: String
    /// `user`, `client`, `admin` or `system`.
    package let actorKind: String
    /// A user's localId, a client's id, `credential:` with an id, or the operating system's user.
    package let actor: String?
    /// The name of the credential.
    package let actorName: String?
    /// The localId of the user it was done to.
    package let user: String?
    package let provider: String?
    /// SHA-256 of the provider's subject.
    package let subjectHash: String?
    /// The network of the client's address.
    package let address: String?
    /// The reason it was done, in the administrator's words.
    package let reason: String?
    package let requestId: String?
    package let detail: JSONObject
}

/// A selection of audit entries.
package struct AuditSelection: Codable, Sendable {
    /// A localId, or the e-mail address of a user who exists.
    package var user: String?
    package var actor: String?
    /// An event, or its beginning up to a dot, such as `identity.`.
    package var event: String?
    package var since: Timestamp?
    /// The end, which is not included.
    package var until: Timestamp?

    package init(
        user: String? = nil, actor: String? = nil, event: String? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.user = user
        self.actor = actor
        self.event = event
        self.since = since
        self.until = until
    }

    func filter(in admin: AdminContext) async throws -> AuditFilter {
        var localID = user
        // A deleted user has no address any more, but entries.
        if let user, EmailAddress(user) != nil { localID = try await admin.user(named: user).user.localID }
        return AuditFilter(localID: localID, actor: actor, event: event, since: since, until: until)
    }
}

/// `audit.list`: audit entries, newest first.
package struct ListAudit: AdminOperation {
    package static let name = "audit.list"
    package static let summary = "Lists audit entries, newest first."
    package static let scope: AdminScope? = .readAudit
    package static let defaultLimit = 50
    package static let limits = 1...10_000

    let selection: AuditSelection?
    /// The maximum number of entries, 1 to 10 000.
    let limit: Int?

    package struct Answer: Codable, Sendable {
        package let entries: [AuditRecord]
    }

    package init(_ selection: AuditSelection, limit: Int) {
        self.selection = selection
        self.limit = limit
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = limit ?? Self.defaultLimit
        guard Self.limits.contains(limit) else { throw AdminFailure.parameter("limit", "takes 1 to 10000") }
        let filter = try await (selection ?? AuditSelection()).filter(in: call.admin)
        return try await call.admin.store.read { transaction in
            let names = try transaction.administratorNames()
            return Answer(
                entries: try transaction.auditEntries(filter, limit: limit).map { AuditRecord($0, names: names) })
        }
    }
}

/// `audit.follow`: the entries that were sealed after another one, in the order of the chain.
///
/// Entries that commit late get a later place in the chain, so a reader that continues at the last place misses none.
package struct FollowAudit: AdminOperation {
    package static let name = "audit.follow"
    package static let summary = "Returns the audit entries that were sealed after a place in the chain."
    package static let scope: AdminScope? = .readAudit
    /// Entries that one call looks at.
    package static let page = 1000

    let selection: AuditSelection?
    /// The place in the chain after which to begin; its end, if it is left out.
    let after: Int64?

    package struct Answer: Codable, Sendable {
        package let entries: [AuditRecord]
        /// The start of the next call.
        package let next: Int64
    }

    package init(_ selection: AuditSelection, after: Int64?) {
        self.selection = selection
        self.after = after
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let filter = try await (selection ?? AuditSelection()).filter(in: call.admin)
        return try await call.admin.store.read { transaction in
            guard let after else {
                return Answer(entries: [], next: try transaction.auditAnchors()[.head]?.sequence ?? 0)
            }
            let rows = try transaction.sealedAudit(after: AuditPosition(sequence: after), limit: Self.page)
            let names = try transaction.administratorNames()
            return Answer(
                entries: rows.filter { filter.contains($0.entry) }.map { AuditRecord($0.entry, names: names) },
                next: rows.last?.sequence ?? after)
        }
    }
}

extension AuditRecord {
    init(_ entry: AuditEntry, names: [String: String]) {
        time = entry.at
        event = entry.event
        actorKind = entry.actorKind.rawValue
        actor = entry.actor
        actorName = entry.actorKind == .admin ? entry.actor.flatMap { names[$0] } : nil
        user = entry.localID
        provider = entry.provider
        subjectHash = entry.subjectHash
        address = entry.address
        reason = entry.reason
        requestId = entry.requestID
        detail = (try? JSONValue(parsing: entry.detail.text.utf8, limits: .stored))?.object ?? JSONObject()
    }
}

extension Transaction {
    /// The names of admin credentials, by their actor in the audit.
    fileprivate func administratorNames() throws(StoreError) -> [String: String] {
        let credentials = try adminCredentials()
        return Dictionary(
            credentials.map { ($0.administrator.actor, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}
