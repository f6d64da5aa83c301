import NIOCore
import Synchronization

/// Keeps one slow or dead provider from taking the broker with it: a bound on the requests that wait for it, and a
/// pause of five seconds after ten failures in a row, during which one request tries whether it is back.
///
/// How many connections a provider gets is the HTTP client's business; it queues the rest.
final class UpstreamGate: Sendable {
    private struct State {
        var open = 0
        var failuresInARow = 0
        var pausedUntil: NIODeadline?
    }

    private let state = Mutex(State())

    static let maximumOpen = 256
    static let failuresBeforePause = 10
    static let pause = TimeAmount.seconds(5)

    /// Whether a request may go out now; one that may has to ``leave(failed:at:)``.
    func enter(at now: NIODeadline) -> Bool {
        state.withLock { state in
            guard state.open < Self.maximumOpen else { return false }
            if let until = state.pausedUntil {
                guard now >= until else { return false }
                // One request tries; the others wait for its outcome.
                state.pausedUntil = now + Self.pause
            }
            state.open += 1
            return true
        }
    }

    /// How a request ended, as far as it tells about the provider.
    enum Outcome {
        case answered, failed
        /// Given up from our side: it says nothing about the provider.
        case abandoned
    }

    func leave(_ outcome: Outcome, at now: NIODeadline) {
        state.withLock { state in
            state.open -= 1
            guard outcome != .abandoned else { return }
            guard outcome == .failed else {
                state.failuresInARow = 0
                state.pausedUntil = nil
                return
            }
            state.failuresInARow = min(state.failuresInARow + 1, Self.failuresBeforePause)
            if state.failuresInARow == Self.failuresBeforePause { state.pausedUntil = now + Self.pause }
        }
    }
}
