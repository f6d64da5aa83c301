import Foundation
import ProviderKit

/// The checks of issuer, audience and times that ID tokens and security event tokens have in common.
struct IssuerClaimsCheck: Sendable {
    let policy: IDTokenPolicy
    /// In whole seconds since 1970.
    let now: Int64

    init(_ policy: IDTokenPolicy, now: Date) {
        self.policy = policy
        // The range prevents overflows when the clock is centuries off.
        self.now = Int64(min(max(now.timeIntervalSince1970, 0), 4_102_444_800))
    }

    /// The claims of a token with a valid signature and an accepted issuer.
    func claims(of token: CompactJWS, keys: KeySet) throws(JOSEError) -> RegisteredClaims {
        let algorithms = Set(policy.algorithms.compactMap { SignatureAlgorithm(rawValue: $0.rawValue) })
        let claims = try RegisteredClaims(
            token.verified(with: keys, algorithms: algorithms, requiresKeyID: policy.requiresKeyID))
        let issuer = try claims.issuer
        guard policy.issuers.contains(where: { $0.hasSameBytes(as: issuer) }) else {
            throw JOSEError(.invalidClaim, "iss is another issuer")
        }
        return claims
    }

    /// `aud` must contain our client. A token for several audiences must name its authorized party in `azp`.
    func audience(of claims: RegisteredClaims) throws(JOSEError) -> String {
        let audience = try claims.audience
        guard let ours = policy.audiences.first(where: audience.contains) else {
            throw JOSEError(.invalidClaim, "aud is another client")
        }
        guard let party = try claims.authorizedParty else {
            guard audience.names.count == 1 else { throw JOSEError(.invalidClaim, "several aud and no azp") }
            return ours
        }
        guard let authorized = policy.audiences.first(where: { $0.hasSameBytes(as: party) }) else {
            throw JOSEError(.invalidClaim, "azp is another client")
        }
        return authorized
    }

    /// `iat`, neither in the future nor older than the maximum age; `nbf` if present.
    func issued(_ claims: RegisteredClaims) throws(JOSEError) -> Int64 {
        let skew = Int64(policy.clockSkew)
        let issued = try claims.issuedAt.secondsSince1970
        guard issued <= now + skew else { throw JOSEError(.invalidClaim, "iat is in the future") }
        if let notBefore = try claims.notBefore, notBefore.secondsSince1970 > now + skew {
            throw JOSEError(.invalidClaim, "nbf is in the future")
        }
        if let maximumAge = policy.maximumAge, issued < now - skew - Int64(maximumAge) {
            throw JOSEError(.invalidClaim, "iat is too long ago")
        }
        return issued
    }

    /// `exp`, in the future.
    func expires(_ claims: RegisteredClaims) throws(JOSEError) -> Int64 {
        let expires = try claims.expiration.secondsSince1970
        guard expires > now - Int64(policy.clockSkew) else { throw JOSEError(.invalidClaim, "exp has passed") }
        return expires
    }

    /// The header's `typ`, if present, must be one of the policy's.
    func type(of token: CompactJWS) throws(JOSEError) {
        guard let type = token.header.type else { return }
        guard policy.types.contains(where: { $0.lowercased() == type.lowercased() }) else {
            throw JOSEError(.invalidClaim, "typ is not that of the expected token")
        }
    }
}
