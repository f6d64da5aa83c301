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
        let parsed: CompactJWS
        do {
            parsed = try CompactJWS(parsing: token)
        } catch {
            throw ProviderError(error)
        }
        // Whatever is refused for its form costs no request to the provider.
        guard IDTokenPolicy.Algorithm(rawValue: parsed.header.algorithm).map(policy.algorithms.contains) ?? false,
            parsed.header.keyID != nil || !policy.requiresKeyID
        else { throw ProviderError(.credential, at: .verifyIDToken, "alg is not on the list, or there is no kid") }
        let keys = try await keySets.keys(at: policy.keySetURL, including: parsed.header.keyID, over: upstream)
        let verified: VerifiedIDToken
        do {
            verified = try IDTokenCheck(policy, nonce: nonce, accessToken: accessToken, now: now())(parsed, keys: keys)
        } catch {
            throw ProviderError(error)
        }
        try await SignInScope.current?.verified(verified)
        return verified
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
