/// Something that was done, with its actor and its user. Never changed; outlives the user, and is removed by its age
/// only.
package struct AuditEntry: Sendable, Hashable {
    /// The kind of actor.
    package enum ActorKind: String, Sendable, Hashable, CaseIterable {
        case user, client, admin, system
    }

    /// Private, time-ordered.
    package var key: Int64
    package var at: Timestamp
    package var actorKind: ActorKind
    /// A user's local id, a client id, an administrator's name, or `credential:` with the id of an admin credential.
    package var actor: String?
    package var event: String
    /// The user it was done to.
    package var localID: String?
    package var provider: String?
    /// The hash of the provider's subject, which is not stored here.
    package var subjectHash: String?
    package var requestID: String?
    /// An ``AuditDetail`` as text.
    package let detail: String
    /// The network of the client's address, such as `203.0.113.0/24`.
    package var address: String?
    /// The reason it was done, in an administrator's words.
    package var reason: String?

    package init(
        key: Int64, at: Timestamp, actorKind: ActorKind, actor: String? = nil, event: String, localID: String? = nil,
        provider: String? = nil, subjectHash: String? = nil, requestID: String? = nil,
        detail: AuditDetail = AuditDetail(),
        address: String? = nil, reason: String? = nil
    ) {
        self.key = key
        self.at = at
        self.actorKind = actorKind
        self.actor = actor
        self.event = event
        self.localID = localID
        self.provider = provider
        self.subjectHash = subjectHash
        self.requestID = requestID
        self.detail = detail.text
        self.address = address
        self.reason = reason
    }
}

/// Which audit entries a list has.
package struct AuditFilter: Sendable, Hashable {
    package var localID: String?
    package var actor: String?
    /// An event, or its beginning up to a dot, such as `identity.`.
    package var event: String?
    package var since: Timestamp?
    /// The end, which is not included.
    package var until: Timestamp?

    package init(
        localID: String? = nil, actor: String? = nil, event: String? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.localID = localID
        self.actor = actor
        self.event = event
        self.since = since
        self.until = until
    }

    /// Whether a list has `entry`.
    package func contains(_ entry: AuditEntry) -> Bool {
        if let localID, entry.localID != localID { return false }
        if let actor, entry.actor != actor { return false }
        if let event, event.hasSuffix(".") ? !entry.event.hasPrefix(event) : entry.event != event { return false }
        return entry.at >= since ?? entry.at && until.map { entry.at < $0 } != false
    }
}

/// The statements of `audit`: none of them changes what an entry says.
enum AuditStatements {
    static let columns = """
        key, at, actor_kind, actor, event, local_id, provider, subject_hash, request_id, detail, address, reason
        """

    static let append = Statement(
        "append_audit", "INSERT INTO audit (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        .integer, .integer, .text, .text, .text, .text, .text, .text, .text, .text, .text, .text)

    static let ofUser = Statement(
        "audit_of_user", "SELECT \(columns) FROM audit WHERE local_id = $1 ORDER BY key DESC LIMIT $2",
        .text, .integer)

    // Keys are in the order of time: what is earlier is not looked at.
    private static let conditions = """
        key >= $1 AND at >= $2 AND at < $3 AND ($4 IS NULL OR actor = $4) AND ($5 IS NULL OR event = $5)
            AND ($6 IS NULL OR substr(event, 1, length($6)) = $6)
        """

    static let list = Statement(
        "audit", "SELECT \(columns) FROM audit WHERE \(conditions) ORDER BY key DESC LIMIT $7",
        .integer, .integer, .integer, .text, .text, .text, .integer)

    static let listOfUser = Statement(
        "audit_list_of_user",
        "SELECT \(columns) FROM audit WHERE local_id = $8 AND \(conditions) ORDER BY key DESC LIMIT $7",
        .integer, .integer, .integer, .text, .text, .text, .integer, .text)

    static let all = [append, ofUser, list, listOfUser]
}

extension Transaction {
    /// Adds `entry`, in the transaction of the recorded change.
    package func append(_ entry: AuditEntry) throws(StoreError) {
        try run(
            AuditStatements.append, .integer(entry.key), .time(entry.at), .text(entry.actorKind.rawValue),
            .text(orNull: entry.actor), .text(entry.event), .text(orNull: entry.localID),
            .text(orNull: entry.provider), .text(orNull: entry.subjectHash), .text(orNull: entry.requestID),
            .text(entry.detail), .text(orNull: entry.address), .text(orNull: entry.reason))
    }

    /// The audit entries of a user, newest first.
    package func auditEntries(localID: String, limit: Int) throws(StoreError) -> [AuditEntry] {
        try run(AuditStatements.ofUser, .text(localID), .limit(limit)).map { row throws(StoreError) in
            var row = row
            return try AuditEntry(reading: &row)
        }
    }

    /// The audit entries that `filter` selects, newest first.
    package func auditEntries(_ filter: AuditFilter, limit: Int) throws(StoreError) -> [AuditEntry] {
        let isBeginning = filter.event?.hasSuffix(".") ?? false
        let values: [SQLValue] = [
            .integer(filter.since.map(KeyGenerator.firstKey(at:)) ?? 0), .time(orEarliest: filter.since),
            .integer(filter.until?.milliseconds ?? .max), .text(orNull: filter.actor),
            .text(orNull: isBeginning ? nil : filter.event), .text(orNull: isBeginning ? filter.event : nil),
            .limit(limit),
        ]
        let rows =
            if let localID = filter.localID {
                try run(AuditStatements.listOfUser, values: values + [.text(localID)])
            } else {
                try run(AuditStatements.list, values: values)
            }
        return try rows.map { row throws(StoreError) in
            var row = row
            return try AuditEntry(reading: &row)
        }
    }
}

extension AuditEntry {
    /// Reads the columns of ``AuditStatements/columns``.
    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            key: row.integer(), at: row.time(), actorKind: row.choice(ActorKind.self), actor: row.optionalText(),
            event: row.text(), localID: row.optionalText(), provider: row.optionalText(),
            subjectHash: row.optionalText(), requestID: row.optionalText(), detail: AuditDetail(stored: row.text()),
            address: row.optionalText(), reason: row.optionalText())
    }
}

extension SQLValue {
    fileprivate static func time(orEarliest value: Timestamp?) -> SQLValue { .integer(value?.milliseconds ?? .min) }
}
