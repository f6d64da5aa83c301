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
    /// A user's local id, a client id, an admin's name.
    package var actor: String?
    package var event: String
    /// The user it was done to.
    package var localID: String?
    package var provider: String?
    /// The hash of the provider's subject, which is not stored here.
    package var subjectHash: String?
    package var requestID: String?
    /// A JSON object as text.
    package var detail: String

    package init(
        key: Int64, at: Timestamp, actorKind: ActorKind, actor: String? = nil, event: String, localID: String? = nil,
        provider: String? = nil, subjectHash: String? = nil, requestID: String? = nil, detail: String = "{}"
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
        self.detail = detail
    }
}

/// The statements of `audit`: none of them changes a row.
enum AuditStatements {
    static let columns = """
        key, at, actor_kind, actor, event, local_id, provider, subject_hash, request_id, detail
        """

    static let append = Statement(
        "append_audit", "INSERT INTO audit (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        .integer, .integer, .text, .text, .text, .text, .text, .text, .text, .text)

    static let ofUser = Statement(
        "audit_of_user", "SELECT \(columns) FROM audit WHERE local_id = $1 ORDER BY key DESC LIMIT $2",
        .text, .integer)

    // Keys are in the order of time: what is recent is not looked at.
    static let removeAged = Statement(
        "remove_aged_audit",
        """
        DELETE FROM audit WHERE key IN (
            SELECT key FROM audit WHERE key < $1 AND at <= $2 ORDER BY key LIMIT $3) RETURNING key
        """, .integer, .integer, .integer)

    static let all = [append, ofUser, removeAged]
}

extension Transaction {
    /// Adds `entry`, in the transaction of the recorded change.
    package func append(_ entry: AuditEntry) throws(StoreError) {
        try run(
            AuditStatements.append, .integer(entry.key), .time(entry.at), .text(entry.actorKind.rawValue),
            .text(orNull: entry.actor), .text(entry.event), .text(orNull: entry.localID),
            .text(orNull: entry.provider), .text(orNull: entry.subjectHash), .text(orNull: entry.requestID),
            .text(entry.detail))
    }

    /// The audit entries of a user, newest first.
    package func auditEntries(localID: String, limit: Int) throws(StoreError) -> [AuditEntry] {
        try run(AuditStatements.ofUser, .text(localID), .limit(limit)).map { row throws(StoreError) in
            var row = row
            return try AuditEntry(
                key: row.integer(), at: row.time(), actorKind: row.choice(AuditEntry.ActorKind.self),
                actor: row.optionalText(), event: row.text(), localID: row.optionalText(),
                provider: row.optionalText(), subjectHash: row.optionalText(), requestID: row.optionalText(),
                detail: row.text())
        }
    }

    /// Removes entries of `moment` or before, the oldest first.
    ///
    /// - Returns: how many went; less than `limit` when there are no more.
    package func removeAuditEntries(until moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            AuditStatements.removeAged, .integer(KeyGenerator.firstKey(after: moment)), .time(moment), .limit(limit)
        ).count
    }
}
