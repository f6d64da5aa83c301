import Foundation
import JOSE
import Logging
import Synchronization

/// The keys of one kind of token: fetched when they are first needed, and again when they are old or a token names an
/// unknown one.
///
/// At most one fetch runs, for everyone who waits. Keys stay usable while the broker is out of reach, up to a bound.
final class KeyCache: Sendable {
    let source: KeySource
    private let options: BrokerTokens.Options
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    private struct State {
        var current: FetchedKeys?
        var lastAttempt: Date?
        var running: Task<Void, Never>?
    }

    private enum Step {
        case use(IssuerKeys)
        case wait(Task<Void, Never>)
        case refuse(retryAfter: Int)
    }

    /// Seconds between two fetches while there are no usable keys.
    private static let coldInterval = 5.0
    /// Seconds after which keys whose document may not be kept are fetched again.
    private static let minimumLifetime = 60

    init(
        _ source: KeySource, _ options: BrokerTokens.Options, _ logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        self.source = source
        self.options = options
        self.logger = logger
        self.now = now
    }

    /// The keys, fetched if they are due.
    ///
    /// - Throws: ``BrokerAuthRefusal/unavailable(retryAfter:)``.
    func keys() async throws(BrokerAuthRefusal) -> IssuerKeys { try await keys(renewed: false) }

    /// The keys after a fetch for a token that names an unknown one, unless the last fetch was less than the interval ago.
    ///
    /// - Throws: ``BrokerAuthRefusal/unavailable(retryAfter:)``.
    func renewedKeys() async throws(BrokerAuthRefusal) -> IssuerKeys { try await keys(renewed: true) }

    private func keys(renewed: Bool) async throws(BrokerAuthRefusal) -> IssuerKeys {
        switch step(renewed: renewed) {
        case .use(let keys): return keys
        case .refuse(let seconds): throw .unavailable(retryAfter: seconds)
        case .wait(let task): await task.value
        }
        // Once only: whatever the fetch has brought is used.
        guard let keys = state.withLock({ usable($0.current, at: now()) }) else {
            throw .unavailable(retryAfter: Int(Self.coldInterval))
        }
        return keys
    }

    private func step(renewed: Bool) -> Step {
        let now = now()
        return state.withLock { state in
            if !renewed, let current = state.current, isFresh(current, at: now) { return .use(current.keys) }
            if let running = state.running { return .wait(running) }
            let usable = usable(state.current, at: now)
            let interval = usable == nil ? Self.coldInterval : options.refetchInterval.seconds
            if let last = state.lastAttempt, case let elapsed = now.timeIntervalSince(last), 0..<interval ~= elapsed {
                if let usable { return .use(usable) }
                return .refuse(retryAfter: max(1, Int((interval - elapsed).rounded(.up))))
            }
            state.lastAttempt = now
            let task = Task { [previous = state.current] in await fetch(previous) }
            state.running = task
            return .wait(task)
        }
    }

    private func fetch(_ previous: FetchedKeys?) async {
        do {
            let fetched = try await FetchedKeys(
                from: source, BrokerConnection(timeout: options.requestTimeout), previous: previous, at: now())
            state.withLock { ($0.current, $0.running) = (fetched, nil) }
        } catch {
            state.withLock { $0.running = nil }
            logger.warning(
                "fetch of the broker's keys failed; keeping the previous ones",
                metadata: ["url": "\(source.discoveryURL)", "error": "\(error)"])
        }
    }

    /// A clock that was set back ends the life of keys: their age is unknown then.
    private func isFresh(_ keys: FetchedKeys, at now: Date) -> Bool {
        let lifetime = min(max(Double(keys.lifetime), Double(Self.minimumLifetime)), options.maximumKeyLifetime.seconds)
        return 0..<lifetime ~= now.timeIntervalSince(keys.fetchedAt)
    }

    private func usable(_ keys: FetchedKeys?, at now: Date) -> IssuerKeys? {
        guard let keys, now.timeIntervalSince(keys.fetchedAt) < options.maximumOutage.seconds else { return nil }
        return keys.keys
    }
}

extension Duration {
    /// The whole and the fractional seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
