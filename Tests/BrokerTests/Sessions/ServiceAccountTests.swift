import BrokerStore
import Foundation
import JOSE
import ProviderKit
import Testing

@testable import Broker

@Suite("service accounts")
struct ServiceAccountTests {
    private typealias Backend = ServiceAccountBackend

    private static let origin = ServiceAccountBackend.origin

    @Test func `an assertion yields an access token with the scopes of the account, until it expires`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.readProviderTokens])
            let answer = try await backend.exchange(try backend.assertion())
            let token = try #require(answer["access_token"]?.string, "\(answer.text)")

            #expect(answer["token_type"] == "Bearer" && answer["expires_in"] == 3600)
            #expect(answer["scope"] == "provider-tokens:read")
            #expect(try await backend.status(of: token) == 400)
            broker.clock.advance(seconds: 3599)
            #expect(try await backend.status(of: token) == 400)
            broker.clock.advance(seconds: 1)
            #expect(try await backend.status(of: token) == 401)
        }
    }

    @Test func `an access token never outlives its assertion, however late the exchange is`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.readProviderTokens])
            let assertion = try backend.assertion()
            broker.clock.advance(seconds: 3000)
            let answer = try await backend.exchange(assertion)

            #expect(answer["expires_in"] == 600)
        }
    }

    @Test func `an account has no right beyond its scopes`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.readUsers])
            #expect(try await backend.status(of: try await backend.accessToken()) == 403)
        }
    }

    @Test func `a revocation ends access tokens, assertions and custom tokens at once`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.admin])
            let token = try await backend.accessToken()
            #expect(try await backend.status(of: token) == 400)

            let first = try await broker.core.sessions.serviceAccounts.revoke(id: backend.id, origin: Self.origin)
            let second = try await broker.core.sessions.serviceAccounts.revoke(id: backend.id, origin: Self.origin)

            #expect(first?.id == backend.id && second == nil)
            #expect(try await backend.status(of: token) == 401)
            let refused = try await backend.exchange(try backend.assertion())
            #expect(refused.status == 400 && refused["error"] == "invalid_grant")
            let signIn = try await broker.signIn(customToken: try Self.customToken("ada", of: backend))
            #expect(signIn.status == 400 && signIn.code == "INVALID_CUSTOM_TOKEN", "\(signIn.text)")
        }
    }

    @Test func `earlier keys stay valid for the overlap of a rotation, with what they obtained`() async throws {
        try await TestBroker.run { broker in
            let old = try await Backend.create(at: broker, [.admin])
            let token = try await old.accessToken()
            let rotated = try #require(
                try await broker.core.sessions.serviceAccounts.rotateKey(
                    id: old.id, overlap: .seconds(60), origin: Self.origin))
            let new = try Backend(at: broker, rotated.record, rotated.keyFile)

            #expect(new.keyID != old.keyID && new.email == old.email)
            #expect(try await old.status(of: token) == 400)
            _ = try await old.accessToken()
            broker.clock.advance(seconds: 60)
            #expect(try await old.status(of: token) == 401)
            #expect(try await old.exchange(try old.assertion()).status == 400)
            #expect(try await new.status(of: try await new.accessToken()) == 400)
        }
    }

    private static let wrongClaims: [(String, JSONValue)] = [
        ("aud", "https://elsewhere.example/token"), ("aud", ["https://oauth2.googleapis.com/token", "x"]),
        ("iss", "stranger@test-project.iam.example"), ("sub", "stranger@test-project.iam.example"),
        ("exp", 1_800_003_601), ("exp", 1_800_000_000), ("exp", "soon"), ("iat", 1_800_000_031),
    ]

    @Test(arguments: wrongClaims)
    func `an assertion with a wrong claim is refused`(claim: String, value: JSONValue) async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.admin])
            let answer = try await backend.exchange(try backend.assertion(JSONObject([(claim, value)])))

            #expect(answer.status == 400 && answer["error"] == "invalid_grant", "\(answer.text)")
        }
    }

    @Test func `an assertion without a known scope, with another key or of another grant is refused`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.admin])
            let unknown = try await backend.exchange(try backend.assertion(["scope": "openid"]))
            let stranger = try ServiceAccountFixture.stranger.get()
            let claims = try CompactJWS(parsing: try backend.assertion()).unverifiedClaims()
            let forged = try await backend.exchange(try stranger.token(claims))
            let grant = try await broker.post(
                "/oauth/service-accounts/token",
                form: [("grant_type", "client_credentials"), ("assertion", try backend.assertion())])

            #expect(unknown["error"] == "invalid_scope" && forged["error"] == "invalid_grant")
            #expect(grant["error"] == "unsupported_grant_type")
        }
    }

    @Test(arguments: [(AdminScope.admin, true), (.writeUsers, true), (.readUsers, false)])
    func `an account signs custom tokens if it may write users`(scope: AdminScope, maySign: Bool) async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [scope])
            let answer = try await broker.signIn(customToken: try Self.customToken("ada", of: backend))

            #expect((answer.status == 200) == maySign, "\(answer.text)")
            if !maySign { #expect(answer.message?.contains("users:write") == true) }
        }
    }

    @Test func `the store has no private key`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend.create(at: broker, [.admin])
            let stored = try #require(try await broker.core.sessions.serviceAccounts.all().first)

            #expect(stored.keys.map(\.id) == [backend.keyID])
            #expect(try JSONValue(parsing: stored.keys[0].publicJWK)["d"] == nil)
        }
    }

    @Test(arguments: ["", "Calendar", "1st", "a b", String(repeating: "a", count: 31), "calendar"])
    func `a name that is malformed or was given before is refused`(name: String) async throws {
        try await TestBroker.run { broker in
            let first = try await Backend.create(at: broker, [.admin])
            _ = try await broker.core.sessions.serviceAccounts.revoke(id: first.id, origin: Self.origin)

            await #expect(throws: AdminFailure.self) {
                try await broker.core.sessions.serviceAccounts.create(
                    named: name, scopes: [.admin], origin: Self.origin)
            }
            #expect(try await broker.core.sessions.serviceAccounts.all().count == 1)
        }
    }

    private static func customToken(_ uid: String, of backend: Backend) throws -> String {
        var claims = ServiceAccountFixture.claims(uid, at: backend.broker.clock.now)
        claims["iss"] = .string(backend.email)
        claims["sub"] = .string(backend.email)
        return try backend.signed(claims)
    }
}
