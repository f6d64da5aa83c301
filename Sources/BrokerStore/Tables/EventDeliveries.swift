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

extension EventDelivery: QueueRow {
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

    /// A user's events are claimed one after the other.
    package static let queue = QueueTable<EventDelivery>(
        recipient: ["target_kind", "target_id"], due: "ended_at IS NULL",
        eligible: """
            NOT EXISTS (SELECT 1 FROM event_deliveries AS earlier
                WHERE earlier.target_id = due.target_id AND earlier.local_id = due.local_id
                    AND earlier.sequence < due.sequence AND earlier.ended_at IS NULL)
            """,
        retryable: State.allCases, retrying: "attempts = CASE WHEN ended_at IS NULL THEN attempts ELSE 0 END",
        listsLatest: true)

    /// A delivery that is due at once.
    package init(
        key: Int64, eventID: String, target: EventTarget, type: String, localID: String, sequence: Int64,
        occurredAt: Timestamp, data: String
    ) {
        self.init(
            key: key, eventID: eventID, target: target, type: type, localID: localID, sequence: sequence,
            occurredAt: occurredAt, data: data, progress: QueueProgress(queuedAt: occurredAt))
    }
}
