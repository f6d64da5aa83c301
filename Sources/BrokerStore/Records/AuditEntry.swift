// Generated from `audit` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// Something that was done, with its actor and its user. Never changed; outlives the user, and is removed by its age
/// only.
package struct AuditEntry: Record {
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
    package var detail: AuditDetail
    /// The network of the client's address, such as `203.0.113.0/24`.
    package var address: String?
    /// The reason it was done, in an administrator's words.
    package var reason: String?

    package init(
        key: Int64, at: Timestamp, actorKind: ActorKind, actor: String? = nil, event: String, localID: String? = nil,
        provider: String? = nil, subjectHash: String? = nil, requestID: String? = nil,
        detail: AuditDetail = AuditDetail(), address: String? = nil, reason: String? = nil
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
        self.address = address
        self.reason = reason
    }
}

extension AuditEntry {
    package static let table = TableDefinition.audit
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        at = try row.time()
        actorKind = try row.choice(ActorKind.self)
        actor = try row.optionalText()
        event = try row.text()
        localID = try row.optionalText()
        provider = try row.optionalText()
        subjectHash = try row.optionalText()
        requestID = try row.optionalText()
        detail = try AuditDetail(reading: &row)
        address = try row.optionalText()
        reason = try row.optionalText()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .time(at), .text(actorKind.rawValue), .text(orNull: actor), .text(event),
            .text(orNull: localID), .text(orNull: provider), .text(orNull: subjectHash), .text(orNull: requestID),
        ]
            + detail.values
            + [.text(orNull: address), .text(orNull: reason)]
    }
}
