import BrokerClient
import Foundation
import Synchronization

/// A clock that a test sets. Sleeping advances it, or lasts until the test ends it.
final class TestClock: Sendable {
    private struct State {
        var now = Date()
        var slept: [Duration] = []
        var sleepers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let advances: Bool

    /// - Parameter advances: Whether sleeping takes no time but the clock's.
    init(advances: Bool = false) { self.advances = advances }

    var now: Date { state.withLock { $0.now } }
    var slept: [Duration] { state.withLock { $0.slept } }

    func advance(by seconds: TimeInterval) { state.withLock { $0.now += seconds } }

    /// Ends all sleeps.
    func wake() {
        for sleeper in state.withLock({ state in
            defer { state.sleepers = [] }
            return state.sleepers
        }) { sleeper.resume() }
    }

    func sleep(_ duration: Duration) async throws {
        state.withLock { state in
            state.slept.append(duration)
            if advances { state.now += TimeInterval(duration.components.seconds) }
        }
        guard !advances else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in state.withLock { $0.sleepers.append(sleeper) } }
        } onCancel: {
            wake()
        }
        try Task.checkCancellation()
    }

    var environment: ClientEnvironment {
        ClientEnvironment(
            now: { [self] in now }, sleep: { [self] in try await sleep($0) }, random: { 1 })
    }
}
