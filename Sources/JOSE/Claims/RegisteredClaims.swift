package import ProviderKit

/// The claims of a verified payload that have a meaning everywhere (RFC 7519 §4.1, OpenID Connect Core §2).
///
/// A claim of the wrong type is an error, never as good as absent; those that are optional may be absent.
package struct RegisteredClaims: Sendable {
    /// All claims.
    package let payload: JSONObject

    /// Makes the view of a payload that ``CompactJWS/verified(with:algorithms:)`` gave.
    ///
    /// - Throws: ``JOSEError`` when it is not an object.
    package init(_ payload: JSONValue) throws(JOSEError) {
        guard let payload = payload.object else { throw JOSEError(.invalidClaim, "payload is not an object") }
        self.payload = payload
    }

    /// Who made the token (`iss`).
    package var issuer: String { get throws(JOSEError) { try required("iss", string) } }

    /// Whom it is about (`sub`).
    package var subject: String { get throws(JOSEError) { try required("sub", string) } }

    /// Whom it is for (`aud`).
    package var audience: Audience { get throws(JOSEError) { try Audience(required("aud") { value, _ in value }) } }

    /// When it ends (`exp`).
    package var expiration: NumericDate { get throws(JOSEError) { try required("exp", NumericDate.init) } }

    /// When it was made (`iat`).
    package var issuedAt: NumericDate { get throws(JOSEError) { try required("iat", NumericDate.init) } }

    /// When it starts (`nbf`), if it says so.
    package var notBefore: NumericDate? { get throws(JOSEError) { try optional("nbf", NumericDate.init) } }

    /// When the person proved who they are (`auth_time`), if it says so.
    package var authenticationTime: NumericDate? {
        get throws(JOSEError) { try optional("auth_time", NumericDate.init) }
    }

    /// The value that ties it to one sign-in (`nonce`), if there is one.
    package var nonce: String? { get throws(JOSEError) { try optional("nonce", string) } }

    /// The client it was made for (`azp`), if it says so.
    package var authorizedParty: String? { get throws(JOSEError) { try optional("azp", string) } }

    /// The name of this one token (`jti`), if it has one.
    package var tokenID: String? { get throws(JOSEError) { try optional("jti", string) } }

    /// The hash of the access token that came with it (`at_hash`), if there is one.
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
