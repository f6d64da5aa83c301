import Broker
import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("the token endpoint")
struct TokenEndpointTests {
    @Test func `a code is redeemed for tokens that name the user, the time, the method and the audience`()
        async throws
    {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            let ticket = try await app.ticket(for: user, nonce: "n-0S6")

            let answer = try await app.token(ticket)

            #expect(answer.status == 200 && answer.headers.first(name: "Cache-Control") == "no-store")
            #expect(answer["token_type"] == "Bearer" && answer["expires_in"] == 3600)
            #expect(answer["scope"] == "openid profile email offline_access")
            #expect(answer["refresh_token"]?.string?.hasPrefix("ort1_") == true)
            let claims = try await broker.openIDClaims(answer.string("id_token"), type: "JWT")
            let now = Timestamp(broker.clock.now).seconds
            #expect(claims["iss"] == "http://127.0.0.1:9099" && claims["aud"]?.string == app.client.id)
            #expect(claims["sub"]?.string == user.localID && claims["nonce"] == "n-0S6")
            #expect(claims["iat"]?.integer == now && claims["exp"]?.integer == now + 3600)
            #expect(claims["auth_time"]?.integer == ticket.row.authTime && claims["amr"] == ["fed", "user"])
            #expect(claims["sid"]?.string == ticket.row.sessionID)
            #expect(claims["email"]?.string == user.email && claims["email_verified"] == true)
            #expect(claims["name"]?.string == user.displayName)
            #expect(claims["firebase"] == nil && claims["user_id"] == nil)
        }
    }

    @Test func `an access token is of its own kind and names its client, scope and session`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker, algorithm: .rs256)
            let answer = try await app.signIn(try await broker.signedInUser(), scope: "openid email")

            let access = try await broker.openIDClaims(answer.string("access_token"), type: "at+jwt", .rs256)
            let identity = try await broker.openIDClaims(answer.string("id_token"), type: "JWT", .rs256)

            #expect(access["client_id"]?.string == app.client.id && access["aud"]?.string == app.client.id)
            #expect(access["scope"] == "openid email" && access["sid"] == identity["sid"])
            #expect(access["jti"]?.string?.isEmpty == false && access["email"] == nil)
            #expect(identity["email"] != nil && identity["name"] == nil && identity["nonce"] == nil)
            #expect(answer["refresh_token"] == nil, "offline_access was not granted")
        }
    }

    @Test(arguments: [
        ("openid", ["sub"]), ("openid profile", ["sub", "name", "preferred_username", "picture"]),
        ("openid email", ["sub", "email", "email_verified"]),
    ])
    func `the scope decides the user's claims, in the token and at userinfo`(
        scope: String, names: [String]
    ) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker, .public)
            let ada = try broker.person("ada")
            broker.simulator.update(personID: ada.id) { $0.avatarURL = "https://p.example/ada.png" }
            let answer = try await app.signIn(try await broker.signedInUser(), scope: scope)

            let claims = try await broker.openIDClaims(answer.string("id_token"), type: "JWT")
            let info = try await broker.userInfo(answer.string("access_token"))

            let personal = ["sub", "name", "preferred_username", "picture", "email", "email_verified"]
            #expect(Set(personal.filter { claims[$0] != nil }) == Set(names))
            #expect(Set(info.body.object?.names ?? []) == Set(names + ["auth_time", "amr", "idp"]))
            #expect(names.allSatisfy { info[$0] == claims[$0] })
        }
    }

    @Test func `without openid there is no ID token, and userinfo says what is missing`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let answer = try await app.signIn(try await broker.signedInUser(), scope: "email")

            let info = try await broker.userInfo(answer.string("access_token"))

            #expect(answer["id_token"] == nil)
            #expect(info.status == 403 && info.oauthError == "insufficient_scope")
            #expect(info.headers.first(name: "WWW-Authenticate")?.contains(#"scope="openid""#) == true)
        }
    }

    @Test func `a second exchange of a code ends the session the first one began`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            let ticket = try await app.ticket(for: user)
            let first = try await app.token(ticket)
            #expect(try await broker.userInfo(first.string("access_token")).status == 200)

            let second = try await app.token(ticket)

            #expect(second.status == 400 && second.oauthError == "invalid_grant")
            #expect(try await broker.userInfo(first.string("access_token")).oauthError == "invalid_token")
            #expect(try await app.refresh(first.string("refresh_token")).oauthError == "invalid_grant")
            #expect(try await broker.auditEvents(of: user.localID).contains("session.code-reuse-detected"))
        }
    }

    @Test func `of twenty exchanges at once one succeeds, and its session is ended by the others`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let ticket = try await app.ticket(for: try await broker.signedInUser())

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await app.token(ticket) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            let good = answers.filter { $0.status == 200 }
            #expect(good.count == 1, "\(answers.map(\.text))")
            #expect(answers.filter { $0.oauthError == "invalid_grant" }.count == 19)
            #expect(try await broker.userInfo(try #require(good.first).string("access_token")).status == 401)
        }
    }

    @Test(arguments: ["code_verifier", "redirect_uri", "client"])
    func `whatever is wrong with an exchange, it burns the code`(wrong: String) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let other = try await OAuthApp(at: broker)
            let ticket = try await app.ticket(for: try await broker.signedInUser())
            let form = ticket.form.map { name, value in
                (name, name != wrong ? value : wrong == "redirect_uri" ? value + "/" : RandomText.secret())
            }

            let failed = try await (wrong == "client" ? other : app).post("/oauth/token", form)
            let retried = try await app.token(ticket)

            #expect(failed.status == 400 && failed.oauthError == "invalid_grant", "\(failed.text)")
            #expect(retried.oauthError == "invalid_grant")
        }
    }

    @Test(arguments: ["code_verifier", "redirect_uri"], [nil, ""] as [String?])
    func `an exchange without verifier or redirect URI is refused and consumes the code`(
        name: String, value: String?
    ) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let ticket = try await app.ticket(for: try await broker.signedInUser())
            let form = ticket.form.compactMap { field in
                field.0 != name ? field : value.map { (name, $0) }
            }

            let failed = try await app.post("/oauth/token", form)
            let retried = try await app.token(ticket)

            #expect(failed.status == 400 && failed.oauthError == "invalid_grant", "\(failed.text)")
            #expect(failed["error_description"]?.string?.contains(name) == true)
            #expect(retried.oauthError == "invalid_grant", "\(retried.text)")
        }
    }

    @Test func `a code of a request without PKCE is exchanged without a verifier, and with none but that`()
        async throws
    {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker, pkce: .optional)
            let user = try await broker.signedInUser()
            let (bare, wrong) = (
                try await app.ticket(for: user, nonce: "n", isChallenged: false),
                try await app.ticket(for: user, nonce: "n", isChallenged: false)
            )
            let challenged = try await app.ticket(for: user, nonce: "n")
            func withoutVerifier(_ ticket: OAuthApp.Ticket) -> [(String, String)] {
                ticket.form.filter { $0.0 != "code_verifier" }
            }

            #expect(try await app.post("/oauth/token", withoutVerifier(bare)).status == 200)
            #expect(try await app.token(wrong).oauthError == "invalid_grant", "a verifier without a challenge")
            #expect(try await app.post("/oauth/token", withoutVerifier(wrong)).oauthError == "invalid_grant")
            #expect(try await app.post("/oauth/token", withoutVerifier(challenged)).oauthError == "invalid_grant")
        }
    }

    @Test func `a code lives a minute`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            let (kept, late) = (try await app.ticket(for: user), try await app.ticket(for: user))

            broker.clock.advance(seconds: 59)
            #expect(try await app.token(kept).status == 200)
            broker.clock.advance(seconds: 1)
            #expect(try await app.token(late).oauthError == "invalid_grant")
        }
    }

    @Test func `a code dies with its user's sign-out of all, its web session, its user's right and its client`()
        async throws
    {
        try await TestBroker.run { broker in
            let (app, removed) = (try await OAuthApp(at: broker), try await OAuthApp(at: broker))
            let (core, origin) = (broker.core, Origin(.admin))
            let (ada, grace) = (try await broker.signedInUser("ada"), try await broker.signedInUser("ben"))
            let web = Session(
                key: core.store.keys.next(at: broker.clock.now), id: RandomText.alphanumeric(22), userKey: ada.key,
                signInProvider: "github.com", authTime: 0, createdAt: Timestamp(broker.clock.now), epoch: ada.epoch,
                family: .web)
            try await core.store.write { try $0.insert(web) }
            let ofWeb = try await app.ticket(for: ada, parentID: web.id)
            let ofAda = try await app.ticket(for: ada)
            let ofGrace = try await app.ticket(for: grace)
            let ofRemoved = try await removed.ticket(for: ada)

            _ = try await core.sessions.revokeSession(web.id, origin: origin)
            #expect(try await app.token(ofWeb).oauthError == "invalid_grant")
            _ = try await core.sessions.revokeSessions(of: ada.localID, origin: origin)
            #expect(try await app.token(ofAda).oauthError == "invalid_grant")
            _ = try await core.accounts.disableUser(localID: grace.localID, origin: origin)
            #expect(try await app.token(ofGrace).oauthError == "invalid_grant")
            _ = try await core.openID.clients.remove(id: removed.client.id, origin: origin)
            #expect(try await removed.token(ofRemoved).oauthError == "invalid_client")
        }
    }

    @Test(arguments: [
        (["grant_type": ""], "invalid_request"), (["grant_type": "password"], "unsupported_grant_type"),
        (["grant_type": "authorization_cod\u{E9}"], "unsupported_grant_type"),
        (["code": ""], "invalid_request"), (["code_verifier": ""], "invalid_grant"),
        (["redirect_uri": ""], "invalid_grant"), (["redirect_uri": "https://other.example/"], "invalid_grant"),
        (["code": "unknown"], "invalid_grant"),
        (["resource": "https://unknown.example"], nil),
    ])
    func `a request is answered in the words of RFC 6749`(change: [String: String], code: String?) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let ticket = try await app.ticket(for: try await broker.signedInUser())
            let added = change.filter { name, _ in !ticket.form.contains { $0.0 == name } }

            let answer = try await app.post(
                "/oauth/token", ticket.form.map { ($0, change[$0] ?? $1) } + added.map { ($0.key, $0.value) })

            #expect(answer.oauthError == code && answer.status == (code == nil ? 200 : 400), "\(answer.text)")
            #expect(answer.headers.first(name: "Cache-Control") == "no-store")
        }
    }

    @Test func `a parameter that is sent twice, and a body that is no form, are refused`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let ticket = try await app.ticket(for: try await broker.signedInUser())

            let twice = try await app.post("/oauth/token", ticket.form + [("code", ticket.code)])
            let json = try await broker.send(
                .POST, "/oauth/token", headers: ["Content-Type": "application/json"],
                body: Array(#"{"grant_type":"authorization_code"}"#.utf8))
            let large = try await app.post("/oauth/token", [("code", String(repeating: "x", count: 70_000))])
            let query = try await broker.postForm("/oauth/token?client_id=\(app.client.id)", ticket.form)

            #expect(twice.status == 400 && twice.oauthError == "invalid_request")
            #expect(json.status == 400 && json.oauthError == "invalid_request")
            #expect(large.status == 413 && large.oauthError == "invalid_request")
            #expect(query.status == 401 && query.oauthError == "invalid_client", "the URL is no place for parameters")
            #expect(try await app.token(ticket).status == 200, "none of it has used the code")
        }
    }
}
