import Broker
import Foundation
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("changing one's own address")
struct EmailChangeTests {
    @Test func `strict changes no address, since the broker cannot verify one`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))

            for email in ["new@example.com", "no address", ""] {
                #expect(try await broker.update(session, ["email": .string(email)]).code == "OPERATION_NOT_ALLOWED")
            }
            #expect(try await broker.record(session)["email"] == "ada@example.com")
            #expect(try await broker.update(session, ["email": "ADA@example.com"]).status == 200)
        }
    }

    @Test func `firebase takes an unverified address and gives new tokens of the same login`() async throws {
        try await TestBroker.run({ $0.policy.emailChange = .firebase }) { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let other = try await broker.signIn(broker.person("ada"))
            broker.clock.advance(seconds: 60)

            let answer = try await broker.update(session, ["email": "New@Example.com"])

            #expect(answer["email"] == "new@example.com" && answer["newEmail"] == "new@example.com")
            #expect(answer["emailVerified"] == false)
            let record = try await broker.record(answer)
            #expect(record["email"] == "new@example.com" && record["emailVerified"] == false)
            #expect(record["initialEmail"] == "ada@example.com")
            let claims = try CompactJWS(parsing: answer.string("idToken")).unverifiedClaims()
            #expect(claims["email"] == "new@example.com" && claims["email_verified"] == false)
            #expect(claims["auth_time"]?.integer == Int64(broker.clock.now.timeIntervalSince1970) - 60)
            #expect(claims["firebase"]?["sign_in_provider"] == "github.com")
            for dead in [session, other] {
                #expect(try await broker.lookup(dead.string("idToken")).code == "TOKEN_EXPIRED")
                #expect(try await broker.refresh(dead.string("refreshToken")).code == "TOKEN_EXPIRED")
            }
            #expect(try await broker.refresh(answer.string("refreshToken")).status == 200)
        }
    }

    @Test func `the first address is remembered through later changes`() async throws {
        try await TestBroker.run({ $0.policy.emailChange = .firebase }) { broker in
            let first = try await broker.update(broker.signIn(broker.person("ada")), ["email": "second@example.com"])

            let second = try await broker.update(first, ["email": "third@example.com"])

            #expect(try await broker.record(second)["initialEmail"] == "ada@example.com")
        }
    }

    @Test func `the address one has already is no change`() async throws {
        try await TestBroker.run({ $0.policy.emailChange = .firebase }) { broker in
            let session = try await broker.signIn(broker.person("ada"))

            let answer = try await broker.update(session, ["email": "ADA@EXAMPLE.COM"])

            #expect(answer["newEmail"] == "ada@example.com" && answer["emailVerified"] == true)
            #expect(answer["idToken"] == nil)
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test(arguments: [
        ("no address", "INVALID_EMAIL"), ("", "INVALID_EMAIL"), ("a@b@c", "INVALID_EMAIL"),
        ("ü@example.com", "INVALID_EMAIL"), ("Ada@Example.com", "EMAIL_EXISTS"),
    ])
    func `an invalid or taken address is refused and writes nothing`(
        email: String, code: String
    ) async throws {
        try await TestBroker.run({ $0.policy.emailChange = .firebase }) { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let session = try await broker.signUp()

            let answer = try await broker.update(session, ["email": .string(email), "displayName": "Mallory"])

            #expect(answer.code == code)
            let record = try await broker.record(session)
            #expect(record["email"] == nil && record["displayName"] == nil)
        }
    }

    @Test func `an address is changed after a recent login only`() async throws {
        try await TestBroker.run({ $0.policy = .firebase }) { broker in
            let session = try await broker.signIn(broker.person("ada"))
            broker.clock.advance(seconds: 301)

            let answer = try await broker.update(session, ["email": "new@example.com"])

            #expect(answer.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            #expect(try await broker.update(session, ["displayName": "x"]).status == 200)
        }
    }

    @Test func `an address is removed without new tokens, and another user may set it`() async throws {
        try await TestBroker.run({ $0.policy.emailChange = .firebase }) { broker in
            let session = try await broker.signIn(broker.person("ada"))

            let answer = try await broker.update(session, ["deleteAttribute": ["EMAIL"]])

            #expect(answer.status == 200 && answer["email"] == nil && answer["idToken"] == nil)
            let record = try await broker.record(session)
            #expect(record["email"] == nil && record["emailVerified"] == nil)
            let other = try await broker.update(broker.signUp(), ["email": "ada@example.com"])
            #expect(other["email"] == "ada@example.com" && other["emailVerified"] == false)
        }
    }

    @Test func `strict lets an address go as well`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))

            #expect(try await broker.update(session, ["deleteAttribute": [1]]).status == 200)
            #expect(try await broker.record(session)["email"] == nil)
        }
    }
}
