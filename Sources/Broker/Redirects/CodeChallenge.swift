import Crypto
import Foundation
import JOSE

/// S256 of a verifier that whoever starts keeps until they exchange the code (RFC 7636 §4), be it a client of the broker
/// or the broker as a provider's client. There is no other method here.
package struct CodeChallenge: Sendable, Hashable {
    package let text: String

    /// - Returns: `nil` when it is not the base64url of a SHA-256 digest.
    package init?(_ text: String) {
        guard Base64URL.decode(text)?.count == SHA256.byteCount else { return nil }
        self.text = text
    }

    /// What is shown of `verifier` before the verifier itself is.
    package init(of verifier: String) {
        text = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
    }

    /// Whether it was made from `verifier`: 43 to 128 unreserved characters (RFC 7636 §4.1).
    func matches(_ verifier: String) -> Bool {
        (43...128).contains(verifier.utf8.count) && verifier.utf8.allSatisfy(Self.isUnreserved)
            && text.utf8.elementsEqual(CodeChallenge(of: verifier).text.utf8)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || URIParts.isDigit(byte)
            || "-._~".utf8.contains(byte)
    }
}
