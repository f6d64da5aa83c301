import Synchronization

/// The recipients of events, as the store has them.
package struct EventSubscriptions: Sendable, Hashable {
    /// The kinds of the enabled webhooks, by their ids.
    var kinds: [String: Set<UserEvent.Kind>] = [:]
    /// Whether a client has a `backchannel_logout_uri`.
    var hasLogoutClients = false

    func includes(_ kind: UserEvent.Kind) -> Bool {
        kind == .sessionRevoked && hasLogoutClients || kinds.values.contains { $0.contains(kind) }
    }

    func webhooks(to kind: UserEvent.Kind) -> [String] {
        kinds.filter { $0.value.contains(kind) }.keys.sorted()
    }
}

/// The recipients of events as this process knows them, so that a change without a subscriber costs no read.
///
/// Recipients are cached for ``lifetime``: a broker notices a webhook that another one added after that time.
/// A change that may have a subscriber reads the recipients again, in its transaction.
package final class EventSubscribers: Sendable {
    private struct Known {
        let subscriptions: EventSubscriptions
        let readAt: ContinuousClock.Instant
    }

    private let known = Mutex<Known?>(nil)

    /// How long a read counts.
    static let lifetime = Duration.seconds(5)

    /// Whether there may be a recipient of this kind.
    func mayInclude(_ kind: UserEvent.Kind) -> Bool {
        known.withLock { known in
            guard let known, known.readAt + Self.lifetime > .now else { return true }
            return known.subscriptions.includes(kind)
        }
    }

    /// Remembers what a read that began at `moment` has found.
    func adopt(_ subscriptions: EventSubscriptions, readAt moment: ContinuousClock.Instant) {
        known.withLock { known in
            if let known, known.readAt > moment { return }
            known = Known(subscriptions: subscriptions, readAt: moment)
        }
    }

    /// Forgets what was read, after a change of this process.
    func forget() { known.withLock { $0 = nil } }
}

extension Store {
    /// Reads the recipients of events, so that transactions need not.
    package func refreshEventSubscriptions() async throws {
        try await read { _ = try $0.eventSubscriptions() }
    }

    /// Makes the next change read the recipients of events, after they were changed here.
    package func forgetEventSubscriptions() { subscribers.forget() }
}

extension Transaction {
    /// The recipients of events.
    @discardableResult
    func eventSubscriptions() throws(StoreError) -> EventSubscriptions {
        let moment = ContinuousClock.now
        var result = EventSubscriptions()
        // One row for every enabled webhook, and one without an id if a client gets logout tokens.
        let recipients = try rows(
            "event_subscriptions",
            """
            SELECT id, events FROM webhooks WHERE disabled_at IS NULL
            UNION ALL SELECT '', '' WHERE EXISTS (SELECT 1 FROM clients WHERE backchannel_logout_uri IS NOT NULL)
            """
        ) { row throws(StoreError) in (id: try row.text(), events: try row.text()) }
        for (id, events) in recipients {
            if id.isEmpty { result.hasLogoutClients = true } else { result.kinds[id] = Webhook.kinds(in: events) }
        }
        subscribers.adopt(result, readAt: moment)
        return result
    }
}
