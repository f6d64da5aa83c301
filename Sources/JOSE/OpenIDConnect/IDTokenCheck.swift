import Crypto
package import Foundation
package import ProviderKit

/// The validation of an ID token (OpenID Connect Core §3.1.3.7), with the cheapest checks first and without I/O.
package struct IDTokenCheck: Sendable {
    private let check: IssuerClaimsCheck
    private let nonce: NonceExpectation
    private let accessToken: String?
    private var policy: IDTokenPolicy { check.policy }

    /// A check of one token at the time `now`.
    package init(_ policy: IDTokenPolicy, nonce: NonceExpectation, accessToken: String?, now: Date) {
        check = IssuerClaimsCheck(policy, now: now)
        self.nonce = nonce
        self.accessToken = accessToken
    }

    /// Verifies a token's signature with `keys` and its claims against the policy.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - keys: The published keys; `nil` where the policy has the client's secret.
    /// - Returns: The verified token.
    /// - Throws: ``JOSEError``; of kind ``JOSEError/Kind/unknownKey`` before any claim is read, of kind
    ///   ``JOSEError/Kind/wrongNonce`` when everything but the nonce is valid.
    package func callAsFunction(_ token: CompactJWS, keys: KeySet?) throws(JOSEError) -> VerifiedIDToken {
        if case (.clientSecret, .native) = (policy.keys, nonce) {
            throw JOSEError(.algorithmNotAllowed, "a client's token cannot be verified with the client's secret")
        }
        let claims = try check.claims(of: token, keys: keys)
        let audience = try check.audience(of: claims)
        let (expires, issued) = (try check.expires(claims), try check.issued(claims))
        try checkNonce(of: claims)
        try checkKind(of: token, claims)
        let subject = try claims.subject
        guard (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw JOSEError(.invalidClaim, "sub is not 1 to 255 printable ASCII characters")
        }
        return VerifiedIDToken(
            claims: claims.payload, issuer: try claims.issuer, subject: subject, audience: audience,
            issuedAt: Date(timeIntervalSince1970: Double(issued)),
            expiresAt: Date(timeIntervalSince1970: Double(expires)), bindsAccessToken: try bindsAccessToken(claims))
    }

    private func checkNonce(of claims: RegisteredClaims) throws(JOSEError) {
        let claimed = try claims.nonce
        switch nonce {
        case .unchecked: return
        case .absent:
            guard claimed == nil else { throw JOSEError(.wrongNonce, "the token has a nonce that was not sent") }
        case .sent(let expected): try match(claimed, expected, claims)
        case .native(rawNonce: nil):
            guard claimed == nil, !policy.requiresNativeNonce else {
                throw JOSEError(.wrongNonce, "the client sent no nonce")
            }
        case .native(rawNonce: let raw?):
            guard !raw.isEmpty else { throw JOSEError(.wrongNonce, "the client sent an empty nonce") }
            try match(claimed, policy.nativeNonce == .plain ? raw : SHA256.hexadecimalHash(of: Data(raw.utf8)), claims)
        }
    }

    private func match(_ claimed: String?, _ expected: String, _ claims: RegisteredClaims) throws(JOSEError) {
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
        try check.type(of: token)
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
}
