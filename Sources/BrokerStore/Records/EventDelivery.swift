// Generated from `event_deliveries` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// An event on its way to one recipient.
package struct EventDelivery: Record {
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

    package init(
        key: Int64, eventID: String, target: EventTarget, type: String, localID: String, sequence: Int64,
        occurredAt: Timestamp, data: String, progress: QueueProgress<State>
    ) {
        self.key = key
        self.eventID = eventID
        self.target = target
        self.type = type
        self.localID = localID
        self.sequence = sequence
        self.occurredAt = occurredAt
        self.data = data
        self.progress = progress
    }
}

extension EventDelivery {
    package static let table = TableDefinition.eventDeliveries
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        eventID = try row.text()
        target = try EventTarget(reading: &row)
        type = try row.text()
        localID = try row.text()
        sequence = try row.integer()
        occurredAt = try row.time()
        data = try row.text()
        progress = try QueueProgress<State>(reading: &row)
    }

    package var values: [SQLValue] {
        [.integer(key), .text(eventID)]
            + target.values
            + [.text(type), .text(localID), .integer(sequence), .time(occurredAt), .text(data)]
            + progress.values
    }
}
