extension TableDefinition {
    /// The columns of every table that is a queue, in the order in which `QueueProgress` has them.
    private static let queueProgress: [Column] = [
        Column("state", .text), Column("reason", .text, isNullable: true), Column("attempts", .integer),
        Column("queued_at", .integer), Column("next_attempt_at", .integer, isNullable: true),
        Column("lease_holder", .text, isNullable: true), Column("lease_until", .integer, isNullable: true),
        Column("ended_at", .integer, isNullable: true),
    ]

    package static let withdrawals = TableDefinition(
        "withdrawals", record: "Withdrawal",
        """
        A provider grant that is to be revoked at its provider, after it left the identity it belonged to.

        The row has no personal data: the subject and the tokens are sealed.
        """,
        uniques: [.columns("id")],
        indexes: [
            .index("withdrawals_ended_at", "ended_at"),
            .index("withdrawals_next_attempt_at", "next_attempt_at"),
        ],
        // They have left their user, and outlive it.
        ownership: .noUser,
        fields: [
            .key(),
            .text("id", comment: "The receipt: random, public."),
            .text("provider", comment: "The id of the provider entry."),
            .text("issuer", comment: "The issuer or the instance that knows the subject."),
            .text("subject_hash", comment: "Stands for the subject."),
            .text("client_id", comment: "The broker's client at the provider that obtained the tokens."),
            .choice("token_hint", of: "TokenHint"),
            .choice("cause", of: "Cause"),
            .sealed(
                "sealed_grant", .optional,
                by: SealDefinition(
                    "withdrawal/v1",
                    [.literal("withdrawals"), .text("id"), .text("provider"), .text("issuer"), .text("client_id")]),
                comment: "Subject and tokens; nil once the row is done or dropped."),
            .time("created_at"),
            .type("progress", of: "QueueProgress<State>", queueProgress),
        ])

    package static let webhooks = TableDefinition(
        "webhooks", record: "Webhook", "A backend that gets events of users by HTTP.",
        uniques: [.columns("id")], ownership: .noUser,
        fields: [
            .key(),
            .text("id", comment: "Random, public."),
            .text("url"),
            .words("events", comment: "The types it gets, or ``everyEvent``."),
            .sealed("sealed_secret", by: SealDefinition("webhook/v1", [.literal("webhooks"), .text("id")])),
            .group(
                "previousSecret", of: "PreviousSecret",
                comment: "A sealed secret that signs beside its successor for a while.",
                [
                    // A rotation moves a value from one column to the other.
                    .sealed(
                        "sealed_previous_secret", as: "sealed",
                        by: SealDefinition("webhook/v1", [.literal("webhooks"), .text("id")])),
                    .time("previous_secret_until", as: "until"),
                ]),
            .time("created_at"),
            .group(
                "disabling", of: "Disabling", comment: "The reason and the time since when it gets nothing.",
                [.time("disabled_at", as: "at"), .text("disabled_reason", as: "reason")]),
        ])

    package static let eventDeliveries = TableDefinition(
        "event_deliveries", record: "EventDelivery", "An event on its way to one recipient.",
        uniques: [.columns("event_id", "target_id")],
        indexes: [
            .index("event_deliveries_ended_at", "state, ended_at"),
            .index(
                "event_deliveries_next_attempt_at", "target_id, next_attempt_at", where: "ended_at IS NULL"),
            .index(
                "event_deliveries_open_of_user", "target_id, local_id, sequence", where: "ended_at IS NULL"),
        ],
        ownership: .rows(
            of: .localID("local_id"), merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut,
            deletion: .keep),
        fields: [
            .key(),
            .text("event_id", comment: "The event's id, the same for every recipient and every attempt."),
            .type("target", of: "EventTarget", [.init("target_kind", .text), .init("target_id", .text)]),
            .text("type", comment: "The event's type."),
            .text("local_id"),
            .integer(
                "sequence", comment: "The number of the event among those of its user; 0 for a client's."),
            .time("occurred_at"),
            .text("data", comment: "The event's `data`, a JSON object as text."),
            .type("progress", of: "QueueProgress<State>", queueProgress),
        ])

    package static let eventSequences = TableDefinition(
        "event_sequences", key: ["local_id"],
        indexes: [.index("event_sequences_ended_at", "ended_at", where: "ended_at IS NOT NULL")],
        ownership: .rows(
            of: .localID("local_id"), merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut,
            deletion: .keep),
        fields: [.text("local_id"), .integer("last"), .time("ended_at", .optional)])

    package static let providerEvents = TableDefinition(
        "provider_events", record: "ReceivedEvent",
        """
        A message with an id of its sender, that was received: a second one with the same id has no effect. Senders are \
        providers with their events, and service accounts with their assertions.
        """,
        uniques: [.columns("provider", "event_hash")],
        indexes: [.index("provider_events_expires_at", "expires_at")], ownership: .noUser,
        fields: [
            .key(),
            .text(
                "provider", comment: "The id of the provider's entry, or `service-account:` with the id of the account."
            ),
            .blob("event_hash", comment: "SHA-256 of the sender's id, for a provider's with its instance."),
            .time("received_at"),
            .time("expires_at", comment: "The time until which the record is stored."),
        ])

    package static let providerFeeds = TableDefinition(
        "provider_feeds", key: ["provider"], ownership: .noUser,
        fields: [.text("provider"), .text("cursor"), .time("polled_at")])

    package static let refusedSignatureKeys = TableDefinition(
        "refused_signature_keys", key: ["provider", "key_id"], ownership: .noUser,
        fields: [.text("provider"), .text("key_id"), .time("refused_at")])
}
