import Broker
import BrokerStore
import ProviderKit
import Testing

@Suite("refresh tokens of OAuth clients")
struct OAuthRefreshTests {
    @Test func `a refresh token brings new tokens of the same session and its successor`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let first = try await app.signIn(try await broker.signedInUser(), nonce: "once")
            broker.clock.advance(seconds: 60)

            let second = try await app.refresh(first.string("refresh_token"))

            let before = try await broker.openIDClaims(first.string("id_token"), type: "JWT")
            let after = try await broker.openIDClaims(second.string("id_token"), type: "JWT")
            #expect(try second.string("refresh_token") != first.string("refresh_token"))
            #expect(after["auth_time"] == before["auth_time"] && after["sid"] == before["sid"])
            #expect(after["sub"] == before["sub"] && after["iat"] != before["iat"] && after["nonce"] == nil)
            #expect(try await app.refresh(second.string("refresh_token")).status == 200)
        }
    }

    @Test func `the parent counts for a minute more, then it ends the session`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let first = try await app.signIn(try await broker.signedInUser())
            let second = try await app.refresh(first.string("refresh_token"))

            broker.clock.advance(seconds: 60)
            let again = try await app.refresh(first.string("refresh_token"))
            #expect(try again.string("refresh_token") == second.string("refresh_token"))
            broker.clock.advance(seconds: 1)
            #expect(try await app.refresh(first.string("refresh_token")).oauthError == "invalid_grant")
            #expect(try await app.refresh(second.string("refresh_token")).oauthError == "invalid_grant")
            #expect(try await broker.userInfo(second.string("access_token")).status == 401)
        }
    }

    @Test func `another client can do nothing with it, nor to it`() async throws {
        try await TestBroker.run { broker in
            let (app, thief) = (try await OAuthApp(at: broker), try await OAuthApp(at: broker, .native))
            let answer = try await app.signIn(try await broker.signedInUser())

            let stolen = try await thief.refresh(answer.string("refresh_token"))

            #expect(stolen.status == 400 && stolen.oauthError == "invalid_grant")
            let good = try await app.refresh(answer.string("refresh_token"))
            #expect(good.status == 200)
            #expect(try await app.refresh(good.string("refresh_token")).status == 200)
        }
    }

    @Test func `a client may want less for a while, never more`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let first = try await app.signIn(try await broker.signedInUser(), scope: "openid email offline_access")

            let less = try await app.refresh(first.string("refresh_token"), scope: "openid")
            let more = try await app.refresh(less.string("refresh_token"), scope: "openid profile")
            let unknown = try await app.refresh(less.string("refresh_token"), scope: "openid admin")
            let all = try await app.refresh(less.string("refresh_token"))

            #expect(less["scope"] == "openid")
            #expect(try await broker.userInfo(less.string("access_token"))["email"] == nil)
            #expect(more.oauthError == "invalid_scope" && unknown.oauthError == "invalid_scope")
            #expect(all["scope"] == "openid email offline_access")
        }
    }

    @Test func `of many refreshes at once all get the same successor`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let token = try await app.signIn(try await broker.signedInUser()).string("refresh_token")

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<8 { group.addTask { try await app.refresh(token) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(Set(answers.compactMap { $0["refresh_token"]?.string }).count == 1)
        }
    }

    @Test func `the two families never take each other's tokens`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let session = try await broker.signIn(broker.person("ada"))
            let tokens = try await app.signIn(try await broker.signedInUser())

            #expect(try await app.refresh(session.string("refreshToken")).oauthError == "invalid_grant")
            #expect(try await broker.refresh(tokens.string("refresh_token")).code == "INVALID_REFRESH_TOKEN")
            for name in ["id_token", "access_token"] {
                #expect(try await broker.lookup(tokens.string(name)).code == "INVALID_ID_TOKEN")
            }
            #expect(try await broker.userInfo(session.string("idToken")).oauthError == "invalid_token")
            #expect(try await broker.userInfo(tokens.string("id_token")).oauthError == "invalid_token")
            #expect(try await broker.userInfo(tokens.string("access_token")).status == 200)
        }
    }
}
