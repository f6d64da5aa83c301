import BrokerStore
import Logging
import Synchronization

/// Whether the store accepts writes, as the last background probe found: a load balancer's request costs no write, and a full
/// disk is reported.
final class Readiness: Sendable {
    private struct Finding {
        let isReady: Bool
        let at: ContinuousClock.Instant
    }

    private let store: Store
    /// Between two probes while the store takes writes.
    let interval: Duration
    /// Between two probes while it takes none: a load balancer learns of its return at once.
    private static let retryInterval = Duration.milliseconds(250)
    private let last = Mutex<Finding?>(nil)

    init(store: Store, interval: Duration) {
        self.store = store
        self.interval = interval
    }

    /// The result of the last probe; `false` before the first, and when later ones do not return.
    var isReady: Bool {
        guard let last = last.withLock(\.self) else { return false }
        return last.isReady && ContinuousClock.now - last.at <= interval * 3
    }

    /// The time until the next probe.
    var nextInterval: Duration { isReady ? interval : min(interval, Self.retryInterval) }

    /// Writes to the store and records the result; a change is logged.
    func probe() async {
        do {
            try await store.ping()
            if note(true) { Logger.current.notice("the store takes writes again") }
        } catch {
            guard note(false) else { return }
            Logger.current.error("the store takes no writes; not ready until it does", metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: Whether that is another finding than the one before.
    private func note(_ isReady: Bool) -> Bool {
        last.withLock { last in
            defer { last = Finding(isReady: isReady, at: .now) }
            return last?.isReady ?? true != isReady
        }
    }
}
