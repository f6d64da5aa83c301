import Foundation
import ProviderKit
import ProviderKitTesting

/// Token work whose key reads well and signs nothing.
struct SilentTokens: TokenService {
    private let honest: StandaloneTokens

    init(upstream: any Upstream) {
        honest = StandaloneTokens(upstream: upstream, now: { Date(timeIntervalSince1970: 1_800_000_000) })
    }

    func verify(
        _ token: String, by policy: IDTokenPolicy, nonce: NonceExpectation, accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken {
        try await honest.verify(token, by: policy, nonce: nonce, accessToken: accessToken)
    }

    func verify(
        securityEvent token: String, by policy: IDTokenPolicy
    ) async throws(ProviderError) -> VerifiedSecurityEvent {
        try await honest.verify(securityEvent: token, by: policy)
    }

    func isValid(hmac code: [UInt8], of message: [UInt8], key: Secret) -> Bool {
        honest.isValid(hmac: code, of: message, key: key)
    }

    func sign(_ assertion: ClientAssertion) throws(ProviderError) -> String {
        throw ProviderError(.configuration, at: .configure, "signing failed")
    }

    func publicKey(of key: ClientAssertion.Key) throws(ProviderError) -> JSONValue {
        try honest.publicKey(of: key)
    }

    func usableKeys(at url: String) async throws(ProviderError) -> Int {
        try await honest.usableKeys(at: url)
    }
}
