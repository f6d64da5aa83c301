import JOSE
import Synchronization

/// Tokens whose signature, issuer and audience were found good, by their digest. Time and keys are judged on each use.
///
/// At most ``capacity`` of them: the tokens that were not used since the last half of it came in are forgotten first.
final class VerifiedTokenCache: Sendable {
    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        var recent: [TokenDigest: TokenFacts] = [:]
        var earlier: [TokenDigest: TokenFacts] = [:]

        mutating func insert(_ facts: TokenFacts, at digest: TokenDigest, capacity: Int) {
            if recent.count >= max(1, capacity / 2) { (earlier, recent) = (recent, [:]) }
            recent[digest] = facts
        }
    }

    /// - Parameter capacity: The maximum number of tokens; 0 remembers none.
    init(capacity: Int) {
        self.capacity = capacity
    }

    subscript(_ digest: TokenDigest) -> TokenFacts? {
        get {
            state.withLock { state in
                if let facts = state.recent[digest] { return facts }
                guard let facts = state.earlier.removeValue(forKey: digest) else { return nil }
                state.insert(facts, at: digest, capacity: capacity)
                return facts
            }
        }
        set {
            guard capacity > 0, let newValue else { return }
            state.withLock { $0.insert(newValue, at: digest, capacity: capacity) }
        }
    }
}
