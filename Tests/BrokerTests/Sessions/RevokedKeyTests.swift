import BrokerStore
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("tokens whose key was revoked by another process")
struct RevokedKeyTests {
    private static let origin = Origin(.admin, actor: "test")

    /// The answers of every door that takes a token of the user's.
    private struct Doors {
        let broker: TestBroker
        let app: OAuthApp
        let administrator: String
        let idToken: String
        let openID: Answer
        var cookie = ""

        init(at broker: TestBroker) async throws {
            self.broker = broker
            app = try await OAuthApp(at: broker, .native)
            administrator = try await broker.core.sessions.adminCredentials.create(
                named: "backend", scopes: [.introspectTokens, .writeUsers, .admin], lifetime: nil, origin: origin
            ).token.text
            idToken = try await broker.signIn(broker.person("ada")).string("idToken")
            openID = try await app.signIn(broker.signedInUser(), scope: "openid account")
            cookie = try await sessionCookie(of: idToken).string("sessionCookie")
        }

        func sessionCookie(of idToken: String) async throws -> Answer {
            try await broker.send(
                .POST, "/v1/projects/test-project:createSessionCookie",
                headers: ["Authorization": "Bearer \(administrator)", "Content-Type": "application/json"],
                body: Array(JSONValue.object(["idToken": .string(idToken), "validDuration": 300]).serialized().utf8))
        }

        func introspect(_ token: String) async throws -> Bool {
            let answer = try await broker.send(
                .POST, OAuthPaths.introspection,
                headers: [
                    "Authorization": "Bearer \(administrator)", "Content-Type": "application/x-www-form-urlencoded",
                ], body: Array(FormEncoding.encode([("token", token)]).utf8))
            return answer["active"] == true
        }

        func me(_ token: String) async throws -> Int {
            try await broker.send(.GET, OAuthPaths.account, headers: ["Authorization": "Bearer \(token)"]).status
        }

        func actor(_ token: String) async throws -> Answer {
            try await app.post(
                OAuthPaths.token,
                [
                    ("grant_type", TokenExchangeGrant.type), ("subject_token", "none"),
                    ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token"), ("provider", "github.com"),
                    ("actor_token", token), ("actor_token_type", NativeApp.accessTokenType), ("scope", "openid"),
                ])
        }
    }

    @Test func `a token that was verified before is dead at every door after one reload of the keys`() async throws {
        #expect(BackgroundIntervals().signingKeys <= .seconds(5))
        try await TestBroker.run { broker in
            let doors = try await Doors(at: broker)
            let access = try doors.openID.string("access_token")
            // Each is verified, and remembered where that is done.
            #expect(try await broker.lookup(doors.idToken).status == 200)
            for token in [doors.idToken, doors.cookie, access] { #expect(try await doors.introspect(token)) }
            #expect(try await broker.userInfo(access).status == 200)
            #expect(try await doors.me(access) == 200)

            try await broker.withSecondCore { other in
                _ = try await other.sessions.rotateSigningKeys([.es256], .revoking, origin: Self.origin)
            }
            try await broker.core.sessions.signingKeys.reload()
            try await broker.core.sessions.openIDSigningKeys.reload()

            let idToken = JSONValue.string(doors.idToken)
            for (path, further) in Self.identityToolkit {
                var body: JSONObject = ["idToken": idToken]
                for (name, value) in further { body[name] = value }
                let answer = try await broker.post(path, .object(body))
                #expect(answer.code == "INVALID_ID_TOKEN", "\(path): \(answer)")
            }
            let link = try await broker.link(broker.person("ben"), to: Self.session(doors.idToken))
            #expect(link.code == "INVALID_ID_TOKEN", "\(link)")
            #expect(try await doors.sessionCookie(of: doors.idToken).code == "INVALID_ID_TOKEN")
            for token in [doors.idToken, doors.cookie, access] { #expect(try await !doors.introspect(token)) }
            #expect(try await broker.userInfo(access).status == 401)
            #expect(try await doors.me(access) == 401)
            let actor = try await doors.actor(access)
            #expect(actor.oauthError == "invalid_grant", "\(actor)")
        }
    }

    private static let identityToolkit: [(String, JSONObject)] = [
        ("/v1/accounts:lookup", [:]), ("/v1/accounts:update", ["displayName": "Ada"]), ("/v1/accounts:delete", [:]),
        ("/v1/broker/sessions:signOut", [:]), ("/v1/broker/sessions:signOutAll", [:]),
        (
            "/v2/accounts:revokeToken",
            ["providerId": "github.com", "tokenType": "ACCESS_TOKEN", "token": "none"]
        ),
        (
            "/v1/accounts:createAuthUri",
            ["providerId": "github.com", "continueUri": "http://localhost/callback"]
        ),
    ]

    private static func session(_ idToken: String) -> Answer {
        Answer(status: 200, headers: [:], body: ["idToken": .string(idToken)], text: "")
    }
}
