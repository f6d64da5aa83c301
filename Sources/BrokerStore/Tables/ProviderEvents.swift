/// A message with an id of its sender, that was received: a second one with the same id has no effect. Senders are
/// providers with their events, and service accounts with their assertions.
package struct ReceivedEvent: Sendable, Hashable {
    package var key: Int64
    /// The id of the provider's entry, or `service-account:` with the id of the account.
    package var provider: String
    /// SHA-256 of the sender's id, for a provider's with its instance.
    package var eventHash: [UInt8]
    package var receivedAt: Timestamp
    /// The time until which the record is stored.
    package var expiresAt: Timestamp

    package init(key: Int64, provider: String, eventHash: [UInt8], receivedAt: Timestamp, expiresAt: Timestamp) {
        self.key = key
        self.provider = provider
        self.eventHash = eventHash
        self.receivedAt = receivedAt
        self.expiresAt = expiresAt
    }
}

/// The position in a provider's event feed.
package struct FeedPosition: Sendable, Hashable {
    /// The provider's cursor of the next page.
    package let cursor: String
    /// The time at which the previous page was applied.
    package let polledAt: Timestamp
}

/// The statements of `provider_events`, `provider_feeds` and `refused_signature_keys`.
enum ProviderEventStatements {
    static let insert = Statement(
        "insert_provider_event",
        """
        INSERT INTO provider_events (key, provider, event_hash, received_at, expires_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (provider, event_hash) DO NOTHING RETURNING key
        """, .integer, .text, .blob, .integer, .integer)

    static let count = Statement(
        "count_provider_events",
        """
        SELECT count(*) FROM (
            SELECT key FROM provider_events WHERE provider = $1 AND expires_at > $2 LIMIT $3) AS unexpired
        """, .text, .integer, .integer)

    static let removeExpired = Statement(
        "remove_expired_provider_events",
        """
        DELETE FROM provider_events WHERE key IN (
            SELECT key FROM provider_events WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) RETURNING key
        """, .integer, .integer)

    static let cursor = Statement(
        "provider_feed", "SELECT cursor, polled_at FROM provider_feeds WHERE provider = $1", .text)

    static let setCursor = Statement(
        "set_provider_feed",
        """
        INSERT INTO provider_feeds (provider, cursor, polled_at) VALUES ($1, $2, $3)
        ON CONFLICT (provider) DO UPDATE SET cursor = excluded.cursor, polled_at = excluded.polled_at
        """, .text, .text, .integer)

    static let refuseKey = Statement(
        "refuse_signature_key",
        """
        INSERT INTO refused_signature_keys (provider, key_id, refused_at) VALUES ($1, $2, $3)
        ON CONFLICT (provider, key_id) DO NOTHING
        """, .text, .text, .integer)

    static let refusedKey = Statement(
        "refused_signature_key", "SELECT refused_at FROM refused_signature_keys WHERE provider = $1 AND key_id = $2",
        .text, .text)

    static let all = [insert, count, removeExpired, cursor, setCursor, refuseKey, refusedKey]
}

extension Transaction {
    /// Records an event before its effects, in the same transaction.
    ///
    /// - Returns: false if it was received before; then it must have no effect.
    package func record(_ event: ReceivedEvent) throws(StoreError) -> Bool {
        let rows = try run(
            ProviderEventStatements.insert, .integer(event.key), .text(event.provider), .blob(event.eventHash),
            .time(event.receivedAt), .time(event.expiresAt))
        return !rows.isEmpty
    }

    /// The number of a sender's records that have not expired, at most `limit`.
    package func receivedEventCount(
        of provider: String, at now: Timestamp, limit: Int
    ) throws(StoreError) -> Int {
        guard var row = try run(ProviderEventStatements.count, .text(provider), .time(now), .limit(limit)).first else {
            return 0
        }
        return Int(clamping: try row.integer())
    }

    /// Removes records that expired at `moment` or before, the earliest first.
    ///
    /// - Returns: How many were removed; less than `limit` when there are no more.
    package func removeReceivedEvents(expiredBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(ProviderEventStatements.removeExpired, .time(moment), .limit(limit)).count
    }

    /// The position in an event feed; nil before the first page.
    package func feedPosition(of feed: String) throws(StoreError) -> FeedPosition? {
        guard var row = try run(ProviderEventStatements.cursor, .text(feed)).first else { return nil }
        return FeedPosition(cursor: try row.text(), polledAt: try row.time())
    }

    /// Stores the position in an event feed.
    package func setFeedCursor(_ cursor: String, of feed: String, at now: Timestamp) throws(StoreError) {
        try run(ProviderEventStatements.setCursor, .text(feed), .text(cursor), .time(now))
    }

    /// Refuses a signature key of a provider's entry from now on.
    package func refuseSignatureKey(_ keyID: String, of provider: String, at now: Timestamp) throws(StoreError) {
        try run(ProviderEventStatements.refuseKey, .text(provider), .text(keyID), .time(now))
    }

    /// Whether a signature key of a provider's entry is refused.
    package func isSignatureKeyRefused(_ keyID: String, of provider: String) throws(StoreError) -> Bool {
        try !run(ProviderEventStatements.refusedKey, .text(provider), .text(keyID)).isEmpty
    }
}
