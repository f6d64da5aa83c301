import BrokerStore
import JOSE
import Synchronization

/// Tokens with a signature of ours whose session was found ended a moment ago, in memory of a bounded size.
///
/// Sessions of a user who is enabled again are valid again, so a token stays only for ``lifetime``. The tokens that came in
/// before the last half of ``capacity`` are forgotten first.
final class EndedTokens: Sendable {
    /// The most tokens that are remembered, of about 60 bytes each.
    static let capacity = 16_384
    /// How long a token is remembered.
    static let lifetime = Duration.seconds(5)

    private struct State {
        var recent: [TokenDigest: Timestamp] = [:]
        var earlier: [TokenDigest: Timestamp] = [:]
    }

    private let state = Mutex(State())

    /// Notes that a token's session was found ended.
    func insert(_ token: TokenDigest, at now: Timestamp) {
        state.withLock { state in
            if state.recent.count >= Self.capacity / 2 { (state.earlier, state.recent) = (state.recent, [:]) }
            state.recent[token] = now
        }
    }

    /// Whether a token's session was found ended less than ``lifetime`` ago.
    func contains(_ token: TokenDigest, at now: Timestamp) -> Bool {
        state.withLock { state in
            guard let found = state.recent[token] ?? state.earlier[token] else { return false }
            return found <= now && now < found.advanced(by: Self.lifetime)
        }
    }
}
