import Foundation
import JOSE
import ProviderKit

/// Verifies the ID tokens of one provider and signs assertions to it: the only place that does either.
struct ProviderTokens: TokenService {
    let keySets: ProviderKeySets
    let upstream: any Upstream
    let now: @Sendable () -> Date

    func verify(
        _ token: String, by policy: IDTokenPolicy, nonce: NonceExpectation, accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken {
        let (parsed, keys) = try await parse(token, policy)
        let verified: VerifiedIDToken
        do {
            verified = try IDTokenCheck(policy, nonce: nonce, accessToken: accessToken, now: now())(parsed, keys: keys)
        } catch {
            throw ProviderError(error)
        }
        UpstreamObservation.verified(verified)
        try await SignInScope.current?.verified(verified)
        return verified
    }

    func verify(
        securityEvent token: String, by policy: IDTokenPolicy
    ) async throws(ProviderError) -> VerifiedSecurityEvent {
        let (parsed, keys) = try await parse(token, policy)
        do {
            return try SecurityEventCheck(policy, now: now())(parsed, keys: keys)
        } catch {
            throw ProviderError(error, of: "the security event token", at: .verifyNotification)
        }
    }

    func isValid(hmac code: [UInt8], of message: [UInt8], key: Secret) -> Bool {
        MessageAuthentication.isValid(code, of: message, key: key)
    }

    /// Parses a token and loads the keys for it. A token that is refused for its form costs no request to the provider.
    private func parse(
        _ token: String, _ policy: IDTokenPolicy
    ) async throws(ProviderError) -> (CompactJWS, KeySet?) {
        let parsed: CompactJWS
        do {
            parsed = try CompactJWS(parsing: token)
        } catch {
            throw ProviderError(error)
        }
        guard case .published(let url, let algorithms) = policy.keys else { return (parsed, nil) }
        guard IDTokenPolicy.Algorithm(rawValue: parsed.header.algorithm).map(algorithms.contains) ?? false else {
            throw ProviderError(parsed.algorithmRefusal(accepted: algorithms.map(\.rawValue)))
        }
        guard parsed.header.keyID != nil || !policy.requiresKeyID else {
            throw ProviderError(.credential, at: .verifyIDToken, "the ID token is refused: its header has no kid")
        }
        return (parsed, try await keySets.keys(at: url, including: parsed.header.keyID, over: upstream))
    }

    func sign(_ assertion: ClientAssertion) throws(ProviderError) -> String {
        do {
            return try assertion.signed(now: now())
        } catch {
            throw ProviderError(error)
        }
    }

    func publicKey(of key: ClientAssertion.Key) throws(ProviderError) -> JSONValue {
        do {
            return try key.publicJWK()
        } catch {
            throw ProviderError(error)
        }
    }

    func usableKeys(at url: String) async throws(ProviderError) -> Int {
        try await ProviderKeySets.load(url, over: upstream).keys.keys.count
    }
}
