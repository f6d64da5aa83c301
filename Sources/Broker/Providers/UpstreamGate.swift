import NIOCore
import ProviderKit
import Synchronization

/// The circuit breaker of one entry: a bound on its open requests of each step, so that an endpoint that hangs leaves the
/// others alone, and a pause of five seconds for an origin that is down.
///
/// Ten failures in a row cause a probe, a request that carries nothing of a caller's. Only a failed probe opens the
/// breaker, so no credential can switch a provider off. After the pause another probe decides whether it closes. How
/// many connections a provider gets is the HTTP client's business; it queues the rest.
final class UpstreamGate: Sendable {
    /// Scheme, host and port (RFC 6454 §4), such as `https://id.example:443`.
    typealias Origin = String

    private struct Health {
        var failuresInARow = 0
        var pausedUntil: NIODeadline?
        var isProbing = false
    }

    private struct State {
        var open: [ProviderError.Step: Int] = [:]
        var health: [Origin: Health] = [:]
    }

    private let state = Mutex(State())
    private let probeURL = Mutex<String?>(nil)

    /// Open requests of one step.
    static let maximumOpen = 256
    static let failuresBeforeProbe = 10
    static let pause = TimeAmount.seconds(5)
    /// Origins come from the entry and its provider's metadata, so this is never reached by honest ones.
    private static let maximumOrigins = 64

    /// The URL that is asked when the plugin's origin seems to be down; the root of an origin otherwise.
    func setProbeURL(_ url: String?) { probeURL.withLock { $0 = url } }

    /// The URL to probe an origin at.
    func probeURL(of origin: Origin) -> String {
        guard let url = probeURL.withLock(\.self), HTTPUpstream.origin(of: url) == origin else { return origin + "/" }
        return url
    }

    /// The admission of a request.
    enum Admission {
        /// It may, and has to ``leave(_:_:for:at:)``.
        case admitted
        /// It may if a probe succeeds: call ``probed(_:_:at:)``, then enter again.
        case probeFirst
        case refused
    }

    func enter(_ origin: Origin, for step: ProviderError.Step, at now: NIODeadline) -> Admission {
        state.withLock { state in
            guard state.open[step, default: 0] < Self.maximumOpen else { return .refused }
            if let until = state.health[origin]?.pausedUntil {
                guard now >= until, state.health[origin]?.isProbing == false else { return .refused }
                state.health[origin]?.isProbing = true
                return .probeFirst
            }
            state.open[step, default: 0] += 1
            return .admitted
        }
    }

    /// How a request ended, as far as it tells about the provider.
    enum Outcome {
        case answered, failed
        /// Given up from our side, or never sent: it says nothing about the provider.
        case abandoned
    }

    /// - Returns: Whether a probe is due, which the caller makes.
    func leave(_ outcome: Outcome, _ origin: Origin, for step: ProviderError.Step, at now: NIODeadline) -> Bool {
        state.withLock { state in
            state.open[step, default: 1] -= 1
            switch outcome {
            case .abandoned: return false
            case .answered:
                state.health[origin] = nil
                return false
            case .failed:
                if state.health.count >= Self.maximumOrigins, state.health[origin] == nil { state.health = [:] }
                var health = state.health[origin] ?? Health()
                defer { state.health[origin] = health }
                health.failuresInARow = min(health.failuresInARow + 1, Self.failuresBeforeProbe)
                guard health.failuresInARow == Self.failuresBeforeProbe, health.pausedUntil == nil, !health.isProbing
                else { return false }
                health.isProbing = true
                return true
            }
        }
    }

    /// Takes a probe's outcome; an abandoned one leaves things as they were.
    func probed(_ outcome: Outcome, _ origin: Origin, at now: NIODeadline) {
        state.withLock { state in
            switch outcome {
            case .answered: state.health[origin] = nil
            case .failed: state.health[origin] = Health(pausedUntil: now + Self.pause)
            case .abandoned: state.health[origin]?.isProbing = false
            }
        }
    }
}
