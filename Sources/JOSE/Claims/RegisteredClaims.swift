package import ProviderKit

/// The registered claims of a verified payload (RFC 7519 §4.1, OpenID Connect Core §2).
///
/// A claim of the wrong type is an error and is not treated as absent; optional claims may be absent.
package struct RegisteredClaims: Sendable {
    /// All claims.
    package let payload: JSONObject

    /// Makes the claims of a payload that ``CompactJWS/verified(with:algorithms:)`` returned.
    ///
    /// - Throws: ``JOSEError`` when it is not an object.
    package init(_ payload: JSONValue) throws(JOSEError) {
        guard let payload = payload.object else { throw JOSEError(.invalidClaim, "payload is not an object") }
        self.payload = payload
    }

    /// The issuer (`iss`).
    package var issuer: String { get throws(JOSEError) { try required("iss", string) } }

    /// The subject (`sub`).
    package var subject: String { get throws(JOSEError) { try required("sub", string) } }

    /// The audience (`aud`).
    package var audience: Audience { get throws(JOSEError) { try Audience(required("aud") { value, _ in value }) } }

    /// The expiration time (`exp`).
    package var expiration: NumericDate { get throws(JOSEError) { try required("exp", NumericDate.init) } }

    /// The time of issue (`iat`).
    package var issuedAt: NumericDate { get throws(JOSEError) { try required("iat", NumericDate.init) } }

    /// The start of its validity (`nbf`), if present.
    package var notBefore: NumericDate? { get throws(JOSEError) { try optional("nbf", NumericDate.init) } }

    /// The time of the user's authentication (`auth_time`), if present.
    package var authenticationTime: NumericDate? {
        get throws(JOSEError) { try optional("auth_time", NumericDate.init) }
    }

    /// The value that binds it to one authentication request (`nonce`), if present.
    package var nonce: String? { get throws(JOSEError) { try optional("nonce", string) } }

    /// The authorized party (`azp`), if present.
    package var authorizedParty: String? { get throws(JOSEError) { try optional("azp", string) } }

    /// The token's id (`jti`), if present.
    package var tokenID: String? { get throws(JOSEError) { try optional("jti", string) } }

    /// The hash of the access token issued with it (`at_hash`), if present.
    package var accessTokenHash: String? { get throws(JOSEError) { try optional("at_hash", string) } }

    private func string(_ value: JSONValue, claim: String) throws(JOSEError) -> String {
        guard let string = value.string else { throw JOSEError(.invalidClaim, "\(claim) is not a string") }
        return string
    }

    private func optional<T>(
        _ claim: String, _ read: (JSONValue, String) throws(JOSEError) -> T
    ) throws(JOSEError) -> T? {
        guard let value = payload[claim] else { return nil }
        return try read(value, claim)
    }

    private func required<T>(
        _ claim: String, _ read: (JSONValue, String) throws(JOSEError) -> T
    ) throws(JOSEError) -> T {
        guard let value = try optional(claim, read) else { throw JOSEError(.invalidClaim, "\(claim) is missing") }
        return value
    }
}
