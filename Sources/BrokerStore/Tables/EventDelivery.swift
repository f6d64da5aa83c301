/// The recipient of a delivery.
package struct EventTarget: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A backend that gets events.
        case webhook
        /// An OAuth client that gets logout tokens.
        case client
    }

    package let kind: Kind
    package let id: String

    package static func webhook(_ id: String) -> EventTarget { EventTarget(kind: .webhook, id: id) }
    package static func client(_ id: String) -> EventTarget { EventTarget(kind: .client, id: id) }
}

/// An event on its way to one recipient.
package struct EventDelivery: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Waits for its next attempt.
        case queued
        case delivered
        /// Abandoned after the configured time, or because the recipient is gone.
        case dead
        /// Not to be delivered any more; ``EventDelivery/reason`` says why.
        case dropped
    }

    /// Private, time-ordered.
    package var key: Int64
    /// The event's id, the same for every recipient and every attempt.
    package var eventID: String
    package var target: EventTarget
    /// The event's type.
    package var type: String
    package var localID: String
    /// The number of the event among those of its user; 0 for a client's.
    package var sequence: Int64
    package var occurredAt: Timestamp
    /// The event's `data`, a JSON object as text.
    package var data: String
    package var state: State
    /// The result of the last attempt, or the reason of the state, for operators.
    package var reason: String?
    package var attempts: Int64
    /// When it was queued last, by its event or by an operator; its time as a dead letter counts from here.
    package var queuedAt: Timestamp
    /// When it is due; nil once it ended.
    package var nextAttemptAt: Timestamp?
    package var claim: Withdrawal.Claim?
    package var endedAt: Timestamp?

    /// A delivery that is due at once.
    package init(
        key: Int64, eventID: String, target: EventTarget, type: String, localID: String, sequence: Int64,
        occurredAt: Timestamp, data: String
    ) {
        self.key = key
        self.eventID = eventID
        self.target = target
        self.type = type
        self.localID = localID
        self.sequence = sequence
        self.occurredAt = occurredAt
        self.data = data
        state = .queued
        attempts = 0
        queuedAt = occurredAt
        nextAttemptAt = occurredAt
    }
}

extension EventDelivery {
    /// All columns, in the order in which `init(reading:)` and ``values`` have them.
    static let columns = """
        key, event_id, target_kind, target_id, type, local_id, sequence, occurred_at, data, state, reason, attempts, \
        queued_at, next_attempt_at, lease_holder, lease_until, ended_at
        """

    init(reading row: Row) throws(StoreError) {
        var row = row
        key = try row.integer()
        eventID = try row.text()
        target = EventTarget(kind: try row.choice(EventTarget.Kind.self), id: try row.text())
        type = try row.text()
        localID = try row.text()
        sequence = try row.integer()
        occurredAt = try row.time()
        data = try row.text()
        state = try row.choice(State.self)
        reason = try row.optionalText()
        attempts = try row.integer()
        queuedAt = try row.time()
        nextAttemptAt = try row.optionalTime()
        let (holder, until) = (try row.optionalText(), try row.optionalTime())
        claim = holder.flatMap { holder in until.map { .init(holder: holder, until: $0) } }
        endedAt = try row.optionalTime()
    }

    var values: [SQLValue] {
        [
            .integer(key), .text(eventID), .text(target.kind.rawValue), .text(target.id), .text(type), .text(localID),
            .integer(sequence), .time(occurredAt), .text(data), .text(state.rawValue), .text(orNull: reason),
            .integer(attempts), .time(queuedAt), .time(orNull: nextAttemptAt), .text(orNull: claim?.holder),
            .time(orNull: claim?.until), .time(orNull: endedAt),
        ]
    }
}
