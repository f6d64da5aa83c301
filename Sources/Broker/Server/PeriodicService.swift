import Logging
import ServiceLifecycle

/// Work that a running server repeats at an interval until it shuts down.
struct PeriodicService<State: Sendable>: Service, CustomStringConvertible {
    /// The lifecycle's log names services by this.
    let description: String
    let interval: Duration
    /// The time until the next run, where it depends on the last one; the interval otherwise.
    var nextInterval: (@Sendable () -> Duration)?
    /// Whether the first run waits for no interval.
    var startsAtOnce = false
    /// The value that one run passes to the next.
    let state: State
    /// An error stops the server.
    let work: @Sendable (inout State) async throws -> Void
    /// Runs once at the shutdown.
    var end: @Sendable (State) async -> Void = { _ in }

    func run() async throws {
        let metrics = WorkerMetrics(worker: description)
        let last = try await cancelWhenGracefulShutdown {
            var state = state
            if startsAtOnce { try await metrics.turn { try await work(&state) } }
            while (try? await Task.sleep(for: nextInterval?() ?? interval)) != nil {
                try await metrics.turn { try await work(&state) }
            }
            return state
        }
        await end(last)
    }
}

extension PeriodicService where State == Void {
    init(
        _ description: String, every interval: Duration, startsAtOnce: Bool = false,
        _ work: @escaping @Sendable () async -> Void
    ) {
        self.init(
            description: description, interval: interval, startsAtOnce: startsAtOnce, state: (),
            work: { _ in await work() })
    }
}

extension PeriodicService {
    /// Work on the store with a value that each run hands to the next. Its first failure in a row is logged: the others are
    /// the same outage.
    init<Value: Sendable>(
        _ description: String, every interval: Duration, startsAtOnce: Bool = false, failure: Logger.Message,
        from value: Value, _ work: @escaping @Sendable (inout Value) async throws -> Void,
        end: @escaping @Sendable () async -> Void = {}
    ) where State == (value: Value, hasFailed: Bool) {
        self.init(
            description: description, interval: interval, startsAtOnce: startsAtOnce, state: (value, false),
            work: { state in
                do {
                    try await work(&state.value)
                    state.hasFailed = false
                } catch {
                    WorkerMetrics.failed()
                    if !state.hasFailed { Logger.current.error(failure, metadata: ["error": "\(error)"]) }
                    state.hasFailed = true
                }
            }, end: { _ in await end() })
    }

    /// The same without a value.
    init(
        _ description: String, every interval: Duration, startsAtOnce: Bool = false, failure: Logger.Message,
        _ work: @escaping @Sendable () async throws -> Void, end: @escaping @Sendable () async -> Void = {}
    ) where State == (value: Void, hasFailed: Bool) {
        self.init(
            description, every: interval, startsAtOnce: startsAtOnce, failure: failure, from: (),
            { _ in try await work() }, end: end)
    }
}
