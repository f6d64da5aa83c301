package import BrokerStore
package import ProviderKit

/// An audit entry as administrators see it.
package struct AuditRecord: DescribedObject {
    package static let texts: [String: MemberText] = [
        "time": "When it was done.",
        "event": "What was done.",
        "actorKind": "`user`, `client`, `admin` or `system`.",
        "actor": "A user's localId, a client's id, `credential:` with an id, or the operating system's user.",
        "actorName": "The name of the credential.",
        "user": "The localId of the user it was done to.",
        "provider": "The provider entry it is about.",
        "subjectHash": "SHA-256 of the provider's subject.",
        "address": "The network of the client's address.",
        "reason": "The reason it was done, in the administrator's words.",
        "requestId": "The id of the request.",
        "detail": "What else is known; the names depend on the event.",
    ]

    package let time: Timestamp
    package let event: String
    package let actorKind: String
    package let actor: String?
    package let actorName: String?
    package let user: String?
    package let provider: String?
    package let subjectHash: String?
    package let address: String?
    package let reason: String?
    package let requestId: String?
    package let detail: JSONObject
}

/// A selection of audit entries.
package struct AuditSelection: DescribedObject {
    package static let texts: [String: MemberText] = [
        "user": "Only entries about this user: a localId or an e-mail address.",
        "actor": "Only entries of this actor, such as credential:ID or a name of the host's user.",
        "event": "Only this event, or events that begin so when it ends with a dot: identity.",
        "since": "Begin here.",
        "until": "End before this time.",
    ]

    package var user: String?
    package var actor: String?
    package var event: String?
    package var since: Timestamp?
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
        var localID: String?
        if let user { localID = try await admin.localID(inFilter: user) }
        if let event { try await admin.requireAuditEvent(event) }
        return AuditFilter(localID: localID, actor: actor, event: event, since: since, until: until)
    }
}

/// `audit.list`: audit entries, newest first.
package struct ListAudit: AdminOperation {
    package static let limits = DeclaredLimit(
        "The maximum number of entries, 1 to 10000.", in: 1...10_000, standard: 50)

    package static let declaration = OperationDeclaration(
        "audit.list", "Lists audit entries, newest first.", .readAudit, .reads,
        [
            .auditSelection,
            limits.argument,
            .option("before", "List the entries before those of the answer with this `next`."),
        ], heading: "List audit entries")

    let selection: AuditSelection?
    let limit: Int?
    let before: String?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "entries": "The entries, newest first.", "next": "The `before` of the next page; absent on the last one.",
        ]

        package let entries: [AuditRecord]
        package let next: String?
    }

    package init(_ selection: AuditSelection, limit: Int, before: String? = nil) {
        self.selection = selection
        self.limit = limit
        self.before = before
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        let filter = try await (selection ?? AuditSelection()).filter(in: call.admin)
        let key = KeyGenerator.key(before: before)
        return try await call.admin.store.read { transaction in
            let names = try transaction.administratorNames()
            let found = try transaction.auditEntries(filter, before: key, limit: limit + 1)
            let page = found.prefix(limit)
            return Answer(
                entries: page.map { AuditRecord($0, names: names) },
                next: found.count > limit ? page.last.map { KeyGenerator.cursor(at: $0.key) } : nil)
        }
    }
}

/// `audit.follow`: the entries that were sealed after another one, in the order of the chain.
///
/// Entries that commit late get a later place in the chain, so a reader that continues at the last place misses none.
package struct FollowAudit: AdminOperation {
    package static let declaration = OperationDeclaration(
        "audit.follow", "Returns the audit entries that were sealed after a place in the chain.", .readAudit, .reads,
        isStreamed: true,
        [
            .auditSelection,
            .option("after", "The place in the chain after which to begin; its end when absent."),
        ], heading: "Follow the audit")
    /// Entries that one call looks at.
    package static let page = 1000

    let selection: AuditSelection?
    let after: Int64?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "entries": "The entries in the order of the chain.", "next": "The `after` of the next call.",
        ]

        package let entries: [AuditRecord]
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
        detail = entry.details
    }
}

extension Transaction {
    /// The names of admin credentials, by their actor in the audit.
    func administratorNames() throws(StoreError) -> [String: String] {
        let credentials = try adminCredentials()
        return Dictionary(
            credentials.map { ($0.administrator.actor, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}

extension DeclaredArgument {
    fileprivate static let auditSelection = option("selection", "Which entries; all when absent.").containing(.options)
}
