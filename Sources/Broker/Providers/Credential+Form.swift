import JOSE
import ProviderKit

extension Credential {
    /// Whether every value of the proof is printable ASCII of bounded length, as RFC 6749 appendix A and RFC 7519 want
    /// it. Anything else proves nothing, and may not even fit into a request.
    var isWellFormed: Bool {
        switch proof {
        case .accessToken(let token): Self.isToken(token)
        case .authorizationCode(let code):
            Self.isText(code.code)
                && [code.redirectURI, code.verifier, code.expectedNonce].allSatisfy { $0.map(Self.isText) ?? true }
        case .idToken(let token):
            Self.isToken(token.token) && (token.accessToken.map(Self.isToken) ?? true)
                && [token.rawNonce, token.authorizationCode].allSatisfy { $0.map(Self.isText) ?? true }
        case .assertion(let fields): fields.values.allSatisfy(Self.isText)
        }
    }

    /// Bytes of a code, a verifier, a nonce or a redirect URI.
    private static let maximumText = 4096

    /// RFC 6750 §2.1 and RFC 7515 §7.1 have no space in tokens.
    private static func isToken(_ text: String) -> Bool {
        (1...CompactJWS.maximumLength).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// VSCHAR of RFC 6749 appendix A.
    private static func isText(_ text: String) -> Bool {
        text.utf8.count <= maximumText && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
