import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import OAuth
import ProviderKit
import Testing

@testable import Broker

@Suite("session cookies")
struct SessionCookieTests {
    private static let admin = Origin(.admin, actor: "root")

    private static func cookie(_ idToken: String, _ broker: TestBroker) async throws -> String {
        try await broker.core.sessionCookies(idToken, lifetime: 3600, origin: admin)
    }

    private static func introspect(_ token: String, _ broker: TestBroker) async throws -> Answer {
        let credential = try await broker.core.adminCredentials.create(
            named: "backend", scopes: [.introspectTokens], lifetime: nil, origin: admin
        ).token.text
        return try await broker.postForm(
            "/oauth/introspect", [("token", token)], headers: ["Authorization": "Bearer \(credential)"])
    }

    @Test func `one made after a merge is the remaining user's, without the claims of the other`() async throws {
        try await TestBroker.runWithMerges { broker in
            let survivor = try await broker.signIn(.init("9"))
            let survivorID = try survivor.string("localId")
            let absorbedID = try await broker.signIn(.init("7")).string("localId")
            let user = try #require(try await broker.user(absorbedID)?.user)
            try await broker.core.store.write {
                try $0.setAdministeredFields(
                    of: user.key, customAttributes: #"{"role":"admin"}"#, createdAt: user.createdAt,
                    lastLoginAt: user.lastLoginAt)
            }
            let moved = try await broker.signIn(.init("7", email: "seven@example.com"))
            #expect(try broker.claims(of: moved)["role"] == "admin")
            _ = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"], proven: ["7"]))
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.mergeAccounts.approve(id, claims: .survivor, origin: Self.admin)

            let cookie = try await Self.cookie(moved.string("idToken"), broker)

            let claims = try CompactJWS(parsing: cookie).unverifiedClaims()
            let before = try broker.claims(of: moved)
            #expect(claims["sub"]?.string == survivorID && claims["user_id"]?.string == survivorID, "\(claims)")
            #expect(claims["role"] == nil && claims["broker"]?["sid"] == before["broker"]?["sid"])
            #expect(claims["auth_time"] == before["auth_time"])
            #expect(claims["iss"]?.string == "http://127.0.0.1:9099/test-project/session")
            #expect(claims["exp"]?.integer == Int64(broker.clock.now.timeIntervalSince1970) + 3600)
            let report = try await Self.introspect(cookie, broker)
            #expect(report["active"] == true && report["sub"]?.string == survivorID, "\(report.text)")
        }
    }

    /// The doors that take another token, each with a request that carries `token`.
    private static func doors(_ token: String, _ app: OAuthApp) -> [(String, () async throws -> Answer)] {
        let broker = app.broker
        let idToken: JSONValue = ["idToken": .string(token)]
        func identityToolkit(_ path: String, _ body: JSONValue) -> (String, () async throws -> Answer) {
            (path, { try await broker.post(path, body) })
        }
        func bearer(_ method: HTTPMethod, _ path: String) -> (String, () async throws -> Answer) {
            (
                path,
                {
                    try await broker.send(
                        method, path,
                        headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
                        body: method == .POST ? Array("{}".utf8) : nil)
                }
            )
        }
        func form(_ path: String, _ parameters: [(String, String)]) -> (String, () async throws -> Answer) {
            (path + " " + parameters[0].1, { try await app.post(path, parameters) })
        }
        return [
            identityToolkit("/v1/accounts:lookup", idToken),
            identityToolkit("/v1/accounts:update", ["idToken": .string(token), "displayName": "Eve"]),
            identityToolkit("/v1/accounts:delete", idToken),
            identityToolkit("/v1/accounts:signInWithCustomToken", ["token": .string(token)]),
            identityToolkit(
                "/v2/accounts:revokeToken",
                ["idToken": .string(token), "providerId": "github.com", "tokenType": "ACCESS_TOKEN", "token": "x"]),
            identityToolkit("/v1/broker/sessions:signOut", idToken),
            identityToolkit("/v1/broker/sessions:signOutAll", idToken),
            ("/v1/token", { try await broker.refresh(token) }),
            ("link", { try await broker.link(broker.person("ben"), to: Answer(idToken: token)) }),
            ("pendingToken", { try await broker.usePending(token) }),
            ("createSessionCookie", { try await create(of: token, broker) }),
            bearer(.GET, "/oauth/userinfo"), bearer(.GET, "/v1/broker/me"), bearer(.POST, "/v1/broker/me:delete"),
            bearer(.POST, "/v1/broker/admin/admin.whoami"), bearer(.POST, "/v1/projects/test-project/accounts:lookup"),
            form("/oauth/token", [("grant_type", "refresh_token"), ("refresh_token", token)]),
            form(
                "/oauth/token",
                [
                    ("grant_type", "authorization_code"), ("code", token), ("redirect_uri", OAuthApp.redirectURI),
                    ("code_verifier", RandomText.secret()),
                ]),
            (
                "introspection's own credential",
                {
                    try await broker.postForm(
                        "/oauth/introspect", [("token", token)], headers: ["Authorization": "Bearer \(token)"])
                }
            ),
        ]
    }

    private static func create(of token: String, _ broker: TestBroker) async throws -> Answer {
        let credential = try await broker.core.adminCredentials.create(
            named: "backend", scopes: [.writeUsers], lifetime: nil, origin: admin
        ).token.text
        return try await broker.send(
            .POST, "/v1/projects/test-project:createSessionCookie",
            headers: ["Authorization": "Bearer \(credential)", "Content-Type": "application/json"],
            body: Array(JSONValue.object(["idToken": .string(token)]).serialized().utf8))
    }

    @Test(arguments: [true, false])
    func `one is refused at every door of another token`(isStrict: Bool) async throws {
        try await TestBroker.run({ $0.policy = isStrict ? .strict : .firebase }) { broker in
            let app = try await OAuthApp(at: broker)
            let idToken = try await broker.signIn(broker.person("ada")).string("idToken")
            let cookie = try await Self.cookie(idToken, broker)

            for (door, request) in Self.doors(cookie, app) {
                let answer = try await request()
                #expect((400..<500).contains(answer.status), "\(door): \(answer.status) \(answer.text)")
            }
            #expect(try await app.post("/oauth/introspect", [("token", cookie)]).body == ["active": false])
            // RFC 7009 §2.2 answers 200 to an unknown token.
            #expect(try await app.post("/oauth/revoke", [("token", cookie)]).status == 200)
            for token in [idToken, cookie] {
                #expect(try await Self.introspect(token, broker)["active"] == true, "nothing has ended its session")
            }
            #expect(try await broker.lookup(idToken)["users"]?.array?.first?["displayName"] != "Eve")
        }
    }

    @Test(arguments: [true, false])
    func `no other token is one`(isStrict: Bool) async throws {
        try await TestBroker.run({ $0.policy = isStrict ? .strict : .firebase }) { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let idToken = try session.string("idToken")
            let user = try #require(try await broker.user(session.string("localId"))?.user)
            let oauth = try await OAuthApp(at: broker).signIn(user)
            let verifier = broker.core.lookup.verifier.forSessionCookies
            let now = Timestamp(broker.clock.now)

            for token in [
                idToken, try oauth.string("id_token"), try oauth.string("access_token"),
                try oauth.string("refresh_token"), try session.string("refreshToken"),
            ] {
                await #expect(throws: BrokerError.invalidIDToken) {
                    _ = try await verifier.session(behind: token, at: now)
                }
            }
            let cookie = try await Self.cookie(idToken, broker)
            #expect(try await verifier.session(behind: cookie, at: now).user.key == user.key)
        }
    }
}

extension Answer {
    /// An answer with this ID token.
    fileprivate init(idToken: String) {
        self.init(status: 200, headers: [:], body: ["idToken": .string(idToken)], text: "")
    }
}
