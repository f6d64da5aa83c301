public import Foundation
import JOSE
public import ProviderKit

/// The broker's token service for plugins under test: the same verification, without a cache of keys.
public struct StandaloneTokens: TokenService {
    private let upstream: any Upstream
    private let now: @Sendable () -> Date

    /// Makes the service of a plugin with `upstream`.
    public init(upstream: any Upstream, now: @escaping @Sendable () -> Date) {
        self.upstream = upstream
        self.now = now
    }

    public func verify(
        _ token: String, by policy: IDTokenPolicy, nonce: NonceExpectation, accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken {
        let keys = try await keys(of: policy)
        do {
            return try IDTokenCheck(policy, nonce: nonce, accessToken: accessToken, now: now())(
                CompactJWS(parsing: token), keys: keys)
        } catch {
            throw ProviderError(error)
        }
    }

    public func verify(
        securityEvent token: String, by policy: IDTokenPolicy
    ) async throws(ProviderError) -> VerifiedSecurityEvent {
        let keys = try await keys(of: policy)
        do {
            return try SecurityEventCheck(policy, now: now())(CompactJWS(parsing: token), keys: keys)
        } catch {
            throw ProviderError(error, of: "the security event token", at: .verifyNotification)
        }
    }

    public func isValid(hmac code: [UInt8], of message: [UInt8], key: Secret) -> Bool {
        MessageAuthentication.isValid(code, of: message, key: key)
    }

    public func sign(_ assertion: ClientAssertion) throws(ProviderError) -> String {
        do {
            return try assertion.signed(now: now())
        } catch {
            throw ProviderError(error)
        }
    }

    public func publicKey(of key: ClientAssertion.Key) throws(ProviderError) -> JSONValue {
        do {
            return try key.publicJWK()
        } catch {
            throw ProviderError(error)
        }
    }

    public func usableKeys(at url: String) async throws(ProviderError) -> Int {
        try await keys(at: url).keys.count
    }

    /// The published keys; `nil` where the policy has the client's secret.
    private func keys(of policy: IDTokenPolicy) async throws(ProviderError) -> KeySet? {
        guard case .published(let url, _) = policy.keys else { return nil }
        return try await keys(at: url)
    }

    private func keys(at url: String) async throws(ProviderError) -> KeySet {
        let response = try await upstream.send(UpstreamRequest(.get, url, at: .verifyIDToken))
        guard response.status == 200 else {
            throw ProviderError(.upstream, at: .verifyIDToken, "the keys' URL answered with status \(response.status)")
        }
        let document = try response.jsonValue(at: .verifyIDToken)
        do {
            return try KeySet(importing: document)
        } catch {
            throw ProviderError(error)
        }
    }
}
