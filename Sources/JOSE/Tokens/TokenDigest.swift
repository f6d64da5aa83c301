import Crypto

/// The SHA-256 of a token, for memories of tokens: a copy of the memory has no token in it.
package struct TokenDigest: Sendable, Hashable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The digest of `token`.
    package init(of token: String) {
        var token = token
        let digest = token.withUTF8 { SHA256.hash(data: $0) }
        words = digest.withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self) }
    }

    package static func == (left: TokenDigest, right: TokenDigest) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
