package import Foundation
package import ProviderKit

/// The validation of a security event token (RFC 8417 §2.2), without I/O.
package struct SecurityEventCheck: Sendable {
    private let check: IssuerClaimsCheck

    /// A check of one token at the time `now`.
    package init(_ policy: IDTokenPolicy, now: Date) {
        check = IssuerClaimsCheck(policy, now: now)
    }

    /// Verifies a token's signature with `keys` and its claims against the policy.
    ///
    /// - Throws: ``JOSEError``; of kind ``JOSEError/Kind/unknownKey`` before any claim is read.
    package func callAsFunction(_ token: CompactJWS, keys: KeySet?) throws(JOSEError) -> VerifiedSecurityEvent {
        if case .clientSecret = check.policy.keys {
            throw JOSEError(.algorithmNotAllowed, "an event cannot be verified with the client's secret")
        }
        let claims = try check.claims(of: token, keys: keys)
        let audience = try check.audience(of: claims)
        let issued = try check.issued(claims)
        let expires = try expires(claims, issued: issued)
        try check.type(of: token)
        switch claims.payload["events"] {
        case .object, .string: break
        default: throw JOSEError(.invalidClaim, "events is missing: no security event")
        }
        // OpenID Connect Back-Channel Logout 1.0 §2.4 prohibits it, so that no ID token is taken for an event.
        guard claims.payload["nonce"] == nil else { throw JOSEError(.invalidClaim, "a security event has no nonce") }
        guard let id = try claims.tokenID, (1...255).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw JOSEError(.invalidClaim, "jti is not 1 to 255 printable ASCII characters") }
        return VerifiedSecurityEvent(
            claims: claims.payload, id: id, audience: audience,
            issuedAt: Date(timeIntervalSince1970: Double(issued)),
            expiresAt: Date(timeIntervalSince1970: Double(expires)))
    }

    /// RFC 8417 §2.2 discourages `exp`; without it the maximum age bounds replays.
    private func expires(_ claims: RegisteredClaims, issued: Int64) throws(JOSEError) -> Int64 {
        guard claims.payload["exp"] == nil, let maximumAge = check.policy.maximumAge else {
            return try check.expires(claims)
        }
        return issued + Int64(maximumAge)
    }
}
