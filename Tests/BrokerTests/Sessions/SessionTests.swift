import Broker
import BrokerStore
import Foundation
import GitHub
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("sessions and tokens")
struct SessionTests {
    @Test func `an ID token carries every claim of the contract and verifies against the published keys`() async throws
    {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            let answer = try await broker.signIn(person)
            let keys = try KeySet(importing: try await broker.get("/test-project/.well-known/jwks.json").body)

            let claims = try CompactJWS(parsing: answer.string("idToken")).verified(with: keys, algorithms: [.es256])

            let now = Int64(broker.clock.now.timeIntervalSince1970)
            #expect(claims["iss"] == "http://127.0.0.1:9099/test-project")
            #expect(claims["aud"] == "test-project")
            #expect(claims["sub"]?.string == (try answer.string("localId")))
            #expect(claims["user_id"] == claims["sub"])
            #expect(claims["iat"]?.integer == now && claims["auth_time"]?.integer == now)
            #expect(claims["exp"]?.integer == now + 3600)
            #expect(claims["name"]?.string == person.name)
            #expect(claims["email"] == "ada@example.com" && claims["email_verified"] == true)
            #expect(claims["provider_id"] == nil)
            #expect(claims["firebase"]?["sign_in_provider"] == "github.com")
            #expect(claims["firebase"]?["identities"]?["github.com"] == [.string(String(person.id))])
            #expect(claims["firebase"]?["identities"]?["email"] == ["ada@example.com"])
        }
    }

    @Test func `an anonymous user's token says so and holds no identity`() async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.signUp()
            let claims = try CompactJWS(parsing: answer.string("idToken")).verified(
                with: broker.core.sessions.signingKeys.verification, algorithms: [.es256])

            #expect(answer["kind"] == "identitytoolkit#SignupNewUserResponse")
            #expect(claims["provider_id"] == "anonymous")
            #expect(claims["firebase"]?["identities"] == [:])
            #expect(claims["firebase"]?["sign_in_provider"] == "anonymous")
        }
    }

    @Test func `the firebase policy signs with RS256 as Google's issuer would`() async throws {
        try await TestBroker.run {
            $0.policy = .firebase
        } _: { broker in
            let token = try CompactJWS(parsing: try await broker.signUp().string("idToken"))
            let claims = try token.verified(with: broker.core.sessions.signingKeys.verification, algorithms: [.rs256])

            #expect(claims["iss"] == "https://securetoken.google.com/test-project")
            #expect(try await broker.lookup(broker.signUp().string("idToken")).status == 200)
        }
    }

    @Test func `a refresh rotates the token, keeps auth_time and gives a different ID token`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()
            broker.clock.advance(seconds: 100)

            let answer = try await broker.refresh(session.string("refreshToken"))

            let claims = try CompactJWS(parsing: answer.string("id_token")).verified(
                with: broker.core.sessions.signingKeys.verification, algorithms: [.es256])
            #expect(answer["access_token"] == answer["id_token"] && answer["id_token"] != session["idToken"])
            #expect(answer["refresh_token"] != session["refreshToken"])
            #expect(answer["expires_in"] == "3600" && answer["token_type"] == "Bearer")
            #expect(answer["user_id"] == session["localId"] && answer["project_id"] == "123456789012")
            #expect(claims["iat"]?.integer == claims["auth_time"]?.integer.map { $0 + 100 })
        }
    }

    @Test func `a hundred replays at once get one successor and the session lives`() async throws {
        try await TestBroker.run { broker in
            let token = try await broker.signUp().string("refreshToken")

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<100 { group.addTask { try await broker.refresh(token) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.allSatisfy { $0.status == 200 })
            let successors = Set(try answers.map { try $0.string("refresh_token") })
            #expect(successors.count == 1)
            #expect(try await broker.refresh(#require(successors.first)).status == 200)
        }
    }

    @Test func `the direct parent is honoured for a minute and kills the session afterwards`() async throws {
        try await TestBroker.run { broker in
            let first = try await broker.signUp().string("refreshToken")
            let second = try await broker.refresh(first).string("refresh_token")

            broker.clock.advance(seconds: 60)
            let withinGrace = try await broker.refresh(first)
            broker.clock.advance(seconds: 1)
            let late = try await broker.refresh(first)

            #expect(try withinGrace.string("refresh_token") == second)
            #expect(late.code == "TOKEN_EXPIRED")
            #expect(try await broker.refresh(second).code == "TOKEN_EXPIRED")
        }
    }

    @Test func `a grandparent kills the session at once`() async throws {
        try await TestBroker.run { broker in
            let first = try await broker.signUp().string("refreshToken")
            let second = try await broker.refresh(first).string("refresh_token")
            let third = try await broker.refresh(second).string("refresh_token")

            #expect(try await broker.refresh(first).code == "TOKEN_EXPIRED")
            #expect(try await broker.refresh(third).code == "TOKEN_EXPIRED")
        }
    }

    @Test func `a forged refresh token has no effect on the session it names`() async throws {
        try await TestBroker.run { broker in
            let genuine = try await broker.signUp().string("refreshToken")
            var forged = Array(genuine.utf8)
            forged[forged.count - 2] ^= 1

            for text in [String(decoding: forged, as: UTF8.self), "rt1_", genuine + ".x", "rt1_a.b.c.d", "é"] {
                #expect(try await broker.refresh(text).code == "INVALID_REFRESH_TOKEN", "\(text)")
            }
            #expect(try await broker.refresh(genuine).status == 200)
        }
    }

    @Test(arguments: [(30 * 86_400 + 1, 0), (29 * 86_400, 29 * 86_400 * 3)])
    func `a session ends after thirty idle days or ninety days in all`(idle: Int, earlier: Int) async throws {
        try await TestBroker.run { broker in
            var token = try await broker.signUp().string("refreshToken")
            for _ in 0..<(earlier / 86_400 / 29) {
                broker.clock.advance(seconds: 29 * 86_400)
                token = try await broker.refresh(token).string("refresh_token")
            }
            broker.clock.advance(seconds: TimeInterval(idle))

            #expect(try await broker.refresh(token).code == "TOKEN_EXPIRED")
        }
    }

    @Test func `signing out ends this session and no other`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            let mine = try await broker.signIn(person)
            let other = try await broker.signIn(person)

            let answer = try await broker.post("/v1/broker/sessions:signOut", ["idToken": #require(mine["idToken"])])

            #expect(answer.status == 200)
            #expect(try await broker.lookup(mine.string("idToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.refresh(mine.string("refreshToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.lookup(other.string("idToken")).status == 200)
            #expect(try await broker.refresh(other.string("refreshToken")).status == 200)
        }
    }

    @Test func `signing out of all ends every session in the same second, and a new sign-in lives`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            let mine = try await broker.signIn(person)
            let other = try await broker.signIn(person)

            let answer = try await broker.post("/v1/broker/sessions:signOutAll", ["idToken": #require(mine["idToken"])])
            let again = try await broker.signIn(person)

            #expect(answer.status == 200)
            for session in [mine, other] {
                #expect(try await broker.lookup(session.string("idToken")).code == "TOKEN_EXPIRED")
                #expect(try await broker.refresh(session.string("refreshToken")).code == "TOKEN_EXPIRED")
            }
            #expect(try await broker.lookup(again.string("idToken")).status == 200)
            #expect(try await broker.refresh(again.string("refreshToken")).status == 200)
        }
    }

    @Test func `an ID token ends with its hour`() async throws {
        try await TestBroker.run { broker in
            let token = try await broker.signUp().string("idToken")
            broker.clock.advance(seconds: 3600 + 31)

            #expect(try await broker.lookup(token).code == "TOKEN_EXPIRED")
        }
    }

    @Test func `a broker with another master key refuses the store`() async throws {
        try await TestBroker.run { broker in
            let other = TestBrokerKey.write(in: broker.folder)
            var configuration = broker.core.configuration
            configuration.masterKey = .file(other)

            await #expect(throws: ConfigurationError.self) {
                try await BrokerCore.open(configuration, plugins: [.github], environment: [:]).close()
            }
        }
    }
}

enum TestBrokerKey {
    /// Another master key beside the first.
    static func write(in folder: TestFolder) -> String {
        let path = folder.path + "/other.key"
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(KeyMaterial.generateText().utf8), attributes: [.posixPermissions: 0o600])
        return path
    }
}
