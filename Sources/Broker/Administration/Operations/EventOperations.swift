package import BrokerStore
package import ProviderKit

/// `events.list`: the latest deliveries of events.
package struct ListEvents: AdminOperation {
    package static let name = "events.list"
    package static let summary = "Lists the latest deliveries of events, oldest first, one for each recipient."
    package static let scope: AdminScope? = .readEvents
    package static let pageSize = 100

    /// Only deliveries in this state: queued, delivered, dead or dropped.
    let state: String?
    /// Only deliveries to the webhook or client with this id.
    let target: String?
    /// Only events of this type.
    let type: String?
    /// Only events of the user with this localId.
    let user: String?
    /// Only events after this moment, in milliseconds since 1970.
    let since: Int?
    /// The maximum number, 1 to 1000.
    let limit: Int?

    package struct Answer: Codable, Sendable {
        package let events: [JSONObject]
        /// The broker's time in milliseconds since 1970.
        package let now: Int
    }

    package init(
        state: EventDelivery.State? = nil, target: String? = nil, type: String? = nil, user: String? = nil,
        since: Int? = nil, limit: Int? = nil
    ) {
        self.state = state?.rawValue
        self.target = target
        self.type = type
        self.user = user
        self.since = since
        self.limit = limit
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = limit ?? Self.pageSize
        guard (1...1000).contains(limit) else { throw AdminFailure.parameter("limit", "takes 1 to 1000") }
        let deliveries = try await call.admin.outbox.events.list(
            QueueSelection(
                [.target: target, .type: type, .user: user],
                state: try state.map { try EventDelivery.State(parameter: $0) },
                since: since.map { Timestamp(milliseconds: Int64($0)) }), includesSettled: true, limit: limit)
        return Answer(
            events: deliveries.map(\.document), now: Int(clamping: call.admin.now.milliseconds))
    }
}

/// `events.replay`: delivers events once more.
package struct ReplayEvents: AdminOperation {
    package static let name = "events.replay"
    package static let summary = "Queues an event's deliveries again, or every dead letter."
    package static let scope: AdminScope? = .writeEvents
    package typealias Answer = EventCount

    /// The event; without one, every dead letter.
    let event: String?
    /// Only deliveries to the webhook or client with this id.
    let target: String?

    package init(event: String?, target: String?) {
        self.event = event
        self.target = target
    }

    package func run(for call: AdminCall) async throws -> EventCount {
        let selection = QueueSelection<EventDelivery>(event: event, target: target)
        return try EventCount(
            try await call.admin.outbox.events.replay(selection, origin: call.origin), of: selection)
    }
}

/// `events.drop`: gives deliveries up.
package struct DropEvents: AdminOperation {
    package static let name = "events.drop"
    package static let summary = "Drops an event's queued and dead deliveries, or every dead letter."
    package static let scope: AdminScope? = .writeEvents
    package typealias Answer = EventCount

    /// The event; without one, every dead letter.
    let event: String?
    /// Only deliveries to the webhook or client with this id.
    let target: String?

    package init(event: String?, target: String?) {
        self.event = event
        self.target = target
    }

    package func run(for call: AdminCall) async throws -> EventCount {
        let selection = QueueSelection<EventDelivery>(event: event, target: target)
        return try EventCount(try await call.admin.outbox.events.drop(selection, origin: call.origin), of: selection)
    }
}

/// How many deliveries were changed.
package struct EventCount: Codable, Sendable {
    package let deliveries: Int

    /// - Throws: ``AdminFailure`` when a named event has no such delivery.
    fileprivate init(_ count: Int, of selection: QueueSelection<EventDelivery>) throws(AdminFailure) {
        guard count > 0 || selection.fields[.event] == nil else {
            throw AdminFailure(
                code: "EVENT_NOT_FOUND",
                "no delivery of this event can be changed: broker events list shows the stored ones")
        }
        deliveries = count
    }
}

extension QueueSelection<EventDelivery> {
    /// An event's deliveries, or every dead letter.
    fileprivate init(event: String?, target: String?) {
        self.init([.event: event, .target: target], state: event == nil ? .dead : nil)
    }
}

extension EventDelivery.State {
    fileprivate init(parameter text: String) throws(AdminFailure) {
        guard let state = Self(rawValue: text) else {
            throw AdminFailure.parameter(
                "state", "takes " + Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self = state
    }
}

extension EventDelivery {
    /// The delivery for answers.
    fileprivate var document: JSONObject {
        var object: JSONObject = [
            "event": .string(eventID), "type": .string(type), "at": .string(occurredAt.text),
            "localId": .string(localID), "target": .string(target.id), "targetKind": .string(target.kind.rawValue),
            "state": .string(state.rawValue), "attempts": .integer(attempts),
            "data": (try? JSONValue(parsing: Array(data.utf8))) ?? .object(JSONObject()),
        ]
        if target.kind == .webhook { object["sequence"] = .integer(sequence) }
        object["reason"] = reason.map(JSONValue.string)
        object["nextAttemptAt"] = nextAttemptAt.map { .string($0.text) }
        object["endedAt"] = endedAt.map { .string($0.text) }
        return object
    }
}
