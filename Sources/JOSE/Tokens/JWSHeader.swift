package import ProviderKit

/// The unverified JOSE header of a token (RFC 7515 §4).
package struct JWSHeader: Sendable, Equatable {
    /// Unsupported extensions, and members by which a token supplies its own key (RFC 7515 §4.1, RFC 7797).
    private static let refused = ["crit", "b64", "jwk", "jku", "x5u", "x5c"]

    /// The algorithm (`alg`).
    package let algorithm: String

    /// The algorithm for a log: a registered name (RFC 7518 §3.1, RFC 8037 §3.1), since the sender may write any text.
    package var registeredAlgorithm: String {
        Self.registeredAlgorithms.contains(algorithm) ? algorithm : "not registered"
    }

    private static let registeredAlgorithms: Set<String> = [
        "none", "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES256K", "ES384", "ES512", "PS256",
        "PS384",
        "PS512", "EdDSA", "Ed25519", "Ed448",
    ]

    /// The key id (`kid`).
    package let keyID: String?

    /// The token type (`typ`).
    package let type: String?

    /// Reads a header.
    ///
    /// - Throws: ``JOSEError`` for members that are refused, missing or of the wrong type.
    package init(_ value: JSONValue) throws(JOSEError) {
        guard let members = value.object else { throw JOSEError(.malformedToken, "header is not an object") }
        for name in Self.refused where members[name] != nil {
            throw JOSEError(.unsupportedHeader, "header with \(name)")
        }
        guard let algorithm = try Self.text("alg", of: members) else {
            throw JOSEError(.malformedToken, "header without alg")
        }
        self.algorithm = algorithm
        keyID = try Self.text("kid", of: members)
        type = try Self.text("typ", of: members)
    }

    private static func text(_ name: String, of members: JSONObject) throws(JOSEError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string, text.isKeyID else {
            throw JOSEError(.malformedToken, "\(name) is not 1 to 256 printable ASCII characters")
        }
        return text
    }
}
