import Crypto
import Foundation

/// A PKCE challenge, as an authorization request sent it (RFC 7636 §4.3).
struct CodeChallenge: Sendable, Hashable {
    /// How the challenge was made from the verifier.
    enum Method: String, Sendable, Hashable {
        case plain
        case s256 = "S256"
    }

    let value: String
    var method = Method.s256

    /// Whether `verifier` is the one the challenge was made from (RFC 7636 §4.6).
    func isAnswered(by verifier: String?) -> Bool {
        guard let verifier else { return false }
        switch method {
        case .plain: return verifier.hasSameBytes(as: value)
        case .s256: return Self.digest(of: verifier).hasSameBytes(as: value)
        }
    }

    /// The base64url form of a text's SHA-256, without padding.
    static func digest(of text: String) -> String {
        Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
