extension Webhook {
    /// Stands for every type, those of later versions too.
    package static let everyEvent = "*"

    /// The kinds in the column `events`. A type of a later version is none yet.
    static func kinds(in events: String) -> Set<UserEvent.Kind> {
        let names = events.split(separator: " ").map(String.init)
        if names.contains(everyEvent) { return Set(UserEvent.Kind.allCases) }
        return Set(names.compactMap(UserEvent.Kind.init(rawValue:)))
    }
}

extension Transaction {
    /// The webhook with this id.
    package func webhook(id: String) throws(StoreError) -> Webhook? {
        try first("webhook_by_id", "SELECT \(Webhook.columns) FROM webhooks WHERE id = $1", .text(id))
    }

    /// All webhooks, the oldest first.
    package func webhooks() throws(StoreError) -> [Webhook] {
        try all("webhooks", "SELECT \(Webhook.columns) FROM webhooks ORDER BY key")
    }

    /// Gives a webhook another secret; `previous` signs as well until its time is over.
    ///
    /// - Returns: The webhook as it is now; nil if there is none.
    package func rotateSecret(
        ofWebhook id: String, to sealed: [UInt8], keeping previous: Webhook.PreviousSecret?
    ) throws(StoreError) -> Webhook? {
        try first(
            "rotate_webhook_secret",
            """
            UPDATE webhooks SET sealed_secret = $2, sealed_previous_secret = $3, previous_secret_until = $4
            WHERE id = $1 RETURNING \(Webhook.columns)
            """, .text(id), .blob(sealed), .blob(orNull: previous?.sealed), .time(orNull: previous?.until))
    }

    /// Disables a webhook, which gets no further events.
    ///
    /// - Returns: The webhook as it is now; nil if there is none that was enabled.
    package func disableWebhook(id: String, reason: String, at now: Timestamp) throws(StoreError) -> Webhook? {
        try first(
            "disable_webhook",
            """
            UPDATE webhooks SET disabled_at = $2, disabled_reason = $3
            WHERE id = $1 AND disabled_at IS NULL RETURNING \(Webhook.columns)
            """, .text(id), .time(now), .text(reason))
    }

    /// Enables a webhook.
    ///
    /// - Returns: The webhook as it is now; nil if there is none that was disabled.
    package func enableWebhook(id: String) throws(StoreError) -> Webhook? {
        try first(
            "enable_webhook",
            """
            UPDATE webhooks SET disabled_at = NULL, disabled_reason = NULL
            WHERE id = $1 AND disabled_at IS NOT NULL RETURNING \(Webhook.columns)
            """, .text(id))
    }

    /// Removes a webhook.
    ///
    /// - Returns: false if there is none.
    package func removeWebhook(id: String) throws(StoreError) -> Bool {
        try run("remove_webhook", "DELETE FROM webhooks WHERE id = $1", .text(id)) > 0
    }
}
