import JOSE
import OAuth
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

    private let tokens = Mutex(BoundedMemory<TokenDigest, Facts>(capacity: capacity))

    subscript(_ digest: TokenDigest) -> Facts? {
        get { tokens.withLock { $0.renew(digest) } }
        set {
            guard let newValue else { return }
            tokens.withLock { $0.insert(newValue, at: digest) }
        }
    }
}
