import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("exchanging a provider's answer for a pending token")
struct ExchangeCredentialTests {
    @Test(arguments: TestProviders.ids)
    func `the exchange signs no user in, and the pending token does so once`(provider: String) async throws {
        try await TestProviders.run { broker, providers in
            providers.allow(AppSignIn.page)
            let email = "ann-\(RandomText.alphanumeric(8).lowercased())@example.com"
            _ = try providers.person(at: provider, email: email)
            let signIn = try await AppSignIn.begin(broker, provider, as: email, extra: ["context": "c"])

            let exchanged = try await signIn.finish(by: "/v1/broker/credentials:exchange")
            let users = try await broker.core.store.read { try $0.users(after: nil, limit: 10).count }
            let pending = try exchanged.string("pendingToken")
            let signedIn = try await broker.usePending(pending)
            let again = try await broker.usePending(pending)

            #expect(exchanged.status == 200 && exchanged["kind"] == "broker#ExchangeCredentialResponse")
            #expect(exchanged["providerId"]?.string == provider && exchanged["context"] == "c")
            #expect(exchanged["email"]?.string == email)
            #expect(exchanged["idToken"] == nil && exchanged["localId"] == nil && exchanged["refreshToken"] == nil)
            #expect(users == 0)
            #expect(signedIn["isNewUser"] == true && signedIn["providerId"]?.string == provider, "\(signedIn.text)")
            #expect(again.code == "INVALID_PENDING_TOKEN")
            #expect(try await signIn.finish().code == "INVALID_IDP_RESPONSE", "the answer is used up")
        }
    }

    @Test func `it takes nothing but the answer to a sign-in begun here, from an app with a key`() async throws {
        try await TestBroker.run { broker in
            let path = "/v1/broker/credentials:exchange"
            let token = broker.simulator.accessToken(
                for: try broker.person("ada"), application: broker.simulator.defaultApplication)

            let foreign = try await broker.post(
                path,
                [
                    "requestUri": "http://localhost",
                    "postBody": .string("access_token=\(token)&providerId=github.com"),
                ])
            let unknown = try await broker.post(
                path, ["requestUri": "http://localhost:3000/signed-in?code=1&state=2", "sessionId": "3"])
            let keyless = try await broker.send(.POST, path, headers: ["Content-Type": "application/json"], body: [])

            #expect(foreign.code == "INVALID_IDP_RESPONSE" && unknown.code == "INVALID_IDP_RESPONSE")
            #expect(keyless.status == 403)
        }
    }
}
