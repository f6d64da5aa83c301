/// The statements of `event_deliveries` and `event_sequences`.
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

    static let insert = Statement(
        "insert_event_delivery",
        """
        INSERT INTO event_deliveries (\(EventDelivery.columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        """,
        .integer, .text, .text, .text, .text, .text, .integer, .integer, .text, .text, .text, .integer, .integer,
        .integer, .text, .integer, .integer)

    /// A lease that ends after `$2` was written with a wrong clock and is ignored.
    private static let isDue = """
        ended_at IS NULL AND next_attempt_at <= $1 AND (lease_until IS NULL OR lease_until <= $1 OR lease_until > $2)
        """

    static let dueTargets = Statement(
        "due_event_targets", "SELECT DISTINCT target_kind, target_id FROM event_deliveries WHERE \(isDue)",
        .integer, .integer)

    /// The condition stands in both places: at READ COMMITTED a row that another broker has just claimed is looked at
    /// again, and the subquery is not.
    static let claim = Statement(
        "claim_event_deliveries",
        """
        UPDATE event_deliveries SET lease_holder = $3, lease_until = $4, attempts = attempts + 1 WHERE key IN (
            SELECT key FROM event_deliveries AS due WHERE target_id = $5 AND target_kind = $6 AND \(isDue)
                AND NOT EXISTS (SELECT 1 FROM event_deliveries AS earlier
                    WHERE earlier.target_id = due.target_id AND earlier.local_id = due.local_id
                        AND earlier.sequence < due.sequence AND earlier.ended_at IS NULL)
            ORDER BY next_attempt_at, key LIMIT $7) AND \(isDue)
        RETURNING \(EventDelivery.columns)
        """, .integer, .integer, .text, .integer, .text, .text, .integer)

    static let settle = Statement(
        "settle_event_delivery",
        """
        UPDATE event_deliveries SET state = $4, reason = $5, next_attempt_at = $6, ended_at = $7,
            lease_holder = NULL, lease_until = NULL
        WHERE key = $1 AND lease_holder = $2 AND attempts = $3 AND ended_at IS NULL RETURNING key
        """, .integer, .text, .integer, .text, .text, .integer, .integer)

    static let endOfTarget = Statement(
        "end_event_deliveries_of_target",
        """
        UPDATE event_deliveries SET state = $3, reason = $4, ended_at = $5, next_attempt_at = NULL,
            lease_holder = NULL, lease_until = NULL
        WHERE target_id = $2 AND target_kind = $1 AND ended_at IS NULL RETURNING key
        """, .text, .text, .text, .text, .integer)

    static let list = Statement(
        "event_deliveries",
        """
        SELECT \(EventDelivery.columns) FROM event_deliveries
        WHERE key > $1 AND ($2 IS NULL OR state = $2) AND ($3 IS NULL OR target_id = $3)
            AND ($4 IS NULL OR type = $4) AND ($5 IS NULL OR local_id = $5)
        ORDER BY key DESC LIMIT $6
        """, .integer, .text, .text, .text, .text, .integer)

    private static let isChosen = "($1 IS NULL OR event_id = $1) AND ($2 IS NULL OR target_id = $2)"

    static let replay = Statement(
        "replay_event_deliveries",
        """
        UPDATE event_deliveries SET state = 'queued', queued_at = $4, next_attempt_at = $4, ended_at = NULL,
            attempts = CASE WHEN ended_at IS NULL THEN attempts ELSE 0 END
        WHERE key IN (SELECT key FROM event_deliveries WHERE \(isChosen) AND ($3 IS NULL OR state = $3)
            ORDER BY key LIMIT $5)
        RETURNING \(EventDelivery.columns)
        """, .text, .text, .text, .integer, .integer)

    static let drop = Statement(
        "drop_event_deliveries",
        """
        UPDATE event_deliveries SET state = 'dropped', reason = $5, ended_at = $4, next_attempt_at = NULL,
            lease_holder = NULL, lease_until = NULL
        WHERE key IN (SELECT key FROM event_deliveries WHERE \(isChosen) AND state IN ('queued', 'dead')
            AND ($3 IS NULL OR state = $3) ORDER BY key LIMIT $6)
        RETURNING \(EventDelivery.columns)
        """, .text, .text, .text, .integer, .text, .integer)

    static let removeEnded = Statement(
        "remove_ended_event_deliveries",
        """
        DELETE FROM event_deliveries WHERE key IN (
            SELECT key FROM event_deliveries WHERE state = $1 AND ended_at <= $2 ORDER BY ended_at LIMIT $3)
        RETURNING key
        """, .text, .integer, .integer)

    static let removeSequences = Statement(
        "remove_ended_event_sequences",
        """
        DELETE FROM event_sequences WHERE local_id IN (
            SELECT local_id FROM event_sequences WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2) RETURNING last
        """, .integer, .integer)

    static let backlog = Statement(
        "event_delivery_backlog",
        "SELECT state, count(*) FROM event_deliveries WHERE state IN ('queued', 'dead') GROUP BY state ORDER BY state")

    static let all = [
        backlog, subscriptions, logoutClient, liveSessions, nextSequence, insert, dueTargets, claim, settle,
        endOfTarget, list, replay, drop, removeEnded, removeSequences,
    ]
}

extension Store {
    /// The recipients with a due delivery.
    package func dueEventTargets(at now: Timestamp) async throws -> [EventTarget] {
        let rows = try await read { transaction in
            try transaction.run(EventStatements.dueTargets, .time(now), .time(now.advanced(by: Lease.longest)))
        }
        return try rows.map { row in
            var row = row
            return EventTarget(kind: try row.choice(EventTarget.Kind.self), id: try row.text())
        }
    }

    /// Takes the right to make the next attempt of a recipient's due deliveries, and counts the attempts. A user's events
    /// are claimed one after the other.
    ///
    /// - Parameters:
    ///   - claim: The broker, and how long no other may attempt them.
    ///   - target: The recipient.
    ///   - limit: How many at most.
    ///   - now: The moment.
    /// - Returns: The claimed ones, in their order.
    /// - Throws: ``StoreError``.
    package func claimDeliveries(
        _ claim: Withdrawal.Claim, of target: EventTarget, limit: Int, at now: Timestamp
    ) async throws -> [EventDelivery] {
        let answers = try await execute(
            Call(
                EventStatements.claim, .time(now), .time(now.advanced(by: Lease.longest)), .text(claim.holder),
                .time(claim.until), .text(target.id), .text(target.kind.rawValue), .limit(limit)))
        return try answers[0].map { try EventDelivery(reading: $0) }.sorted { $0.key < $1.key }
    }

    /// Writes the result of an attempt, and gives up the claim.
    ///
    /// - Parameters:
    ///   - delivery: The row as it was claimed.
    ///   - state: Its state after the attempt.
    ///   - reason: The result, for operators.
    ///   - nextAttempt: When it is due again; nil for a state that has no further attempt.
    ///   - now: The moment.
    /// - Returns: false if the claim was lost, or an operator ended the delivery meanwhile; then nothing was written.
    /// - Throws: ``StoreError``.
    package func settle(
        _ delivery: EventDelivery, as state: EventDelivery.State, reason: String?, nextAttempt: Timestamp?,
        at now: Timestamp
    ) async throws -> Bool {
        let answers = try await execute(
            Call(
                EventStatements.settle, .integer(delivery.key), .text(delivery.claim?.holder ?? ""),
                .integer(delivery.attempts), .text(state.rawValue), .text(orNull: reason),
                .time(orNull: state == .queued ? nextAttempt ?? now : nil), .time(orNull: state == .queued ? nil : now)
            ))
        return !answers[0].isEmpty
    }
}

/// The deliveries that an operator names.
package struct DeliverySelection: Sendable, Hashable {
    /// The event; nil for every event.
    package var eventID: String?
    /// The recipient's id; nil for every recipient.
    package var targetID: String?
    /// The state; nil for every state.
    package var state: EventDelivery.State?

    package init(eventID: String? = nil, targetID: String? = nil, state: EventDelivery.State? = nil) {
        self.eventID = eventID
        self.targetID = targetID
        self.state = state
    }

    fileprivate var values: [SQLValue] {
        [.text(orNull: eventID), .text(orNull: targetID), .text(orNull: state?.rawValue)]
    }
}

extension Transaction {
    /// The number of deliveries that wait, and of those that were abandoned.
    package func eventDeliveryBacklog() throws(StoreError) -> [(state: String, count: Int64)] {
        try run(EventStatements.backlog).map { row throws(StoreError) in
            var row = row
            return (try row.text(), try row.integer())
        }
    }

    /// Queues a delivery, in the transaction of what its event tells.
    package func insert(_ delivery: EventDelivery) throws(StoreError) {
        try run(EventStatements.insert, values: delivery.values)
    }

    /// The latest deliveries, oldest first.
    ///
    /// - Parameters:
    ///   - state: Only those of this state.
    ///   - target: Only those to this recipient.
    ///   - type: Only those of this type.
    ///   - localID: Only those of this user.
    ///   - moment: Only those that were queued first after this moment.
    ///   - limit: How many at most.
    /// - Returns: The rows.
    /// - Throws: ``StoreError``.
    package func deliveries(
        state: EventDelivery.State? = nil, target: String? = nil, type: String? = nil, localID: String? = nil,
        since moment: Timestamp? = nil, limit: Int
    ) throws(StoreError) -> [EventDelivery] {
        let first = moment.map(KeyGenerator.firstKey(after:)) ?? 0
        return try deliveries(
            run(
                EventStatements.list, .integer(first), .text(orNull: state?.rawValue), .text(orNull: target),
                .text(orNull: type), .text(orNull: localID), .limit(limit))
        ).reversed()
    }

    /// Makes deliveries due at once, ended ones too, with the whole time until they are dead.
    package func replayDeliveries(
        _ selection: DeliverySelection, limit: Int, at now: Timestamp
    ) throws(StoreError) -> [EventDelivery] {
        try deliveries(
            run(EventStatements.replay, values: selection.values + [.time(now), .limit(limit)]))
    }

    /// Ends queued and dead deliveries without another attempt.
    package func dropDeliveries(
        _ selection: DeliverySelection, reason: String, limit: Int, at now: Timestamp
    ) throws(StoreError) -> [EventDelivery] {
        try deliveries(
            run(EventStatements.drop, values: selection.values + [.time(now), .text(reason), .limit(limit)]))
    }

    /// Ends every queued delivery to a recipient.
    ///
    /// - Returns: How many there were.
    @discardableResult
    package func endDeliveries(
        to target: EventTarget, as state: EventDelivery.State, reason: String, at now: Timestamp
    ) throws(StoreError) -> Int {
        try run(
            EventStatements.endOfTarget, .text(target.kind.rawValue), .text(target.id), .text(state.rawValue),
            .text(reason), .time(now)
        ).count
    }

    /// Removes deliveries that ended in this state at `moment` or before, the earliest first.
    ///
    /// - Returns: How many went; less than `limit` when there are no more.
    package func removeDeliveries(
        _ state: EventDelivery.State, endedBy moment: Timestamp, limit: Int
    ) throws(StoreError) -> Int {
        try run(EventStatements.removeEnded, .text(state.rawValue), .time(moment), .limit(limit)).count
    }

    /// Forgets the sequence numbers of users who were deleted at `moment` or before.
    ///
    /// - Returns: How many went; less than `limit` when there are no more.
    package func removeEventSequences(endedBy moment: Timestamp, limit: Int) throws(StoreError) -> Int {
        try run(EventStatements.removeSequences, .time(moment), .limit(limit)).count
    }

    private func deliveries(_ rows: [Row]) throws(StoreError) -> [EventDelivery] {
        try rows.map { row throws(StoreError) in try EventDelivery(reading: row) }
    }
}
