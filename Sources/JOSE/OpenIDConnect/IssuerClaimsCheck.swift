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

    /// The claims of a token with a valid signature and an accepted issuer. `keys` are the published ones, if the policy has
    /// a URL for them.
    func claims(of token: CompactJWS, keys: KeySet?) throws(JOSEError) -> RegisteredClaims {
        let claims: RegisteredClaims
        let key: JSONWebKey?
        switch policy.keys {
        case .published(_, let accepted):
            guard let keys else { throw JOSEError(.unknownKey, "there are no keys") }
            let verified = try token.verifiedWithKey(
                of: keys, algorithms: Set(accepted.compactMap { SignatureAlgorithm(rawValue: $0.rawValue) }),
                requiresKeyID: policy.requiresKeyID)
            (claims, key) = (try RegisteredClaims(verified.payload), verified.key)
        case .clientSecret(let secret): (claims, key) = (try RegisteredClaims(token.verified(with: secret)), nil)
        }
        let (issuer, tenant) = (try claims.issuer, try tenant(of: claims))
        guard policy.issuers.contains(where: { fill($0, with: tenant).hasSameBytes(as: issuer) }) else {
            throw JOSEError(.invalidClaim, "iss is another issuer")
        }
        if tenant != nil, let stated = key?.issuer, !fill(stated, with: tenant).hasSameBytes(as: issuer) {
            throw JOSEError(.unknownKey, "the key is another issuer's")
        }
        return claims
    }

    /// The tenant of a token, where each tenant is an issuer.
    private func tenant(of claims: RegisteredClaims) throws(JOSEError) -> String? {
        guard let name = policy.tenantClaim else { return nil }
        guard let tenant = claims.payload[name]?.string, tenant.isLowerCaseUUID else {
            throw JOSEError(.invalidClaim, "\(name) is not a UUID in lower case")
        }
        return tenant
    }

    /// An issuer with its placeholder filled: the claim's name in the policy, `{tenantid}` in Microsoft's keys.
    private func fill(_ issuer: String, with tenant: String?) -> String {
        guard let name = policy.tenantClaim, let tenant else { return issuer }
        return issuer.replacing("{\(name)}", with: tenant).replacing("{tenantid}", with: tenant)
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

extension String {
    /// Whether this is a UUID in lower case (RFC 9562 §4).
    fileprivate var isLowerCaseUUID: Bool {
        utf8.count == 36
            && utf8.enumerated().allSatisfy { position, byte in
                switch position {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default:
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
                }
            }
    }
}
