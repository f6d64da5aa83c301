import BrokerStore
import JOSE
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("introspection by a backend")
struct BackendIntrospectionTests {
    private static let origin = Origin(.admin, actor: "test")

    /// A backend with an admin token.
    private struct Backend {
        let broker: TestBroker
        let token: String

        init(at broker: TestBroker, _ scopes: Set<AdminScope> = [.introspectTokens]) async throws {
            self.broker = broker
            token = try await broker.core.sessions.adminCredentials.create(
                named: "calendar", scopes: scopes, lifetime: nil, origin: origin
            ).token.text
        }

        func introspect(_ text: String, with credential: String? = nil) async throws -> Answer {
            try await broker.send(
                .POST, "/oauth/introspect",
                headers: [
                    "Authorization": "Bearer \(credential ?? token)",
                    "Content-Type": "application/x-www-form-urlencoded",
                ], body: Array(FormEncoding.encode([("token", text)]).utf8))
        }
    }

    private static func signIn(at broker: TestBroker) async throws -> (localID: String, idToken: String) {
        let answer = try await broker.signIn(try broker.person("ada"))
        return (try answer.string("localId"), try answer.string("idToken"))
    }

    @Test func `the access token of any client is active until its session ends`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(at: broker)
            let app = try await OAuthApp(at: broker, .native)
            let user = try await broker.signedInUser()
            let tokens = try await app.signIn(user, scope: "openid offline_access")

            let answer = try await backend.introspect(try tokens.string("access_token"))

            #expect(answer["active"] == true && answer["sub"]?.string == user.localID, "\(answer.text)")
            #expect(answer["client_id"]?.string == app.client.id && answer["aud"]?.string == app.client.id)
            #expect(answer["iss"] == "http://127.0.0.1:9099" && answer["scope"] == "openid offline_access")
            _ = try await app.post("/oauth/revoke", [("token", try tokens.string("access_token"))])
            #expect(try await backend.introspect(try tokens.string("access_token")).body == ["active": false])
        }
    }

    @Test(arguments: [true, false])
    func `ID tokens of Identity Toolkit and session cookies are active until the session ends`(
        isStrict: Bool
    ) async throws {
        try await TestBroker.run({ $0.policy = isStrict ? .strict : .firebase }) { broker in
            let backend = try await Backend(at: broker)
            let (localID, idToken) = try await Self.signIn(at: broker)
            let cookie = try await broker.core.sessions.createSessionCookie(idToken, lifetime: 300, origin: Self.origin)

            for token in [idToken, cookie] {
                let claims = try CompactJWS(parsing: token).unverifiedClaims()
                let answer = try await backend.introspect(token)
                #expect(answer["active"] == true, "\(answer.text)")
                for name in ["iss", "aud", "sub", "iat", "exp", "auth_time"] {
                    #expect(answer[name] != nil && answer[name] == claims[name], "\(name)")
                }
                #expect(answer["sid"] != nil && answer["sid"] == claims["broker"]?["sid"])
                #expect(answer["scope"] == nil && answer["token_type"] == nil)
            }
            _ = try await broker.core.sessions.revokeSessions(of: localID, origin: Self.origin)
            for token in [idToken, cookie] {
                #expect(try await backend.introspect(token).body == ["active": false])
            }
        }
    }

    @Test func `the answer about a token from before a merge names the user that is left`() async throws {
        try await TestBroker.runWithMerges { broker in
            let backend = try await Backend(at: broker)
            let survivor = try await broker.signIn(.init("9")).string("localId")
            let moved = try await broker.signIn(.init("7"))
            _ = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"], proven: ["7"]))
            let merge = try #require(try await broker.merges().first).merge
            _ = try await broker.core.accounts.approveMerge(merge.id, origin: Self.origin)

            let answer = try await backend.introspect(try moved.string("idToken"))

            #expect(answer["active"] == true, "\(answer.text)")
            #expect(answer["sub"]?.string == survivor && moved["localId"]?.string != survivor)
        }
    }

    @Test func `what is for clients is inactive, and so is any other text`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(at: broker)
            let user = try await broker.signedInUser()
            let tokens = try await OAuthApp(at: broker, .native).signIn(user, scope: "openid offline_access")

            for text in [
                try tokens.string("id_token"), try tokens.string("refresh_token"), "a.b.c",
            ] {
                #expect(try await backend.introspect(text).body == ["active": false])
            }
        }
    }

    @Test(arguments: [true, false])
    func `a token of another project or of another broker is inactive`(isStrict: Bool) async throws {
        try await TestBroker.run({ $0.policy = isStrict ? .strict : .firebase }) { broker in
            let backend = try await Backend(at: broker)
            let idToken = try await Self.signIn(at: broker).idToken
            let keys = broker.core.sessions.signingKeys
            let algorithm = broker.core.sessions.tokens.rules.algorithm
            let elsewhere = try await TestBroker.run({ $0.policy = isStrict ? .strict : .firebase }) { other in
                let user = try await other.signedInUser()
                let tokens = try await OAuthApp(at: other, .native).signIn(user)
                return [try await Self.signIn(at: other).idToken, try tokens.string("access_token")]
            }
            var tokens = elsewhere
            for (name, value) in [
                ("aud", "another-project"), ("iss", "https://securetoken.google.com/another-project"),
            ] as [(String, JSONValue)] {
                var claims = try CompactJWS(parsing: idToken).unverifiedClaims()
                claims[name] = value
                tokens.append(try await keys.sign(claims, algorithm))
            }

            for token in tokens {
                #expect(try await backend.introspect(token).body == ["active": false])
            }
            #expect(try await backend.introspect(idToken)["active"] == true)
        }
    }

    @Test func `custom claims named like a standard's are no rights`() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let backend = try await Backend(at: broker)
            let app = try await OAuthApp(at: broker)
            let other = try await broker.signIn(broker.person("ada"))
            let sid = try broker.claims(of: other)["broker"]?["sid"]
            let developer: JSONObject = [
                "scope": "openid account admin tokens:introspect", "client_id": .string(app.client.id),
                "sid": sid ?? .null, "epoch": 7, "token_type": "Bearer", "active": false, "scp": ["account"],
            ]
            let session = try await broker.signIn(
                customToken: fixture.token(
                    ServiceAccountFixture.claims("u", at: broker.clock.now, ["claims": .object(developer)])))
            let idToken = try session.string("idToken")
            let cookie = try await broker.core.sessions.createSessionCookie(idToken, lifetime: 300, origin: Self.origin)
            let claims = try CompactJWS(parsing: idToken).unverifiedClaims()
            #expect(claims["scope"] == developer["scope"] && claims["client_id"] == developer["client_id"])

            for token in [idToken, cookie] {
                let answer = try await backend.introspect(token)
                #expect(answer["active"] == true && answer["sub"] == "u", "\(answer.text)")
                #expect(answer["sid"] == claims["broker"]?["sid"] && answer["sid"] != sid)
                for name in ["scope", "client_id", "token_type", "scp", "epoch"] {
                    #expect(answer[name] == nil, "\(name)")
                }
                #expect(try await broker.userInfo(token).status == 401)
                let account = try await broker.get("/v1/broker/me", headers: ["Authorization": "Bearer \(token)"])
                #expect(account.status == 401, "\(account.text)")
                #expect(try await app.post("/oauth/introspect", [("token", token)]).body == ["active": false])
                #expect(try await backend.introspect(idToken, with: token).status == 401)
            }
            var unbound = claims
            unbound["broker"] = nil
            (unbound["sid"], unbound["epoch"]) = (claims["broker"]?["sid"], claims["broker"]?["epoch"])
            let text = try await broker.core.sessions.signingKeys.sign(
                unbound, broker.core.sessions.tokens.rules.algorithm)
            #expect(try await backend.introspect(text).body == ["active": false])
            #expect(try await broker.lookup(text).code == "INVALID_ID_TOKEN")
        }
    }

    @Test func `a credential without the scope, or none at all, learns nothing`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(at: broker)
            let reader = try await Backend(at: broker, [.readUsers, .writeUsers, .readConfiguration])
            let idToken = try await Self.signIn(at: broker).idToken

            let unknown = "bat1_" + String(repeating: "a", count: 43)
            let unauthorized = try await backend.introspect(idToken, with: unknown)
            let forbidden = try await reader.introspect(idToken)
            let own = try await backend.introspect(idToken, with: idToken)

            #expect(unauthorized.status == 401 && unauthorized.oauthError == "invalid_token")
            #expect(own.status == 401 && own.oauthError == "invalid_token")
            #expect(forbidden.status == 403 && forbidden.oauthError == "insufficient_scope")
            #expect(forbidden.headers["WWW-Authenticate"].first?.contains(#"scope="tokens:introspect""#) == true)
        }
    }

    @Test func `the scope gives no right to read users`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(at: broker)

            let answer = try await broker.send(
                .POST, "/v1/broker/admin/users.list",
                headers: ["Authorization": "Bearer \(backend.token)", "Content-Type": "application/json"],
                body: Array("{}".utf8))

            #expect(answer.status == 403)
        }
    }
}
