package import BrokerStore
import Logging
import ProviderKit

/// The outbox of events for webhooks and of logout tokens for clients (Docs/Decisions/0036-events-and-deliveries.md):
/// transactions queue them, ``EventWorker`` delivers them, administrators see and change the rest.
package struct Events: StoreLayer {
    package let stored: StoreContext
    package let webhooks: Webhooks
    let logoutTokens: LogoutTokens
    let sender: EventSender

    /// How many deliveries one transaction of an administrator changes.
    static let batch = 200

    /// Makes deliveries due at once, those that were delivered or abandoned too, with the whole time until they are
    /// abandoned.
    ///
    /// - Returns: How many there were.
    package func replay(_ selection: QueueSelection<EventDelivery>, origin: Origin) async throws -> Int {
        // A dead letter that is queued again is none any more, so each batch finds others.
        try await change(selection, "event.replayed", origin) { transaction in
            try transaction.retry(selection, limit: Self.batch, at: transaction.now)
        }
    }

    /// Ends queued and dead deliveries without another attempt.
    ///
    /// - Returns: How many there were.
    package func drop(_ selection: QueueSelection<EventDelivery>, origin: Origin) async throws -> Int {
        try await change(selection, "event.dropped", origin) { transaction in
            try transaction.drop(
                selection, reason: "dropped by an administrator", limit: Self.batch, at: transaction.now)
        }
    }

    private func change(
        _ selection: QueueSelection<EventDelivery>, _ event: String, _ origin: Origin,
        _ body: @escaping @Sendable (borrowing Transaction) throws -> [EventDelivery]
    ) async throws -> Int {
        var count = 0
        while true {
            let changed = try await write(by: origin) { transaction in
                let changed = try body(transaction)
                guard !changed.isEmpty else { return 0 }
                var detail: JSONObject = ["deliveries": .integer(Int64(changed.count))]
                detail["event"] = selection.fields[.event].map(JSONValue.string)
                detail["target"] = selection.fields[.target].map(JSONValue.string)
                try transaction.audit(event, of: nil, detail: detail)
                return changed.count
            }
            count += changed
            guard changed == Self.batch, selection.fields[.event] == nil else { return count }
        }
    }
}

/// Delivers queued events to webhooks and logout tokens to clients. A second attempt at a delivery has the same id.
typealias EventWorker = QueueWorker<Events>

extension Events: QueuedWork {
    static let service = "Events"
    static let failure: Logger.Message = "event deliveries failed"
    static let pace = QueuePace(
        interval: .seconds(1), claimDuration: .seconds(20), batch: 16, batchesPerRound: 16, waitsAfterFailure: true,
        backoff: RetryBackoff(first: .seconds(5), longest: .seconds(3600)))

    /// Webhooks and administrators' changes are recorded; deliveries are not.
    var audit: (@Sendable (String, EventDelivery, String?, borrowing Transaction) throws -> Void)? { nil }

    func prepareLook() async throws { try await store.refreshEventSubscriptions() }

    /// The recipient as it is now.
    func prepare(for target: EventTarget) async throws -> EventRecipient {
        switch target.kind {
        case .webhook: return try await webhooks.recipient(target.id)
        case .client:
            guard let client = try await store.read({ try $0.client(id: target.id) }) else {
                return .removed("the client was removed")
            }
            guard let uri = client.backChannelLogout?.uri else {
                return .removed("the client has no backchannel_logout_uri any more")
            }
            return .client(client, uri: uri)
        }
    }

    func attempt(_ delivery: EventDelivery, _ recipient: EventRecipient) async -> AttemptResult {
        await deliver(delivery, to: recipient)
    }

    func unsubscribe(_ target: EventTarget, reason: String) async throws {
        try await webhooks.disable(target.id, reason: reason, origin: Origin(.system))
    }

    func message(of state: EventDelivery.State) -> (level: Logger.Level, text: Logger.Message) {
        switch state {
        case .delivered: (.debug, "event delivered")
        case .dropped: (.notice, "event dropped")
        case .queued: (.info, "event not delivered; it is repeated")
        case .dead: (.error, "event abandoned")
        }
    }

    func metadata(of delivery: EventDelivery) -> Logger.Metadata {
        [
            "event": "\(delivery.eventID)", "type": "\(delivery.type)",
            "\(delivery.target.kind)": "\(delivery.target.id)",
        ]
    }
}
