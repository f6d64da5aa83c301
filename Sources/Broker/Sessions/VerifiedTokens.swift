import Crypto
import Foundation
import Synchronization

/// Tokens whose signature, issuer and audience were found good, so that the same token is not verified again for each
/// request of its holder (architecture D7).
///
/// Neither time nor the store is part of what is remembered: whether the token has expired, its key is still published
/// and its session lives is decided each time. Only tokens of ours come in, and at most ``capacity`` of them: the
/// tokens that were not used since the last half of it came in are forgotten first.
final class VerifiedTokens: Sendable {
    /// The most tokens that are remembered, of about 350 bytes each.
    static let capacity = 32_768

    /// SHA-256 of a token: a copy of the memory has no token in it.
    struct Digest: Sendable, Hashable {
        private let words: (UInt64, UInt64, UInt64, UInt64)

        init(of token: String) {
            var token = token
            let digest = token.withUTF8 { SHA256.hash(data: $0) }
            words = digest.withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self) }
        }

        static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

        func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
    }

    /// What a verified token says that does not change.
    struct Facts: Sendable {
        /// The key it is signed with.
        let keyID: String
        let localID: String
        let sessionID: String
        let epoch: Int64
        let authTime: Int64
        let issuedAt: Int64
        let expiration: Int64
    }

    private struct State {
        var recent: [Digest: Facts] = [:]
        var earlier: [Digest: Facts] = [:]

        mutating func insert(_ facts: Facts, at digest: Digest) {
            if recent.count >= VerifiedTokens.capacity / 2 { (earlier, recent) = (recent, [:]) }
            recent[digest] = facts
        }
    }

    private let state = Mutex(State())

    subscript(_ digest: Digest) -> Facts? {
        get {
            state.withLock { state in
                if let facts = state.recent[digest] { return facts }
                guard let facts = state.earlier.removeValue(forKey: digest) else { return nil }
                state.insert(facts, at: digest)
                return facts
            }
        }
        set {
            guard let newValue else { return }
            state.withLock { $0.insert(newValue, at: digest) }
        }
    }
}
