import JOSE
import ProviderKit

/// Tokens as the Firebase Auth emulator has them: `alg` is `none` and the signature is empty. Node's Admin SDK accepts
/// no other tokens in its emulator mode.
enum UnsignedToken {
    private static let header = Base64URL.encode(#"{"alg":"none","typ":"JWT"}"#.utf8)

    /// A JWT with these claims and without a signature.
    static func token(_ claims: JSONObject) -> String { "\(header).\(Base64URL.encode(claims.serializedBytes()))." }

    /// A signed JWT without its signature; nil for anything else.
    static func unsigned(_ token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, claims(of: token) != nil else { return nil }
        return "\(header).\(parts[1])."
    }

    /// The claims of any JWT, or of a JSON object in its place. Nothing is verified.
    static func claims(of token: String) -> JSONObject? {
        if token.hasPrefix("{") { return (try? JSONValue(parsing: token))?.object }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1].utf8) else { return nil }
        return (try? JSONValue(parsing: payload))?.object
    }
}
