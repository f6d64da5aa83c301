import Crypto
package import Foundation
package import ProviderKit

/// The validation of an ID token (OpenID Connect Core §3.1.3.7), with the cheapest checks first and without I/O.
package struct IDTokenCheck: Sendable {
    private let policy: IDTokenPolicy
    private let nonce: NonceExpectation
    private let accessToken: String?
    private let now: Int64

    /// A check of one token at the time `now`.
    package init(_ policy: IDTokenPolicy, nonce: NonceExpectation, accessToken: String?, now: Date) {
        self.policy = policy
        self.nonce = nonce
        self.accessToken = accessToken
        // The range prevents overflows when the clock is centuries off.
        self.now = Int64(min(max(now.timeIntervalSince1970, 0), 4_102_444_800))
    }

    /// Verifies a token's signature with `keys` and its claims against the policy.
    ///
    /// - Throws: ``JOSEError``; of kind ``JOSEError/Kind/unknownKey`` before any claim is read, of kind
    ///   ``JOSEError/Kind/wrongNonce`` when everything but the nonce is valid.
    package func callAsFunction(_ token: CompactJWS, keys: KeySet) throws(JOSEError) -> VerifiedIDToken {
        let algorithms = Set(policy.algorithms.compactMap { SignatureAlgorithm(rawValue: $0.rawValue) })
        let claims = try RegisteredClaims(
            token.verified(
                with: keys, algorithms: algorithms, requiresKeyID: policy.requiresKeyID))
        let issuer = try claims.issuer
        guard policy.issuers.contains(where: { $0.hasSameBytes(as: issuer) }) else {
            throw JOSEError(.invalidClaim, "iss is another issuer")
        }
        let audience = try audience(of: claims)
        let times = try times(of: claims)
        try checkNonce(of: claims)
        try checkKind(of: token, claims)
        let subject = try claims.subject
        guard (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw JOSEError(.invalidClaim, "sub is not 1 to 255 printable ASCII characters")
        }
        return VerifiedIDToken(
            claims: claims.payload, issuer: issuer, subject: subject, audience: audience, issuedAt: times.issued,
            expiresAt: times.expires, bindsAccessToken: try bindsAccessToken(claims))
    }

    /// `aud` must contain our client. A token for several audiences must name its authorized party in `azp`.
    private func audience(of claims: RegisteredClaims) throws(JOSEError) -> String {
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

    private func times(of claims: RegisteredClaims) throws(JOSEError) -> (issued: Date, expires: Date) {
        let skew = Int64(policy.clockSkew)
        let expires = try claims.expiration.secondsSince1970
        let issued = try claims.issuedAt.secondsSince1970
        guard expires > now - skew else { throw JOSEError(.invalidClaim, "exp has passed") }
        guard issued <= now + skew else { throw JOSEError(.invalidClaim, "iat is in the future") }
        if let notBefore = try claims.notBefore, notBefore.secondsSince1970 > now + skew {
            throw JOSEError(.invalidClaim, "nbf is in the future")
        }
        if let maximumAge = policy.maximumAge, issued < now - skew - Int64(maximumAge) {
            throw JOSEError(.invalidClaim, "iat is too long ago")
        }
        return (Date(timeIntervalSince1970: Double(issued)), Date(timeIntervalSince1970: Double(expires)))
    }

    private func checkNonce(of claims: RegisteredClaims) throws(JOSEError) {
        let claimed = try claims.nonce
        switch nonce {
        case .unchecked: return
        case .absent:
            guard claimed == nil else { throw JOSEError(.wrongNonce, "the token has a nonce that was not sent") }
        case .sent(let expected): try check(claimed, is: expected, claims)
        case .native(rawNonce: nil):
            guard claimed == nil, !policy.requiresNativeNonce else {
                throw JOSEError(.wrongNonce, "the client sent no nonce")
            }
        case .native(rawNonce: let raw?):
            guard !raw.isEmpty else { throw JOSEError(.wrongNonce, "the client sent an empty nonce") }
            try check(claimed, is: policy.nativeNonce == .plain ? raw : Self.hexadecimalDigest(raw), claims)
        }
    }

    private func check(_ claimed: String?, is expected: String, _ claims: RegisteredClaims) throws(JOSEError) {
        guard let claimed else {
            // Tokens of some devices declare that they cannot contain a nonce.
            if let name = policy.nonceSupportClaim, let says = claims.payload[name],
                says.bool == false || says.string?.hasSameBytes(as: "false") == true
            {
                return
            }
            throw JOSEError(.wrongNonce, "the token has no nonce")
        }
        guard claimed.hasSameBytes(as: expected) else { throw JOSEError(.wrongNonce, "the nonce is different") }
    }

    /// Issuers sign other tokens with the same keys for the same audience, such as security events; those are refused.
    private func checkKind(of token: CompactJWS, _ claims: RegisteredClaims) throws(JOSEError) {
        guard claims.payload["events"] == nil else { throw JOSEError(.invalidClaim, "a security event, no ID token") }
        guard let type = token.header.type else { return }
        guard policy.types.contains(where: { $0.lowercased() == type.lowercased() }) else {
            throw JOSEError(.invalidClaim, "typ is not that of an ID token")
        }
    }

    /// OpenID Connect Core §3.1.3.6: the left half of the hash.
    private func bindsAccessToken(_ claims: RegisteredClaims) throws(JOSEError) -> Bool {
        guard let accessToken, let hash = try claims.accessTokenHash else { return false }
        let digest = SHA256.hash(data: Data(accessToken.utf8))
        guard hash.hasSameBytes(as: Base64URL.encode(Array(digest.prefix(16)))) else {
            throw JOSEError(.invalidClaim, "at_hash is of another access token")
        }
        return true
    }

    private static func hexadecimalDigest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
