extension AuditEntry {
    /// The kind of actor.
    package enum ActorKind: String, Sendable, Hashable, CaseIterable {
        case user, client, admin, system
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

    /// The conditions besides the user. Keys are in the order of time: what is earlier is not looked at.
    static let conditions = """
        key >= $1 AND key < $7 AND at >= $2 AND at < $3 AND ($4 IS NULL OR actor = $4) AND ($5 IS NULL OR event = $5)
            AND ($6 IS NULL OR substr(event, 1, length($6)) = $6)
        """
}

/// None of the queries of `audit` changes what an entry says.
extension Transaction {
    /// Adds `entry`, in the transaction of the recorded change.
    package func append(_ entry: AuditEntry) throws(StoreError) {
        try insert(entry)
    }

    /// The audit entries of a user, newest first.
    package func auditEntries(localID: String, limit: Int) throws(StoreError) -> [AuditEntry] {
        try all(
            "audit_of_user", "SELECT \(AuditEntry.columns) FROM audit WHERE local_id = $1 ORDER BY key DESC LIMIT $2",
            .text(localID), .limit(limit))
    }

    /// The audit entries of a user that precede `key`, newest first; those of one kind of actor where `kind` says so.
    package func auditEntries(
        localID: String, by kind: AuditEntry.ActorKind?, before key: Int64, limit: Int
    ) throws(StoreError) -> [AuditEntry] {
        try all(
            "audit_of_user_before",
            """
            SELECT \(AuditEntry.columns) FROM audit WHERE local_id = $1 AND key < $2 AND ($3 IS NULL OR actor_kind = $3)
            ORDER BY key DESC LIMIT $4
            """, .text(localID), .integer(key), .text(orNull: kind?.rawValue), .limit(limit))
    }

    /// The first audit entry about a user's identity since a moment.
    package func firstAuditEntry(
        localID: String, subjectHash: String, since moment: Timestamp
    ) throws(StoreError) -> AuditEntry? {
        try first(
            "first_audit_of_identity",
            """
            SELECT \(AuditEntry.columns) FROM audit WHERE local_id = $1 AND key >= $2 AND subject_hash = $3
            ORDER BY key LIMIT 1
            """, .text(localID), .integer(KeyGenerator.firstKey(at: moment)), .text(subjectHash))
    }

    /// The audit entries that `filter` selects and that precede `key`, newest first.
    package func auditEntries(
        _ filter: AuditFilter, before key: Int64 = .max, limit: Int
    ) throws(StoreError) -> [AuditEntry] {
        let firstKey = filter.since.map(KeyGenerator.firstKey(at:)) ?? 0
        let (since, until) = (filter.since?.milliseconds ?? .min, filter.until?.milliseconds ?? .max)
        let isBeginning = filter.event?.hasSuffix(".") ?? false
        let (event, beginning) = (isBeginning ? nil : filter.event, isBeginning ? filter.event : nil)
        guard let localID = filter.localID else {
            return try all(
                "audit",
                """
                SELECT \(AuditEntry.columns) FROM audit WHERE \(AuditFilter.conditions) ORDER BY key DESC LIMIT $8
                """,
                .integer(firstKey), .integer(since), .integer(until), .text(orNull: filter.actor),
                .text(orNull: event), .text(orNull: beginning), .integer(key), .limit(limit))
        }
        return try all(
            "audit_list_of_user",
            """
            SELECT \(AuditEntry.columns) FROM audit WHERE local_id = $9 AND \(AuditFilter.conditions)
            ORDER BY key DESC LIMIT $8
            """,
            .integer(firstKey), .integer(since), .integer(until), .text(orNull: filter.actor), .text(orNull: event),
            .text(orNull: beginning), .integer(key), .limit(limit), .text(localID))
    }
}
