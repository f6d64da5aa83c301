/// The position in a provider's event feed.
package struct FeedPosition: Sendable, Hashable {
    /// The provider's cursor of the next page.
    package let cursor: String
    /// The time at which the previous page was applied.
    package let polledAt: Timestamp
}

extension Transaction {
    /// Records an event before its effects, in the same transaction.
    ///
    /// - Returns: false if it was received before; then it must have no effect.
    package func record(_ event: ReceivedEvent) throws(StoreError) -> Bool {
        try insertUnlessTaken(event)
    }

    /// The number of a sender's records that have not expired, at most `limit`.
    package func receivedEventCount(
        of provider: String, at now: Timestamp, limit: Int
    ) throws(StoreError) -> Int {
        let count = try value(
            "count_provider_events",
            """
            SELECT count(*) FROM (
                SELECT key FROM provider_events WHERE provider = $1 AND expires_at > $2 LIMIT $3) AS unexpired
            """, .text(provider), .time(now), .limit(limit)
        ) { row throws(StoreError) in try row.integer() }
        return Int(clamping: count ?? 0)
    }

    /// Removes records that expired at `moment` or before, the earliest first.
    ///
    /// - Returns: How many were removed; less than `limit` when there are no more.
    package func removeReceivedEvents(expiredBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            "remove_expired_provider_events",
            """
            DELETE FROM provider_events WHERE key IN (
                SELECT key FROM provider_events WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
            """, .time(moment), .limit(limit))
    }

    /// The position in an event feed; nil before the first page.
    package func feedPosition(of feed: String) throws(StoreError) -> FeedPosition? {
        try value(
            "provider_feed", "SELECT cursor, polled_at FROM provider_feeds WHERE provider = $1", .text(feed)
        ) { row throws(StoreError) in
            FeedPosition(cursor: try row.text(), polledAt: try row.time())
        }
    }

    /// Stores the position in an event feed.
    package func setFeedCursor(_ cursor: String, of feed: String, at now: Timestamp) throws(StoreError) {
        try run(
            "set_provider_feed",
            """
            INSERT INTO provider_feeds (provider, cursor, polled_at) VALUES ($1, $2, $3)
            ON CONFLICT (provider) DO UPDATE SET cursor = excluded.cursor, polled_at = excluded.polled_at
            """, .text(feed), .text(cursor), .time(now))
    }

    /// Refuses a signature key of a provider's entry from now on.
    package func refuseSignatureKey(_ keyID: String, of provider: String, at now: Timestamp) throws(StoreError) {
        try run(
            "refuse_signature_key",
            """
            INSERT INTO refused_signature_keys (provider, key_id, refused_at) VALUES ($1, $2, $3)
            ON CONFLICT (provider, key_id) DO NOTHING
            """, .text(provider), .text(keyID), .time(now))
    }

    /// Whether a signature key of a provider's entry is refused.
    package func isSignatureKeyRefused(_ keyID: String, of provider: String) throws(StoreError) -> Bool {
        try run(
            "refused_signature_key",
            "SELECT refused_at FROM refused_signature_keys WHERE provider = $1 AND key_id = $2", .text(provider),
            .text(keyID)) > 0
    }
}
