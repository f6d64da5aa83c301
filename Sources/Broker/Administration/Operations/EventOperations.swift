package import BrokerStore
package import ProviderKit

/// `events.list`: the latest deliveries of events.
package struct ListEvents: AdminOperation {
    private static let limits = DeclaredLimit("The maximum number of deliveries, 1 to 1000.", standard: 100)

    package static let declaration = OperationDeclaration(
        "events.list", "Lists the latest deliveries of events, oldest first, one for each recipient.", .readEvents,
        .reads,
        [
            .option(
                "state",
                "Only deliveries in this state: \(EventDelivery.State.allCases.map(\.rawValue).joined(separator: ", "))."
            ),
            .target,
            .option("type", "Only events of this type, such as user.created."),
            .option("user", "Only events of this user: a localId or an e-mail address.").of(.user),
            .option("since", "Only events after this moment, in milliseconds since 1970."),
            limits.argument,
        ], heading: "List the deliveries of events")

    let state: String?
    let target: String?
    let type: String?
    let user: String?
    let since: Int?
    let limit: Int?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "events": MemberText("The deliveries, oldest first.", schema: EventDelivery.listSchema),
            "now": "The broker's time in milliseconds since 1970.",
        ]

        package let events: [JSONObject]
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
        let limit = try Self.limits.checked(limit)
        if let type, UserEvent.Kind(rawValue: type) == nil {
            throw AdminFailure.unknown(type, for: "type", among: UserEvent.Kind.allCases.map(\.rawValue))
        }
        var localID: String?
        if let user { localID = try await call.admin.localID(inFilter: user) }
        let deliveries = try await call.admin.outbox.events.list(
            QueueSelection(
                [.target: target, .type: type, .user: localID],
                state: try state.map { try EventDelivery.State(parameter: $0) },
                since: since.map { Timestamp(milliseconds: Int64($0)) }), includesSettled: true, limit: limit)
        return Answer(
            events: deliveries.map(\.document), now: Int(clamping: call.admin.now.milliseconds))
    }
}

/// `events.replay`: delivers events once more.
package struct ReplayEvents: AdminOperation {
    package static let declaration = OperationDeclaration(
        "events.replay", "Queues an event's deliveries again, or every dead letter.", .writeEvents, .undoable,
        [
            .event,
            .target,
        ], heading: "Replay events")
    package typealias Answer = EventCount

    let event: String?
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
    package static let declaration = OperationDeclaration(
        "events.drop", "Drops an event's queued and dead deliveries, or every dead letter.", .writeEvents,
        .irreversible,
        [
            .event,
            .target,
        ], heading: "Drop deliveries of events")
    package typealias Answer = EventCount

    let event: String?
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
package struct EventCount: DescribedObject {
    package static let texts: [String: MemberText] = ["deliveries": "How many deliveries were changed."]

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

extension DeclaredArgument {
    fileprivate static let event = option("event", "The event's id; without one, every dead letter.")
    fileprivate static let target = option("target", "Only deliveries to the webhook or client with this id.")
}

extension EventDelivery {
    /// Of a list of deliveries.
    fileprivate static let listSchema: JSONObject = [
        "type": "array",
        "items": [
            "type": "object", "additionalProperties": false,
            "properties": [
                "event": ["type": "string", "description": "The id of the event."],
                "type": ["type": "string", "description": "The type of the event."],
                "at": ["type": "string", "format": "date-time", "description": "When it happened."],
                "localId": ["type": "string", "description": "The user it is about."],
                "target": ["type": "string", "description": "The webhook or client it is for."],
                "targetKind": ["type": "string", "description": "The kind of the target."],
                "state": [
                    "enum": .array(State.allCases.map(\.rawValue).map(JSONValue.string)),
                    "description": "What became of the delivery.",
                ],
                "attempts": ["type": "integer", "description": "The attempts so far."],
                "data": ["description": "The message's data."],
                "sequence": ["type": "integer", "description": "Its place among the messages of the webhook."],
                "reason": ["type": "string", "description": "The reason of the last failure."],
                "nextAttemptAt": [
                    "type": "string", "format": "date-time", "description": "When it is attempted next.",
                ],
                "endedAt": ["type": "string", "format": "date-time", "description": "When it ended."],
            ],
            "required": ["event", "type", "at", "localId", "target", "targetKind", "state", "attempts", "data"],
        ],
    ]
}
