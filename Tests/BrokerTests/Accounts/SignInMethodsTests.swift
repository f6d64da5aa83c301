import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("asking which providers an address signs in with")
struct SignInMethodsTests {
    private static func ask(_ broker: TestBroker, _ identifier: String, extra: JSONObject = [:]) async throws -> Answer
    {
        var body: JSONObject = ["identifier": .string(identifier), "continueUri": "http://localhost"]
        for (name, value) in extra { body[name] = value }
        return try await broker.post("/v1/accounts:createAuthUri", .object(body))
    }

    @Test func `strict tells a known address from an unknown one in nothing`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.signIn(broker.person("ada"))

            for address in ["ada@example.com", "nobody@example.com"] {
                let answer = try await Self.ask(broker, address)

                #expect(answer["kind"] == "identitytoolkit#CreateAuthUriResponse")
                #expect(answer["sessionId"]?.string?.utf8.count == 27)
                #expect(answer.body.object?.names == ["kind", "sessionId"])
            }
        }
    }

    @Test func `firebase tells the providers of the user`() async throws {
        try await TestBroker.runWithTwoProviders({ $0.policy = .firebase }) { broker in
            _ = try await broker.signInWithTwoIdentities()

            let known = try await Self.ask(broker, "ADA@Example.com", extra: ["sessionId": "mine"])
            let unknown = try await Self.ask(broker, "nobody@example.com")

            #expect(known["registered"] == true && known["sessionId"] == "mine")
            #expect(known["signinMethods"] == ["github.com", "github.work"])
            #expect(known["allProviders"] == known["signinMethods"])
            #expect(unknown["registered"] == false)
            #expect(unknown["signinMethods"] == [] && unknown["allProviders"] == [])
        }
    }

    @Test func `firebase finds an address only an identity has`() async throws {
        try await TestBroker.run({ $0.policy = .firebase }) { broker in
            let session = try await broker.signIn(broker.person("ada"))
            _ = try await broker.update(session, ["deleteAttribute": ["EMAIL"]])

            #expect(try await Self.ask(broker, "ada@example.com")["signinMethods"] == ["github.com"])
        }
    }

    @Test(
        arguments: [
            ([:], "MISSING_IDENTIFIER"), (["identifier": ""], "MISSING_IDENTIFIER"),
            (["identifier": "no address"], "MISSING_CONTINUE_URI"),
            (["identifier": "no address", "continueUri": "nowhere"], "INVALID_IDENTIFIER"),
            (["identifier": "a@example.com", "continueUri": "nowhere"], "INVALID_CONTINUE_URI"),
            (["identifier": "a@example.com", "continueUri": "/there"], "INVALID_CONTINUE_URI"),
            (["providerId": "github.com"], "MISSING_CONTINUE_URI"),
        ] as [(JSONObject, String)])
    func `checks come in the contract's order`(body: JSONObject, code: String) async throws {
        try await TestBroker.run { broker in
            for path in ["/v1/accounts:createAuthUri", "/identitytoolkit/v3/relyingparty/createAuthUri"] {
                let answer = try await broker.post(path, .object(body))

                #expect(answer.code == code)
            }
        }
    }
}
