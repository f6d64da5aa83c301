package import BrokerStore
import Foundation
import ProviderKit

/// The outbox of events for webhooks and of logout tokens for clients (Docs/Decisions/0036-events-and-deliveries.md):
/// transactions queue them, ``EventWorker`` delivers them, administrators see and change the rest.
package struct Events: Sendable {
    let store: Store
    package let webhooks: Webhooks
    let attempt: EventAttempt
    let now: @Sendable () -> Date

    init(
        store: Store, webhooks: Webhooks, logoutTokens: LogoutTokens, sender: EventSender,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.webhooks = webhooks
        attempt = EventAttempt(sender: sender, logoutTokens: logoutTokens, now: now)
        self.now = now
    }

    /// How many deliveries one transaction of an administrator changes.
    static let batch = 200

    /// The latest deliveries, oldest first.
    ///
    /// - Parameters:
    ///   - state: Only those of this state.
    ///   - target: Only those to this webhook or client.
    ///   - type: Only those of this type.
    ///   - localID: Only those of this user.
    ///   - moment: Only those after this moment.
    ///   - limit: How many at most.
    /// - Returns: The deliveries.
    /// - Throws: A store's error.
    package func list(
        state: EventDelivery.State? = nil, target: String? = nil, type: String? = nil, localID: String? = nil,
        since moment: Timestamp? = nil, limit: Int
    ) async throws -> [EventDelivery] {
        try await store.read {
            try $0.deliveries(
                state: state, target: target, type: type, localID: localID, since: moment, limit: limit)
        }
    }

    /// Makes deliveries due at once, those that were delivered or abandoned too, with the whole time until they are
    /// abandoned.
    ///
    /// - Returns: How many there were.
    package func replay(_ selection: DeliverySelection, origin: Origin) async throws -> Int {
        // A dead letter that is queued again is none any more, so each batch finds others.
        try await change(selection, "event.replayed", origin) { transaction in
            try transaction.replayDeliveries(selection, limit: Self.batch, at: transaction.now)
        }
    }

    /// Ends queued and dead deliveries without another attempt.
    ///
    /// - Returns: How many there were.
    package func drop(_ selection: DeliverySelection, origin: Origin) async throws -> Int {
        try await change(selection, "event.dropped", origin) { transaction in
            try transaction.dropDeliveries(
                selection, reason: "dropped by an administrator", limit: Self.batch, at: transaction.now)
        }
    }

    private func change(
        _ selection: DeliverySelection, _ event: String, _ origin: Origin,
        _ write: @escaping @Sendable (borrowing Transaction) throws -> [EventDelivery]
    ) async throws -> Int {
        var count = 0
        while true {
            let changed = try await store.write(at: Timestamp(now()), by: origin) { transaction in
                let changed = try write(transaction)
                guard !changed.isEmpty else { return 0 }
                var detail: JSONObject = ["deliveries": .integer(Int64(changed.count))]
                detail["event"] = selection.eventID.map(JSONValue.string)
                detail["target"] = selection.targetID.map(JSONValue.string)
                try transaction.audit(event, of: nil, detail: detail)
                return changed.count
            }
            count += changed
            guard changed == Self.batch, selection.eventID == nil else { return count }
        }
    }

    /// The recipient as it is now.
    func recipient(_ target: EventTarget) async throws -> EventRecipient {
        switch target.kind {
        case .webhook: return try await webhooks.recipient(target.id)
        case .client:
            guard let client = try await store.read({ try $0.client(id: target.id) }) else {
                return .gone(.dropped, "the client was removed")
            }
            guard let uri = client.backChannelLogout?.uri else {
                return .gone(.dropped, "the client has no backchannel_logout_uri any more")
            }
            return .client(client, uri: uri)
        }
    }
}
