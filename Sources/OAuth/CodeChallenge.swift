import Crypto
import JOSE
import StrictJSON

/// A code challenge (RFC 7636 §4) by the method S256. No other method is supported.
package struct CodeChallenge: Sendable, Hashable {
    /// The value of `code_challenge_method`.
    package static let method = "S256"

    package let text: String

    /// - Returns: `nil` when it is not the base64url of a SHA-256 digest.
    package init?(_ text: String) {
        guard Base64URL.decode(text)?.count == SHA256.byteCount else { return nil }
        self.text = text
    }

    /// The challenge of a verifier.
    package init(of verifier: String) {
        text = Base64URL.encode(SHA256.hash(data: verifier.utf8Bytes).byteArray)
    }

    /// Whether it was made from `verifier`: 43 to 128 unreserved characters (RFC 7636 §4.1).
    package func matches(_ verifier: String) -> Bool {
        (43...128).contains(verifier.utf8.count) && verifier.utf8.allSatisfy(Self.isUnreserved)
            && text.hasSameBytes(as: CodeChallenge(of: verifier).text)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
