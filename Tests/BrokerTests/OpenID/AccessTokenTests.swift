import Broker
import BrokerStore
import JOSE
import NIOHTTP1
import ProviderKit
import Testing

@Suite("what becomes of OAuth clients' tokens")
struct AccessTokenTests {
    @Test func `userinfo takes a token by header or form, one at a time and never from the URL`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let token = try await app.signIn(try await broker.signedInUser()).string("access_token")
            let path = "/oauth/userinfo"
            let bearer = "bearer \(token)"

            #expect(try await broker.send(.POST, path, headers: ["Authorization": bearer]).status == 200)
            #expect(try await broker.postForm(path, [("access_token", token)]).status == 200)
            let both = try await broker.postForm(path, [("access_token", token)], headers: ["Authorization": bearer])
            let inURL = try await broker.get("\(path)?access_token=\(token)")

            #expect(both.status == 400 && both.oauthError == "invalid_request")
            #expect(inURL.status == 401 && inURL.oauthError == nil)
            #expect(inURL.headers.first(name: "WWW-Authenticate") == #"Bearer realm="broker""#)
        }
    }

    @Test func `an access token dies with its session, its user's right, everything of theirs, or in an hour`()
        async throws
    {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let (ada, cat) = (try await broker.signedInUser("ada"), try await broker.signedInUser("ben"))
            let core = broker.core
            let old = try await app.signIn(ada).string("access_token")
            #expect(try await broker.userInfo(old).status == 200)

            broker.clock.advance(seconds: 3600 + 30)
            #expect(try await broker.userInfo(old).oauthError == "invalid_token")
            let tokens = [try await app.signIn(ada), try await app.signIn(cat)]
            _ = try await core.sessions.revokeSessions(of: ada.localID, origin: Origin(.admin))
            _ = try await core.accounts.disableUser(localID: cat.localID, origin: Origin(.admin))
            for token in tokens {
                let answer = try await broker.userInfo(token.string("access_token"))
                #expect(answer.status == 401 && answer.oauthError == "invalid_token")
                #expect(answer.headers.first(name: "WWW-Authenticate")?.contains(#"error="invalid_token""#) == true)
            }
        }
    }

    @Test(arguments: ["typ", "iss", "aud", "sid", "epoch", "exp", "client_id", "key"])
    func `a token that differs in one thing is none`(change: String) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let token = try await app.signIn(try await broker.signedInUser()).string("access_token")
            var claims = try #require(CompactJWS(parsing: token).unverifiedClaims() as JSONObject?)
            let ours = try #require(broker.core.sessions.openIDSigningKeys.published.first { $0.algorithm == .es256 })
            let changed: [String: JSONValue] = [
                "iss": "http://127.0.0.1:9099/", "aud": "another", "sid": "another", "epoch": 99, "exp": 1_000_000_000,
                "client_id": "another",
            ]
            #expect(try await broker.userInfo(ours.signer.token(claims: claims, type: "at+jwt")).status == 200)
            if let value = changed[change] { claims[change] = value }
            let stranger = try TokenSigner(keyID: ours.id, key: .generate(.es256))

            let forged = try (change == "key" ? stranger : ours.signer)
                .token(claims: claims, type: change == "typ" ? "JWT" : "at+jwt")

            #expect(try await broker.userInfo(forged).oauthError == "invalid_token")
        }
    }

    @Test(arguments: ["access_token", "refresh_token"])
    func `a client that gives a token back ends its session`(name: String) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker, .native)
            let user = try await broker.signedInUser()
            let (tokens, others) = (try await app.signIn(user), try await app.signIn(user))

            let answer = try await app.post(
                "/oauth/revoke", [("token", try tokens.string(name)), ("token_type_hint", "x")])

            #expect(answer.status == 200)
            #expect(try await broker.userInfo(tokens.string("access_token")).status == 401)
            #expect(try await app.refresh(tokens.string("refresh_token")).oauthError == "invalid_grant")
            #expect(try await broker.userInfo(others.string("access_token")).status == 200)
        }
    }

    @Test func `giving back what is not one's own does nothing and tells nothing`() async throws {
        try await TestBroker.run { broker in
            let (app, other) = (try await OAuthApp(at: broker), try await OAuthApp(at: broker))
            let tokens = try await app.signIn(try await broker.signedInUser())

            for name in ["access_token", "refresh_token"] {
                let answer = try await other.post("/oauth/revoke", [("token", try tokens.string(name))])
                #expect(answer.status == 200 && answer.text == "{}")
            }
            #expect(try await app.post("/oauth/revoke", [("token", "nonsense")]).status == 200)
            #expect(try await app.post("/oauth/revoke", []).oauthError == "invalid_request")
            #expect(try await broker.userInfo(tokens.string("access_token")).status == 200)
            #expect(try await app.refresh(tokens.string("refresh_token")).status == 200)
        }
    }

    @Test func `introspection tells a confidential client about its own tokens`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            let tokens = try await app.signIn(user, scope: "openid offline_access")
            let introspect = { (name: String) in
                try await app.post("/oauth/introspect", [("token", try tokens.string(name))])
            }

            let access = try await introspect("access_token")
            let refresh = try await introspect("refresh_token")

            #expect(access["active"] == true && access["token_type"] == "Bearer")
            #expect(access["scope"] == "openid offline_access" && access["client_id"]?.string == app.client.id)
            #expect(access["sub"]?.string == user.localID && access["iss"] == "http://127.0.0.1:9099")
            #expect(refresh["active"] == true && refresh["token_type"] == nil && refresh["sid"] == access["sid"])
            #expect(try await introspect("id_token").body == ["active": false])
            _ = try await app.post("/oauth/revoke", [("token", try tokens.string("access_token"))])
            #expect(try await introspect("access_token").body == ["active": false])
            #expect(try await introspect("refresh_token").body == ["active": false])
        }
    }

    @Test func `introspection tells others nothing`() async throws {
        try await TestBroker.run { broker in
            let (app, other) = (try await OAuthApp(at: broker), try await OAuthApp(at: broker))
            let native = try await OAuthApp(at: broker, .native)
            let token = [("token", try await app.signIn(try await broker.signedInUser()).string("access_token"))]

            #expect(try await other.post("/oauth/introspect", token).body == ["active": false])
            let refused = try await native.post("/oauth/introspect", token)
            #expect(refused.status == 400 && refused.oauthError == "unauthorized_client")
            #expect(try await broker.postForm("/oauth/introspect", token).status == 401)
        }
    }
}
