extension TableShape {
    static let webhooks = TableShape(
        "webhooks",
        [
            .integer("key"), .text("id"), .text("url"), .text("events"), .blob("sealed_secret"),
            .blob("sealed_previous_secret"), .integer("previous_secret_until"), .integer("created_at"),
            .integer("disabled_at"), .text("disabled_reason"),
        ], uniques: [Uniqueness("id")])

    static let eventDeliveries = TableShape(
        "event_deliveries",
        [
            .integer("key"), .text("event_id"), .text("target_kind"), .text("target_id"), .text("type"),
            .text("local_id"), .integer("sequence"), .integer("occurred_at"), .text("data"), .text("state"),
            .text("reason"), .integer("attempts"), .integer("queued_at"), .integer("next_attempt_at"),
            .text("lease_holder"), .integer("lease_until"), .integer("ended_at"),
        ], uniques: [Uniqueness("event_id", "target_id")])

    static let eventSequences = TableShape(
        "event_sequences", [.text("local_id"), .integer("last"), .integer("ended_at")], key: ["local_id"])
}
