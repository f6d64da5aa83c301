import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("The user's own sessions and provider tokens, for OAuth clients")
struct OwnSessionTests {
    @Test func `live sessions of all families are listed in pages, newest first`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            _ = try await broker.signIn(person)
            let ended = try await native.signIn(person)
            #expect(try await native.post("/sessions:signOut", ended).text == "{}")
            broker.clock.advance(seconds: 5)
            let session = try await native.signIn(person)

            let all = try await native.get("/sessions", session)
            let first = try await native.get("/sessions?pageSize=1", session)
            let token = try first.string("nextPageToken")
            let second = try await native.get("/sessions?pageSize=1&pageToken=\(token)", session)

            let found = try #require(all["sessions"]?.array)
            #expect(all["kind"] == "broker#Sessions" && all["nextPageToken"] == nil)
            #expect(found.compactMap { $0["family"]?.string } == ["oauth", "identity-toolkit"], "\(all.text)")
            #expect(found[0]["id"] == (try session.claims()["sid"]) && found[0]["isCurrent"] == true)
            #expect(found[0]["clientId"]?.string == native.app.client.id && found[1]["clientId"] == nil)
            #expect(found[0]["createdAt"]?.string == broker.clock.now.formatted(.iso8601))
            #expect(found[0]["lastUsedAt"] == found[0]["createdAt"])
            #expect(found[1]["isCurrent"] == nil && found[1]["signInProvider"] == "apple.com")
            #expect(first["sessions"] == [found[0]] && second["sessions"] == [found[1]], "\(second.text)")
            #expect(second["nextPageToken"] == nil)
            #expect(try await native.get("/sessions?pageSize=x", session).status == 400)
        }
    }

    @Test func `another session of the user ends, and no other user's`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let (lost, session) = (try await native.signIn(person), try await native.signIn(person))
            let ben = try await native.signIn(providers.person(at: "apple.com", email: "ben@example.com"))
            let (lostID, bensID) = (
                try #require(lost.claims()["sid"]?.string), try #require(ben.claims()["sid"]?.string)
            )

            let ended = try await native.post("/sessions/\(lostID):signOut", session)
            let foreign = try await native.post("/sessions/\(bensID):signOut", session)
            let unknown = try await native.post("/sessions/unknown:signOut", session)

            #expect(ended.status == 200 && ended.text == "{}")
            #expect(try await native.app.refresh(lost.string("refresh_token")).oauthError == "invalid_grant")
            for answer in [foreign, unknown] {
                #expect(answer.status == 400 && answer.code == "SESSION_NOT_FOUND", "\(answer.text)")
            }
            #expect(try await native.get("", ben).status == 200)
            #expect(try await native.get("", session).status == 200)
        }
    }

    @Test func `all sessions end, in every family`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let other = try await broker.signIn(person)
            let (first, second) = (try await native.signIn(person), try await native.signIn(person))

            #expect(try await native.post("/sessions:signOutAll", second).status == 200)

            for session in [first, second] { #expect(try await native.get("", session).status == 401) }
            #expect(try await broker.lookup(other.string("idToken")).code == "TOKEN_EXPIRED")
        }
    }

    @Test func `a provider's token is read by a client that is registered for it, audited as the user`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker, receivesProviderTokens: true)
            let localID = try await broker.signInWithCode(providers.gitLab.people()[0], at: providers.gitLab)
                .string("localId")
            let user = try #require(try await broker.user(localID)?.user)
            let session = try await native.app.signIn(user, scope: NativeApp.scope)
            let other = try await NativeApp(at: broker)
            let without = try await other.app.signIn(user, scope: NativeApp.scope)
            let path = "/providers/gitlab.com:token"

            let token = try await native.post(path, session, ["scopes": ["read_user"]])
            let missing = try await native.post(path, session, ["scopes": ["api"]])
            let none = try await native.post("/providers/apple.com:token", session)
            let refused = try await other.post(path, without)

            #expect(token.status == 200 && token["kind"] == "broker#ProviderToken", "\(token.text)")
            #expect(token["tokenType"] == "Bearer" && token["refreshToken"] == nil)
            #expect(token["scopes"]?.array?.contains("read_user") == true)
            #expect(providers.gitLab.isLive(token: try token.string("accessToken")))
            #expect(missing.message == "SCOPE_MISSING : api" && none.code == "REAUTHORIZATION_REQUIRED")
            #expect(refused.status == 400 && refused.code == "OPERATION_NOT_ALLOWED", "\(refused.text)")
            let entry = try await broker.core.store.read { try $0.auditEntries(localID: localID, limit: 10) }
                .first { $0.event == "provider-token.read" }
            #expect(entry?.actorKind == .user && entry?.actor == localID)
        }
    }
}
