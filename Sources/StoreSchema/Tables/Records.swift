// Rows of what happened. They outlive the user and are removed by their age only.
extension TableDefinition {
    package static let audit = TableDefinition(
        "audit", record: "AuditEntry",
        """
        Something that was done, with its actor and its user. Never changed; outlives the user, and is removed by its age \
        only.
        """,
        indexes: [
            .index("audit_erasures", "key", where: "event = 'user.deleted'"),
            .index("audit_local_id", "local_id, key"),
            .index("audit_sequence", "sequence, key", where: "sequence IS NOT NULL"),
            .index("audit_unsealed", "key", where: "sequence IS NULL"),
        ],
        ownership: .rows(
            of: .localID("local_id"), merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut,
            deletion: .keep),
        fields: [
            .key(),
            .time("at"),
            .choice("actor_kind", of: "ActorKind"),
            .text(
                "actor", .optional,
                comment: """
                    A user's local id, a client id, an administrator's name, or `credential:` with the id of an admin credential.
                    """),
            .text("event"),
            .text("local_id", .optional, comment: "The user it was done to."),
            .text("provider", .optional),
            .text("subject_hash", .optional, comment: "The hash of the provider's subject, which is not stored here."),
            .text("request_id", .optional),
            .type("detail", of: "AuditDetail", initial: "AuditDetail()", [.init("detail", .text)]),
            .text("address", .optional, comment: "The network of the client's address, such as `203.0.113.0/24`."),
            .text("reason", .optional, comment: "The reason it was done, in an administrator's words."),
            .column("sequence", .integer, .optional),
            .column("seal_key", .text, .optional),
            .column("seal", .blob, .optional),
        ])

    package static let auditAnchors = TableDefinition(
        "audit_anchors", record: "AuditAnchor",
        "An end of the hash chain, signed, so that missing entries are noticed there as well.",
        key: ["name"], ownership: .noUser,
        fields: [
            .choice("name", of: "Name"), .integer("sequence"), .blob("seal", comment: "The seal of that entry."),
            .time("at"), .text("key_id"), .blob("signature"),
        ])

    package static let decisions = TableDefinition(
        "decisions", record: "Decision",
        """
        The record of a decision about a credential's user. Never changed; it outlives the user and is removed only by age.
        """,
        indexes: [
            .index("decisions_of_request", "request_id, key", where: "audited = 0"),
            .index("decisions_of_user", "local_id, key", where: "audited = 0 AND local_id IS NOT NULL"),
        ],
        ownership: .rows(
            of: .localID("local_id"), merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut,
            deletion: .keep),
        fields: [
            .key(),
            .time("at"),
            .text("request_id"),
            .text("provider"),
            .text("issuer"),
            .text("subject_hash", comment: "The hash of the provider's subject, which is not stored here."),
            .text("local_id", .optional, comment: "The user it led to, if it led to one."),
            .text("rule", comment: "The rule that applied."),
            .text("outcome", comment: "The result of the decision."),
            .text("evidence", comment: "The facts the rule looked at, a JSON object as text."),
            .flag(
                "audited", as: "isAudited", initial: "false",
                comment: "Whether the audit has an entry of the same key about the same user, by which it is found."),
        ])

    package static let refusals = TableDefinition(
        "refusals", record: "RecordedRefusal",
        """
        The cause for which a request was refused, by the request's id. Only the newest are there. It says nothing of the \
        user.
        """,
        indexes: [.index("refusals_request_id", "request_id")], ownership: .noUser,
        fields: [
            .key(),
            .time("at"),
            .text("request_id"),
            .text("route", comment: "The template of the request's path."),
            .integer("status", comment: "The HTTP status of the answer."),
            .text("code", comment: "The stable code of the cause."),
            .text("text", .optional, comment: "The broker's own text for developers."),
            .text("provider", .optional, comment: "The provider entry."),
            .text("client_id", .optional, comment: "The OAuth client, a registered one."),
        ])

    package static let outcomeCounts = TableDefinition(
        "outcome_counts", record: "OutcomeCount",
        "How many sign-ins, or refusals of one cause, one broker has counted in an hour.",
        key: ["hour", "code", "provider", "client_id", "holder"], ownership: .noUser,
        fields: [
            .time("hour", comment: "Its beginning."),
            .text("code", comment: "The stable code of the cause; empty for sign-ins."),
            .text("provider", comment: "The provider entry; empty where none takes part."),
            .text("client_id", comment: "The OAuth client; empty where none is known."),
            .text("holder", comment: "The broker's process."),
            .integer("count"),
        ])
}
