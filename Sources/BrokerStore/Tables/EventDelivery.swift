/// The recipient of a delivery.
package struct EventTarget: QueueRecipient {
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

extension EventTarget {
    package init(reading row: inout Row) throws(StoreError) {
        kind = try row.choice(Kind.self)
        id = try row.text()
    }

    package var values: [SQLValue] { [.text(kind.rawValue), .text(id)] }
}

/// An event on its way to one recipient.
package struct EventDelivery: QueueRow {
    package typealias Recipient = EventTarget

    package enum State: String, QueueState {
        /// Waits for its next attempt.
        case queued
        case delivered
        /// Abandoned after the configured time, or because the recipient is gone.
        case dead
        /// Not to be delivered any more; ``QueueProgress/reason`` says why.
        case dropped

        package static var done: State { .delivered }
        package static var parked: State { .dead }
    }

    package enum Field: String, QueueField {
        case event = "event_id"
        case target = "target_id"
        case type
        case user = "local_id"
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
    package var progress: QueueProgress<State>

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
        progress = QueueProgress(queuedAt: occurredAt)
    }
}

extension EventDelivery {
    /// A user's events are claimed one after the other.
    package static let queue = QueueTable<EventDelivery>(
        .eventDeliveries, recipient: ["target_kind", "target_id"], due: "ended_at IS NULL",
        eligible: """
            NOT EXISTS (SELECT 1 FROM event_deliveries AS earlier
                WHERE earlier.target_id = due.target_id AND earlier.local_id = due.local_id
                    AND earlier.sequence < due.sequence AND earlier.ended_at IS NULL)
            """,
        retryable: State.allCases, retrying: "attempts = CASE WHEN ended_at IS NULL THEN attempts ELSE 0 END",
        listsLatest: true)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        eventID = try row.text()
        target = try EventTarget(reading: &row)
        type = try row.text()
        localID = try row.text()
        sequence = try row.integer()
        occurredAt = try row.time()
        data = try row.text()
        progress = try QueueProgress(reading: &row)
    }

    package var values: [SQLValue] {
        [.integer(key), .text(eventID)] + target.values + [
            .text(type), .text(localID), .integer(sequence), .time(occurredAt), .text(data),
        ] + progress.values
    }
}
