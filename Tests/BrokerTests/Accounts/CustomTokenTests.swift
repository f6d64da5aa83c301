import Broker
import BrokerStore
import Foundation
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("signing in with custom tokens")
struct CustomTokenTests {
    typealias Fixture = ServiceAccountFixture

    @Test func `a trusted account's token makes a user, and signs in the same one later`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let token = try fixture.token(Fixture.claims("employee-7", at: broker.clock.now))

            let first = try await broker.signIn(customToken: token)
            let second = try await broker.signIn(customToken: token)

            #expect(first["kind"] == "identitytoolkit#VerifyCustomTokenResponse")
            #expect(first["isNewUser"] == true && second["isNewUser"] == false)
            #expect(first["expiresIn"] == "3600" && first["localId"] == nil)
            let record = try await broker.record(second)
            #expect(record["localId"] == "employee-7" && record["customAuth"] == true)
            let claims = try CompactJWS(parsing: first.string("idToken")).unverifiedClaims()
            #expect(claims["sub"] == "employee-7" && claims["provider_id"] == nil)
            #expect(claims["firebase"]?["sign_in_provider"] == "custom")
            #expect(try await broker.events(of: "employee-7") == ["user.signed-in", "user.created"])
        }
    }

    @Test func `developer claims are in the ID token and survive refresh, the broker's own win`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let developer: JSONObject = [
                "role": "x", "deep": ["k": [1, nil]], "name": "over", "email": "evil@example.com",
            ]
            let token = try fixture.token(
                Fixture.claims("u", at: broker.clock.now, ["claims": .object(developer)]))

            let session = try await broker.signIn(customToken: token)
            broker.clock.advance(seconds: 5)
            let refreshed = try await broker.refresh(session.string("refreshToken"))

            for text in [try session.string("idToken"), try refreshed.string("id_token")] {
                let claims = try CompactJWS(parsing: text).unverifiedClaims()
                #expect(claims["role"] == "x" && claims["name"] == "over" && claims["email"] == nil)
                #expect(claims["deep"] == ["k": [1, nil]])
            }
        }
    }

    @Test func `claims called sid and epoch are the developer's and say nothing about the session`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let victim = try await broker.signIn(
                customToken: fixture.token(Fixture.claims("victim", at: broker.clock.now)))
            let session = try CompactJWS(parsing: victim.string("idToken")).unverifiedClaims()["broker"]
            let developer: JSONObject = ["sid": session?["sid"] ?? .null, "epoch": 7]
            let answer = try await broker.signIn(
                customToken: fixture.token(
                    Fixture.claims("u", at: broker.clock.now, ["claims": .object(developer)])))

            let claims = try CompactJWS(parsing: answer.string("idToken")).unverifiedClaims()
            #expect(claims["sid"] == session?["sid"] && claims["epoch"] == 7)
            #expect(claims["broker"]?["sid"] != session?["sid"] && claims["broker"]?["epoch"]?.integer != 7)
            #expect(try await broker.record(answer)["localId"] == "u")
            let signOut = try await broker.post("/v1/broker/sessions:signOut", ["idToken": answer["idToken"] ?? .null])
            #expect(signOut.status == 200)
            #expect(try await broker.lookup(answer.string("idToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.lookup(victim.string("idToken")).status == 200)
        }
    }

    @Test func `a token for an existing user signs that user in`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let person = try await broker.signIn(broker.person("ada"))
            let uid = try person.string("localId")

            let answer = try await broker.signIn(
                customToken: fixture.token(Fixture.claims(uid, at: broker.clock.now)))

            #expect(answer["isNewUser"] == false)
            #expect(try await broker.record(answer)["providerUserInfo"]?.array?.count == 1)
            // With custom tokens there is another way in, so the last provider may go.
            #expect(try await broker.update(answer, ["deleteProvider": ["github.com"]]).status == 200)
        }
    }

    @Test(
        arguments: [
            (["uid": nil], "MISSING_IDENTIFIER"), (["uid": ""], "MISSING_IDENTIFIER"),
            (["uid": []], "MISSING_IDENTIFIER"),
            (["uid": .string(String(repeating: "x", count: 129))], "INVALID_CUSTOM_TOKEN"),
            (["uid": "a\u{0}b"], "INVALID_CUSTOM_TOKEN"), (["uid": "a\u{202E}b"], "INVALID_CUSTOM_TOKEN"),
            (["claims": nil], "INVALID_CLAIMS"), (["claims": []], "INVALID_CLAIMS"),
            (["claims": "x"], "INVALID_CLAIMS"),
            (["claims": ["sub": "other"]], "FORBIDDEN_CLAIM"), (["claims": ["firebase": [:]]], "FORBIDDEN_CLAIM"),
            (["claims": ["broker": "x"]], "FORBIDDEN_CLAIM"), (["tenant_id": "tenant-1"], "TENANT_ID_MISMATCH"),
            (["tenant_id": ""], "TENANT_ID_MISMATCH"), (["tenant_id": 5], "TENANT_ID_MISMATCH"),
            (["claims": ["big": .string(String(repeating: "x", count: 4096))]], "CLAIMS_TOO_LARGE"),
            (["aud": "test-project"], "INVALID_CUSTOM_TOKEN"), (["aud": []], "INVALID_CUSTOM_TOKEN"),
            (["iss": "else@test-project.iam.example"], "INVALID_CUSTOM_TOKEN"),
            (["sub": "else@test-project.iam.example"], "INVALID_CUSTOM_TOKEN"),
            (["exp": 1_800_000_000], "INVALID_CUSTOM_TOKEN"), (["exp": 1_800_003_601], "INVALID_CUSTOM_TOKEN"),
            (["exp": "1800003600"], "INVALID_CUSTOM_TOKEN"),
            (["exp": 9_223_372_036_854_775_807], "INVALID_CUSTOM_TOKEN"),
            (["iat": 1_800_000_031], "INVALID_CUSTOM_TOKEN"), (["iat": nil], "INVALID_CUSTOM_TOKEN"),
            (["iat": -9_223_372_036_854_775_807], "INVALID_CUSTOM_TOKEN"),
        ] as [(JSONObject, String)])
    func `a signed token that asks for too much is refused`(change: JSONObject, code: String) async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let token = try fixture.token(Fixture.claims("u", at: broker.clock.now, change))

            #expect(try await broker.signIn(customToken: token).code == code)
            #expect(try await broker.core.store.read { try $0.users(after: nil, limit: 1) }.isEmpty)
        }
    }

    @Test func `the error names the forbidden claim that comes first in the contract`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let claims: JSONObject = ["claims": ["c_hash": 1, "aud": 1, "fine": 1]]
            let token = try fixture.token(Fixture.claims("u", at: broker.clock.now, claims))

            #expect(try await broker.signIn(customToken: token).message == "FORBIDDEN_CLAIM : aud")
        }
    }

    @Test func `numbers, booleans and user_id serve as uid`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            for (change, uid) in [
                (["uid": 42], "42"), (["uid": true], "true"), (["uid": nil, "user_id": "old"], "old"),
            ]
                as [(JSONObject, String)]
            {
                let token = try fixture.token(Fixture.claims("u", at: broker.clock.now, change))
                let answer = try await broker.signIn(customToken: token)

                #expect(try await broker.record(answer)["localId"]?.string == uid)
            }
        }
    }

    @Test func `a token without a trusted signature is refused, whatever its header says`() async throws {
        try await TestBroker.runWithServiceAccount(keyID: "key-1") { broker, fixture in
            let stranger = try Fixture.stranger.get()
            let claims = Fixture.claims("u", at: broker.clock.now)
            let good = try fixture.token(claims)
            let unsigned =
                Base64URL.encode(#"{"alg":"none","typ":"JWT"}"#.utf8) + "." + good.split(separator: ".")[1] + "."
            let hostile = [
                try stranger.token(claims), try stranger.token(claims, header: ["alg": "RS256", "kid": "key-1"]),
                try fixture.token(claims, header: ["alg": "RS256", "kid": "key-2"]),
                try fixture.token(claims, header: ["alg": "HS256"]),
                try fixture.token(claims, header: ["alg": "ES256"]),
                try fixture.token(claims, header: ["alg": "none"]), unsigned, String(good.dropLast(4)),
                claims.serialized(), #"{"uid":"u"}"#, "a.b.c", "…",
            ]

            for token in hostile {
                #expect(try await broker.signIn(customToken: token).code == "INVALID_CUSTOM_TOKEN")
            }
            let formats = try await broker.signIn(customToken: "x").message
            #expect(formats == "INVALID_CUSTOM_TOKEN : Invalid assertion format")
            #expect(try await broker.signIn(customToken: good).status == 200)
            let named = try fixture.token(claims, header: ["alg": "RS256", "kid": "key-1"])
            #expect(try await broker.signIn(customToken: named).status == 200)
        }
    }

    @Test func `without service accounts no custom token is good`() async throws {
        try await TestBroker.run { broker in
            let token = try Fixture.trusted.get().token(Fixture.claims("u", at: broker.clock.now))

            #expect(try await broker.signIn(customToken: token).code == "INVALID_CUSTOM_TOKEN")
            #expect(try await broker.signIn(customToken: "").code == "MISSING_CUSTOM_TOKEN")
            let path = "/identitytoolkit/v3/relyingparty/verifyCustomToken"
            #expect(try await broker.post(path, [:]).code == "MISSING_CUSTOM_TOKEN")
        }
    }

    @Test func `a disabled user stays out, and nothing is written`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let user = User(key: 1, localID: "gone", isDisabled: true, createdAt: Timestamp(seconds: 1))
            _ = try await broker.core.store.write { try $0.insert(user) }
            let token = try fixture.token(Fixture.claims("gone", at: broker.clock.now))

            #expect(try await broker.signIn(customToken: token).code == "USER_DISABLED")
            #expect(try await broker.core.store.read { try $0.user(localID: "gone") } == user)
        }
    }
}
