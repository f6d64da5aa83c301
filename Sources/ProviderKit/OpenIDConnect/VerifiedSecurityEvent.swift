public import Foundation

/// A security event token (RFC 8417) with verified signature and registered claims.
public struct VerifiedSecurityEvent: Sendable {
    /// All claims, `events` among them, which is an object or a text.
    public let claims: JSONObject
    /// The token's id (`jti`): 1 to 255 printable ASCII characters.
    public let id: String
    /// The one of our clients that the token is for.
    public let audience: String
    /// The time of issue (`iat`).
    public let issuedAt: Date
    /// The time from which on its verification fails: `exp`, or the policy's maximum age after `iat`.
    public let expiresAt: Date

    /// Makes the result of a verification, in implementations of ``TokenService``.
    public init(claims: JSONObject, id: String, audience: String, issuedAt: Date, expiresAt: Date) {
        self.claims = claims
        self.id = id
        self.audience = audience
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
