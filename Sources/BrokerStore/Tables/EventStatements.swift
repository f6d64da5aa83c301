/// The statements of events, besides those of the queue of their deliveries.
enum EventStatements {
    /// One row for every enabled webhook, and one without an id if a client gets logout tokens.
    static let subscriptions = Statement(
        "event_subscriptions",
        """
        SELECT id, events FROM webhooks WHERE disabled_at IS NULL
        UNION ALL SELECT '', '' WHERE EXISTS (SELECT 1 FROM clients WHERE backchannel_logout_uri IS NOT NULL)
        """)

    static let logoutClient = Statement(
        "logout_client", "SELECT id FROM clients WHERE id = $1 AND backchannel_logout_uri IS NOT NULL", .text)

    static let liveSessions = Statement(
        "live_sessions_to_end",
        """
        SELECT \(EndedSession.columns) FROM sessions WHERE user_key = $1 AND revoked_at IS NULL
            AND epoch = (SELECT users.epoch FROM users WHERE users.key = sessions.user_key) ORDER BY key
        """, .integer)

    static let nextSequence = Statement(
        "next_event_sequence",
        """
        INSERT INTO event_sequences (local_id, last, ended_at) VALUES ($1, 1, $2)
        ON CONFLICT (local_id) DO UPDATE SET last = event_sequences.last + 1, ended_at = excluded.ended_at
        RETURNING last
        """, .text, .integer)

    static let removeSequences = Statement(
        "remove_ended_event_sequences",
        """
        DELETE FROM event_sequences WHERE local_id IN (
            SELECT local_id FROM event_sequences WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2) RETURNING last
        """, .integer, .integer)

    static let all =
        EventDelivery.queue.all + [subscriptions, logoutClient, liveSessions, nextSequence, removeSequences]
}

extension Transaction {
    /// Forgets the sequence numbers of users who were deleted at `moment` or before.
    ///
    /// - Returns: How many went; less than `limit` when there are no more.
    package func removeEventSequences(endedBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(EventStatements.removeSequences, .time(moment), .limit(limit)).count
    }
}
