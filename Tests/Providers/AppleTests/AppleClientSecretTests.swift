import Apple
import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Apple: client secret and codes outside of sign-ins")
struct AppleClientSecretTests {
    private func secret(_ provider: any SignedClientSecret, _ apple: AppleSimulator, of clientID: String) throws
        -> Secret
    {
        let clock = apple.clock
        let tokens = StandaloneTokens(upstream: AppleUpstream(simulator: apple.url), now: { clock.now })
        return Secret(try tokens.sign(provider.clientSecret(of: clientID)))
    }

    @Test func `Apple accepts the secret of each client, and of no other`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any SignedClientSecret)
            let (web, app) = (apple.defaultApplication.clientID, apple.nativeApplication.clientID)

            #expect(provider.clientIDs == [web, app])
            for clientID in [web, app] {
                let secret = try secret(provider, apple, of: clientID)
                #expect(try await provider.accepts(secret, of: clientID))
            }
            let foreign = try secret(provider, apple, of: web)
            #expect(try await !provider.accepts(foreign, of: app))
            #expect(apple.clientRefusals == [.wrongSubject])
        }
    }

    @Test func `a revoked key is refused, and an outage is no refusal`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any SignedClientSecret)
            let secret = try secret(provider, apple, of: provider.clientID)
            apple.fail(.token, with: .status(503), times: 1)
            let error = await #expect(throws: ProviderError.self) {
                try await provider.accepts(secret, of: provider.clientID)
            }
            apple.revoke(keyID: apple.key.keyID)

            #expect(error?.fault == .upstream)
            #expect(try await !provider.accepts(secret, of: provider.clientID))
        }
    }

    @Test func `a request that Apple does not understand says nothing of a secret`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any SignedClientSecret)
            let body = #"{"error":"invalid_request"}"#
            apple.fail(.token, with: .status(400, body: body, contentType: "application/json"))
            let error = await #expect(throws: ProviderError.self) {
                try await provider.accepts(Secret("secret"), of: apple.nativeApplication.clientID)
            }
            #expect(error?.fault == .upstream)
        }
    }

    @Test func `a device's code is exchanged by its own client, whatever its nonce`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any CodeExchange)
            let native = apple.nativeCredential(
                for: try apple.ada, application: apple.nativeApplication, rawNonce: "raw")
            let code = Credential.AuthorizationCode(code: native.authorizationCode, redirectURI: nil)
            let wrong = await #expect(throws: ProviderError.self) {
                try await provider.exchange(code, of: apple.defaultApplication.clientID)
            }
            let identity = try await provider.exchange(code, of: apple.nativeApplication.clientID)
            let again = await #expect(throws: ProviderError.self) {
                try await provider.exchange(code, of: apple.nativeApplication.clientID)
            }

            #expect(identity.subject == (apple.subject(of: try apple.ada, for: apple.nativeApplication)))
            #expect(identity.grant?.clientID == apple.nativeApplication.clientID)
            #expect(identity.grant?.refreshToken != nil)
            #expect(wrong?.fault == .credential && again?.fault == .credential)
        }
    }
}
