import JOSE

/// Random text for state, nonce and code verifier.
enum RandomText {
    /// 32 random bytes in base64url: 43 characters (RFC 7636 §4.1).
    static func draw() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
