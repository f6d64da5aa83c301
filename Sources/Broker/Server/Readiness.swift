import BrokerStore
import Logging
import Synchronization

/// Whether the store serves and takes writes, as a probe in the background last found it: a load balancer's question
/// costs no write, and a full disk is an answer.
final class Readiness: Sendable {
    private struct Finding {
        let isReady: Bool
        let at: ContinuousClock.Instant
    }

    private let store: Store
    /// Between two probes.
    let interval: Duration
    private let last = Mutex<Finding?>(nil)

    init(store: Store, interval: Duration) {
        self.store = store
        self.interval = interval
    }

    /// What the last probe found; `false` before the first, and when the next ones do not come back.
    var isReady: Bool {
        guard let last = last.withLock(\.self) else { return false }
        return last.isReady && ContinuousClock.now - last.at <= interval * 3
    }

    /// Writes to the store and stores the result; a change is logged.
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
