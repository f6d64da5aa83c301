import BrokerStore
import JOSE
import OAuth
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

    private let tokens = Mutex(BoundedMemory<TokenDigest, Timestamp>(capacity: capacity))

    /// Notes that a token's session was found ended.
    func insert(_ token: TokenDigest, at now: Timestamp) {
        tokens.withLock { $0.insert(now, at: token) }
    }

    /// Whether a token's session was found ended less than ``lifetime`` ago.
    func contains(_ token: TokenDigest, at now: Timestamp) -> Bool {
        guard let found = tokens.withLock({ $0[token] }) else { return false }
        return found <= now && now < found.advanced(by: Self.lifetime)
    }
}
