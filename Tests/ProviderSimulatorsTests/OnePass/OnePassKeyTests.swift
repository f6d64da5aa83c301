import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("1Pass simulator: discovery and keys")
struct OnePassKeyTests {
    private let clock = SimulatorClock.stopped(at: .epoch)

    private func verify(
        _ token: String, of onePass: OnePassSimulator
    ) async throws(ProviderError) -> VerifiedIDToken {
        let clock = clock
        return try await StandaloneTokens(upstream: SimulatorUpstream(), now: { clock.now }).verify(
            token,
            by: IDTokenPolicy(
                issuers: [onePass.url], audiences: [onePass.defaultApplication.clientID],
                keySetURL: onePass.url + "/.well-known/jwks.json"),
            nonce: .unchecked, accessToken: nil)
    }

    @Test func `discovery names every endpoint, and userinfo unless told not to`() async throws {
        try await OnePassSimulator.running { onePass in
            let document = try await WebClient.get(onePass.url + "/.well-known/openid-configuration").json
            onePass.behaviour.namesUserinfoEndpoint = false
            let silent = try await WebClient.get(onePass.url + "/.well-known/openid-configuration").json

            #expect(document["issuer"] as? String == onePass.url)
            for name in [
                "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "revocation_endpoint",
                "device_authorization_endpoint",
            ] {
                #expect((document[name] as? String)?.hasPrefix(onePass.url + "/") == true)
            }
            #expect(document["code_challenge_methods_supported"] as? [String] == ["S256"])
            #expect(silent["userinfo_endpoint"] == nil)
        }
    }

    @Test func `an issuer that is no address stands in discovery and in tokens`() async throws {
        try await OnePassSimulator.running(.init(issuer: "logi")) { onePass in
            let token = onePass.idToken(for: try onePass.named("ada"), application: onePass.defaultApplication)

            #expect(try claims(of: token)["iss"] == "logi")
            let document = try await WebClient.get(onePass.url + "/.well-known/openid-configuration").json
            #expect(document["issuer"] as? String == "logi")
        }
    }

    @Test func `the key set holds a key of another type that signs nothing`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let answer = try await WebClient.get(onePass.url + "/.well-known/jwks.json")
            let keys = try #require(try answer.json["keys"] as? [[String: Any]])
            let token = onePass.idToken(for: try onePass.named("ada"), application: onePass.defaultApplication)

            #expect(answer.header("cache-control") == "public, max-age=3600")
            #expect(Set(keys.compactMap { $0["kty"] as? String }) == ["RSA", "EC"])
            #expect(keys.allSatisfy { ($0["kid"] as? String)?.wholeMatch(of: /[0-9a-f]{16}/) != nil })
            #expect(try await verify(token, of: onePass).subject == onePass.named("ada").subject)
        }
    }

    @Test func `after a rotation old tokens hold for ninety days`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let old = onePass.keys.currentKeyID
            onePass.rotateKeys()
            let new = onePass.keys.currentKeyID
            clock.advance(by: 90 * 86_400 - 1)
            let during = try await WebClient.get(onePass.url + "/.well-known/jwks.json").text
            clock.advance(by: 1)
            let afterwards = try await WebClient.get(onePass.url + "/.well-known/jwks.json").text
            let token = onePass.idToken(for: try onePass.named("ada"), application: onePass.defaultApplication)

            #expect(during.contains(old) && during.contains(new) && old != new)
            #expect(!afterwards.contains(old) && afterwards.contains(new))
            #expect(try await verify(token, of: onePass).subject == onePass.named("ada").subject)
        }
    }

    @Test func `tokens are forged and claims replaced when a test asks for it`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let ada = try onePass.named("ada")
            onePass.forgery = .foreignKey
            let forged = onePass.tokens(for: ada, application: onePass.defaultApplication)
            onePass.restoreTokens()
            onePass.replaceClaim("nonce", with: "replaced")
            let replaced = onePass.idToken(for: ada, application: onePass.defaultApplication)

            await #expect(throws: ProviderError.self) { try await verify(forged.idToken ?? "", of: onePass) }
            #expect(try await verify(forged.accessToken, of: onePass).subject == ada.subject)
            #expect(try claims(of: replaced)["nonce"] == "replaced")
        }
    }
}
