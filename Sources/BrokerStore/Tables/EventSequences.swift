/// The numbers of events among those of their user.
extension Transaction {
    /// Counts an event of a user, whose numbers are forgotten some time after `end`.
    ///
    /// - Returns: The event's number.
    func nextEventSequence(of localID: String, endedAt end: Timestamp?) throws(StoreError) -> Int64 {
        try value(
            "next_event_sequence",
            """
            INSERT INTO event_sequences (local_id, last, ended_at) VALUES ($1, 1, $2)
            ON CONFLICT (local_id) DO UPDATE SET last = event_sequences.last + 1, ended_at = excluded.ended_at
            RETURNING last
            """, .text(localID), .time(orNull: end)
        ) { row throws(StoreError) in try row.integer() } ?? 0
    }

    /// Forgets the sequence numbers of users who were deleted at `moment` or before.
    ///
    /// - Returns: How many went; less than `limit` when there are no more.
    package func removeEventSequences(endedBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(
            "remove_ended_event_sequences",
            """
            DELETE FROM event_sequences WHERE local_id IN (
                SELECT local_id FROM event_sequences WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2)
            """, .time(moment), .limit(limit))
    }
}
