import BrokerStore
import JOSE
import Testing

@testable import Broker

@Suite("tokens that were verified before")
struct VerifiedTokensTests {
    @Test func `a token that was accepted before is refused once its key is revoked`() async throws {
        try await TestBroker.run { broker in
            let token = try await broker.signUp().string("idToken")
            #expect(try await broker.lookup(token).status == 200)

            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .revoking, origin: Origin(.admin))

            #expect(try await broker.lookup(token).code == "INVALID_ID_TOKEN")
        }
    }

    @Test func `a token that was accepted before expires`() async throws {
        try await TestBroker.run { broker in
            let token = try await broker.signUp().string("idToken")
            #expect(try await broker.lookup(token).status == 200)

            broker.clock.advance(seconds: 3600 + 61)

            #expect(try await broker.lookup(token).code == "TOKEN_EXPIRED")
        }
    }

    @Test func `a token with the claims of an accepted one and another signature is refused`() async throws {
        try await TestBroker.run { broker in
            let token = try await broker.signUp().string("idToken")
            #expect(try await broker.lookup(token).status == 200)
            let other = try await broker.signUp().string("idToken")
            let parts = token.split(separator: ".")
            let signature = try #require(other.split(separator: ".").last)

            let forged = "\(parts[0]).\(parts[1]).\(signature)"

            #expect(try await broker.lookup(forged).code == "INVALID_ID_TOKEN")
            #expect(try await broker.lookup(forged).code == "INVALID_ID_TOKEN")
        }
    }
}
