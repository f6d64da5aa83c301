public import Foundation

/// An ID token with verified signature and registered claims.
public struct VerifiedIDToken: Sendable {
    /// All claims.
    public let claims: JSONObject
    /// The issuer (`iss`), one of the policy's values.
    public let issuer: String
    /// The subject (`sub`): 1 to 255 printable ASCII characters.
    public let subject: String
    /// The one of our clients that the token was issued to.
    public let audience: String
    /// The time of issue (`iat`).
    public let issuedAt: Date
    /// The expiration time (`exp`).
    public let expiresAt: Date
    /// Whether `at_hash` binds the access token to it. An unbound access token may belong to another user.
    public let bindsAccessToken: Bool

    /// Makes the result of a verification, in implementations of ``TokenService``.
    public init(
        claims: JSONObject, issuer: String, subject: String, audience: String, issuedAt: Date, expiresAt: Date,
        bindsAccessToken: Bool
    ) {
        self.claims = claims
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.bindsAccessToken = bindsAccessToken
    }
}
