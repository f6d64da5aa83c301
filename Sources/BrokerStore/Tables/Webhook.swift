/// A backend that gets events of users by HTTP.
package struct Webhook: Sendable, Hashable {
    /// A sealed secret that signs beside its successor for a while.
    package struct PreviousSecret: Sendable, Hashable {
        package var sealed: [UInt8]
        package var until: Timestamp

        package init(sealed: [UInt8], until: Timestamp) {
            self.sealed = sealed
            self.until = until
        }
    }

    /// The reason and the time since when it gets nothing.
    package struct Disabling: Sendable, Hashable {
        package var at: Timestamp
        package var reason: String

        package init(at: Timestamp, reason: String) {
            self.at = at
            self.reason = reason
        }
    }

    /// Private, time-ordered.
    package var key: Int64
    /// Random, public.
    package var id: String
    package var url: String
    /// The types it gets, or ``everyEvent``.
    package var events: [String]
    package var sealedSecret: [UInt8]
    package var previousSecret: PreviousSecret?
    package var createdAt: Timestamp
    package var disabling: Disabling?

    /// Stands for every type, those of later versions too.
    package static let everyEvent = "*"

    package init(
        key: Int64, id: String, url: String, events: [String], sealedSecret: [UInt8], createdAt: Timestamp
    ) {
        self.key = key
        self.id = id
        self.url = url
        self.events = events
        self.sealedSecret = sealedSecret
        self.createdAt = createdAt
    }

    /// The kinds in the column `events`. A type of a later version is none yet.
    static func kinds(in events: String) -> Set<UserEvent.Kind> {
        let names = events.split(separator: " ").map(String.init)
        if names.contains(everyEvent) { return Set(UserEvent.Kind.allCases) }
        return Set(names.compactMap(UserEvent.Kind.init(rawValue:)))
    }
}

/// The statements of `webhooks`.
enum WebhookStatements {
    static let columns = """
        key, id, url, events, sealed_secret, sealed_previous_secret, previous_secret_until, created_at, disabled_at, \
        disabled_reason
        """

    static let insert = Statement(
        "insert_webhook", "INSERT INTO webhooks (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        .integer, .text, .text, .text, .blob, .blob, .integer, .integer, .integer, .text)

    static let byID = Statement("webhook_by_id", "SELECT \(columns) FROM webhooks WHERE id = $1", .text)

    static let everyWebhook = Statement("webhooks", "SELECT \(columns) FROM webhooks ORDER BY key")

    static let rotate = Statement(
        "rotate_webhook_secret",
        """
        UPDATE webhooks SET sealed_secret = $2, sealed_previous_secret = $3, previous_secret_until = $4
        WHERE id = $1 RETURNING \(columns)
        """, .text, .blob, .blob, .integer)

    static let disable = Statement(
        "disable_webhook",
        """
        UPDATE webhooks SET disabled_at = $2, disabled_reason = $3
        WHERE id = $1 AND disabled_at IS NULL RETURNING \(columns)
        """, .text, .integer, .text)

    static let enable = Statement(
        "enable_webhook",
        """
        UPDATE webhooks SET disabled_at = NULL, disabled_reason = NULL
        WHERE id = $1 AND disabled_at IS NOT NULL RETURNING \(columns)
        """, .text)

    static let remove = Statement("remove_webhook", "DELETE FROM webhooks WHERE id = $1 RETURNING key", .text)

    static let all = [insert, byID, everyWebhook, rotate, disable, enable, remove]
}

extension Transaction {
    /// Adds `webhook`.
    package func insert(_ webhook: Webhook) throws(StoreError) {
        try run(
            WebhookStatements.insert, .integer(webhook.key), .text(webhook.id), .text(webhook.url),
            .text(webhook.events.joined(separator: " ")), .blob(webhook.sealedSecret),
            .blob(orNull: webhook.previousSecret?.sealed), .time(orNull: webhook.previousSecret?.until),
            .time(webhook.createdAt), .time(orNull: webhook.disabling?.at), .text(orNull: webhook.disabling?.reason))
    }

    /// The webhook with this id.
    package func webhook(id: String) throws(StoreError) -> Webhook? {
        try first(run(WebhookStatements.byID, .text(id)))
    }

    /// All webhooks, the oldest first.
    package func webhooks() throws(StoreError) -> [Webhook] {
        try run(WebhookStatements.everyWebhook).map { row throws(StoreError) in try Webhook(reading: row) }
    }

    /// Gives a webhook another secret; `previous` signs as well until its time is over.
    ///
    /// - Returns: The webhook as it is now; nil if there is none.
    package func rotateSecret(
        ofWebhook id: String, to sealed: [UInt8], keeping previous: Webhook.PreviousSecret?
    ) throws(StoreError) -> Webhook? {
        try first(
            run(
                WebhookStatements.rotate, .text(id), .blob(sealed), .blob(orNull: previous?.sealed),
                .time(orNull: previous?.until)))
    }

    /// Disables a webhook, which gets no further events.
    ///
    /// - Returns: The webhook as it is now; nil if there is none that was enabled.
    package func disableWebhook(id: String, reason: String, at now: Timestamp) throws(StoreError) -> Webhook? {
        try first(run(WebhookStatements.disable, .text(id), .time(now), .text(reason)))
    }

    /// Enables a webhook.
    ///
    /// - Returns: The webhook as it is now; nil if there is none that was disabled.
    package func enableWebhook(id: String) throws(StoreError) -> Webhook? {
        try first(run(WebhookStatements.enable, .text(id)))
    }

    /// Removes a webhook.
    ///
    /// - Returns: false if there is none.
    package func removeWebhook(id: String) throws(StoreError) -> Bool {
        try !run(WebhookStatements.remove, .text(id)).isEmpty
    }

    private func first(_ rows: [Row]) throws(StoreError) -> Webhook? {
        try rows.first.map { row throws(StoreError) in try Webhook(reading: row) }
    }
}

extension Webhook {
    fileprivate init(reading row: Row) throws(StoreError) {
        var row = row
        try self.init(
            key: row.integer(), id: row.text(), url: row.text(),
            events: row.text().split(separator: " ").map(String.init), sealedSecret: row.blob(),
            createdAt: Timestamp(milliseconds: 0))
        let (sealed, until) = (try row.optionalBlob(), try row.optionalTime())
        previousSecret = sealed.flatMap { sealed in until.map { PreviousSecret(sealed: sealed, until: $0) } }
        createdAt = try row.time()
        let (disabledAt, reason) = (try row.optionalTime(), try row.optionalText())
        disabling = disabledAt.flatMap { at in reason.map { Disabling(at: at, reason: $0) } }
    }
}
