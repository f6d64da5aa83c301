public import Foundation

/// An ID token whose signature and registered claims were checked.
public struct VerifiedIDToken: Sendable {
    /// All claims.
    public let claims: JSONObject
    /// Who made it (`iss`), one of the policy's spellings.
    public let issuer: String
    /// Whom it is about (`sub`): 1 to 255 printable ASCII characters.
    public let subject: String
    /// Which of our clients it is for.
    public let audience: String
    /// When it was made (`iat`).
    public let issuedAt: Date
    /// When it ends (`exp`).
    public let expiresAt: Date
    /// Whether `at_hash` ties the access token that came along to it. One that is not tied may be anybody's.
    public let bindsAccessToken: Bool

    /// What a check found; made by implementations of ``TokenService``.
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
