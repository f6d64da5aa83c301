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
        try await broker.core.sessions.createSessionCookie(idToken, lifetime: 3600, origin: admin)
    }

    private static func introspect(_ token: String, _ broker: TestBroker) async throws -> Answer {
        let credential = try await broker.core.sessions.adminCredentials.create(
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
            var user = try #require(try await broker.user(absorbedID)?.user)
            user.customAttributes = #"{"role":"admin"}"#
            try await broker.core.store.write { [user] in try $0.writeAdministeredFields(of: user) }
            let moved = try await broker.signIn(.init("7", email: "seven@example.com"))
            #expect(try broker.claims(of: moved)["role"] == "admin")
            _ = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"], proven: ["7"]))
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(id, claims: .survivor, origin: Self.admin)

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

    /// A family and kind of token.
    private enum Kind: CaseIterable {
        case idToken, sessionCookie, openIDToken, accessToken, adminToken
    }

    /// A request that carries a token, with the one kind that it takes; nil for a kind that has no memory.
    private struct Endpoint {
        let name: String
        let kind: Kind?
        let request: () async throws -> Answer
    }

    /// The endpoints that take another token than a session cookie, each with a request that carries `token`.
    private static func endpoints(_ token: String, _ app: OAuthApp) -> [Endpoint] {
        let broker = app.broker
        let idToken: JSONValue = ["idToken": .string(token)]
        func identityToolkit(_ path: String, _ body: JSONValue, _ kind: Kind? = .idToken) -> Endpoint {
            Endpoint(name: path, kind: kind) { try await broker.post(path, body) }
        }
        func bearer(_ method: HTTPMethod, _ path: String, _ kind: Kind) -> Endpoint {
            Endpoint(name: path, kind: kind) {
                try await broker.send(
                    method, path, headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
                    body: method == .POST ? Array("{}".utf8) : nil)
            }
        }
        func form(_ path: String, _ parameters: [(String, String)]) -> Endpoint {
            Endpoint(name: path + " " + parameters[0].1, kind: nil) { try await app.post(path, parameters) }
        }
        return [
            identityToolkit("/v1/accounts:lookup", idToken),
            identityToolkit("/v1/accounts:update", ["idToken": .string(token), "displayName": "Eve"]),
            identityToolkit("/v1/accounts:delete", idToken),
            identityToolkit("/v1/accounts:signInWithCustomToken", ["token": .string(token)], nil),
            identityToolkit(
                "/v2/accounts:revokeToken",
                ["idToken": .string(token), "providerId": "github.com", "tokenType": "ACCESS_TOKEN", "token": "x"]),
            identityToolkit("/v1/broker/sessions:signOut", idToken),
            identityToolkit("/v1/broker/sessions:signOutAll", idToken),
            Endpoint(name: "/v1/token", kind: nil) { try await broker.refresh(token) },
            Endpoint(name: "link", kind: .idToken) {
                try await broker.link(broker.person("ben"), to: Answer(idToken: token))
            },
            Endpoint(name: "pendingToken", kind: nil) { try await broker.usePending(token) },
            Endpoint(name: "createSessionCookie", kind: .idToken) { try await create(of: token, broker) },
            bearer(.GET, "/oauth/userinfo", .accessToken), bearer(.GET, "/v1/broker/me", .accessToken),
            bearer(.POST, "/v1/broker/me:delete", .accessToken),
            bearer(.POST, "/v1/broker/admin/admin.whoami", .adminToken),
            bearer(.POST, "/v1/projects/test-project/accounts:lookup", .adminToken),
            form("/oauth/token", [("grant_type", "refresh_token"), ("refresh_token", token)]),
            form(
                "/oauth/token",
                [
                    ("grant_type", "authorization_code"), ("code", token), ("redirect_uri", OAuthApp.redirectURI),
                    ("code_verifier", RandomText.secret()),
                ]),
            Endpoint(name: "introspection's own credential", kind: .adminToken) {
                try await broker.postForm(
                    "/oauth/introspect", [("token", token)], headers: ["Authorization": "Bearer \(token)"])
            },
        ]
    }

    private static func create(of token: String, _ broker: TestBroker) async throws -> Answer {
        let credential = try await broker.core.sessions.adminCredentials.create(
            named: "backend", scopes: [.writeUsers], lifetime: nil, origin: admin
        ).token.text
        return try await broker.send(
            .POST, "/v1/projects/test-project:createSessionCookie",
            headers: ["Authorization": "Bearer \(credential)", "Content-Type": "application/json"],
            body: Array(JSONValue.object(["idToken": .string(token)]).serialized().utf8))
    }

    @Test(arguments: [true, false])
    func `one is refused at every endpoint of another token`(isStrict: Bool) async throws {
        try await TestBroker.run({ $0.policy = isStrict ? .strict : .firebase }) { broker in
            let app = try await OAuthApp(at: broker)
            let idToken = try await broker.signIn(broker.person("ada")).string("idToken")
            let cookie = try await Self.cookie(idToken, broker)

            for endpoint in Self.endpoints(cookie, app) {
                let answer = try await endpoint.request()
                #expect((400..<500).contains(answer.status), "\(endpoint.name): \(answer.status) \(answer.text)")
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

    /// The kinds as which the broker accepts a token where it answers no error.
    private static func kinds(
        of token: String, _ app: OAuthApp, cookies: IDTokenVerifier
    ) async throws -> Set<Kind> {
        let (broker, verifier) = (app.broker, app.broker.core.openID.verifier)
        let now = Timestamp(broker.clock.now)
        var kinds: Set<Kind> = []
        if (try? await cookies.session(behind: token, at: now)) != nil { kinds.insert(.sessionCookie) }
        if try await verifier.session(behind: token, .idToken, at: now) != nil { kinds.insert(.openIDToken) }
        if try await verifier.claims(ofHint: token, at: now) != nil { kinds.insert(.openIDToken) }
        if try await app.post("/oauth/introspect", [("token", token)])["active"] == true { kinds.insert(.accessToken) }
        return kinds
    }

    @Test(arguments: [true, false])
    func `every token is refused at every endpoint of another family or kind, also the second time`(
        isStrict: Bool
    ) async throws {
        try await TestBroker.run({ $0.policy = isStrict ? .strict : .firebase }) { broker in
            let app = try await OAuthApp(at: broker)
            let idToken = try await broker.signIn(broker.person("ada")).string("idToken")
            let openID = try await app.signIn(broker.signedInUser("ben"), scope: "openid account")
            let tokens: [Kind: String] = [
                .idToken: idToken, .sessionCookie: try await Self.cookie(idToken, broker),
                .openIDToken: try openID.string("id_token"), .accessToken: try openID.string("access_token"),
                .adminToken: try await TestBackend(broker).token,
            ]
            let cookies = broker.core.sessions.verifier.forSessionCookies

            for _ in 1...2 {
                for (kind, token) in tokens {
                    // Accepted where it belongs, it is remembered.
                    switch kind {
                    case .idToken: #expect(try await broker.lookup(token).status == 200)
                    case .accessToken: #expect(try await broker.userInfo(token).status == 200)
                    case .sessionCookie, .openIDToken, .adminToken: break
                    }
                    let own: Set<Kind> = [.sessionCookie, .openIDToken, .accessToken]
                    #expect(try await Self.kinds(of: token, app, cookies: cookies) == own.intersection([kind]))
                    let introspected: Set<Kind> = [.idToken, .sessionCookie, .accessToken]
                    #expect(
                        try await Self.introspect(token, broker)["active"] == .bool(introspected.contains(kind)))
                    for endpoint in Self.endpoints(token, app) where endpoint.kind != kind {
                        let answer = try await endpoint.request()
                        #expect(
                            (400..<500).contains(answer.status) && answer.status != 429,
                            "\(kind) at \(endpoint.name): \(answer.status) \(answer.text)")
                    }
                }
            }
            #expect(try await broker.lookup(idToken).status == 200, "nothing has ended its session")
        }
    }

    @Test(arguments: [true, false])
    func `no other token is one`(isStrict: Bool) async throws {
        try await TestBroker.run({ $0.policy = isStrict ? .strict : .firebase }) { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let idToken = try session.string("idToken")
            let user = try #require(try await broker.user(session.string("localId"))?.user)
            let oauth = try await OAuthApp(at: broker).signIn(user)
            let verifier = broker.core.sessions.verifier.forSessionCookies
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
