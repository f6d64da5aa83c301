import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("The account API for OAuth clients")
struct OwnAccountTests {
    private static let paths = [
        "", ":update", ":delete", "/providers/apple.com:unlink", "/providers/apple.com:token",
        "/providers/apple.com:revoke", "/sessions", "/sessions/x:signOut", "/sessions:signOut", "/sessions:signOutAll",
    ]

    private static func call(_ path: String, _ native: NativeApp, _ session: Answer) async throws -> Answer {
        path.isEmpty || path == "/sessions"
            ? try await native.get(path, session) : try await native.post(path, session)
    }

    @Test func `answers the record of accounts lookup with the providers' profiles`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let other = try await broker.signIn(person)
            let session = try await native.signIn(person)

            let account = try await native.get("", session)

            #expect(account.status == 200 && account["kind"] == "broker#Account", "\(account.text)")
            let record = try #require(try await broker.record(other).object)
            for (name, value) in record where !["providerUserInfo", "broker"].contains(name) {
                #expect(account[name] == value, "\(name)")
            }
            for name in ["idp", "amr", "auth_time"] {
                let login = account["broker"]?["login"]
                #expect(login?[name] != nil && login?[name] == record["broker"]?["login"]?[name], "\(name)")
            }
            let entry = try #require(account["providerUserInfo"]?.array?.first?.object)
            for (name, value) in record["providerUserInfo"]?.array?.first?.object ?? [:] {
                #expect(entry[name] == value, "\(name)")
            }
            let profile = try JSONValue(parsing: (entry["rawUserInfo"]?.string ?? "").utf8)
            #expect(profile["email"] == "ann@example.com", "\(profile)")
        }
    }

    @Test(arguments: ["none", "an ID token", "Identity Toolkit's", "a session cookie", "an ended session's", "Basic"])
    func `takes no token but a valid access token`(kind: String) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let session = try await native.signIn(person)
            var header: String? = "Bearer \(try session.string("access_token"))"
            switch kind {
            case "none": header = nil
            case "an ID token": header = "Bearer \(try session.string("id_token"))"
            case "Identity Toolkit's": header = "Bearer \(try await broker.signIn(person).string("idToken"))"
            case "a session cookie":
                let idToken = try await broker.signIn(person).string("idToken")
                let cookie = try await broker.core.sessions.createSessionCookie(
                    idToken, lifetime: 3600, origin: Origin(.admin))
                header = "Bearer \(cookie)"
            case "an ended session's": #expect(try await native.post("/sessions:signOut", session).status == 200)
            default: header = OAuthApp.basic(native.app.client.id, try session.string("access_token"))
            }

            for path in Self.paths {
                let isRead = path.isEmpty || path == "/sessions"
                let answer = try await broker.send(
                    isRead ? .GET : .POST, "/v1/broker/me" + path,
                    headers: header.map { ["Authorization": $0] } ?? [:])
                #expect(answer.status == 401 && answer["error"]?["status"] == "UNAUTHENTICATED", "\(answer.text)")
                let challenge = answer.headers.first(name: "WWW-Authenticate")
                #expect(
                    challenge == (header?.hasPrefix("Bearer") == true ? #"Bearer error="invalid_token""# : "Bearer"))
            }
        }
    }

    @Test func `takes no access token without the scope account`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let session = try await native.signIn(person, scope: "openid profile email offline_access")

            for path in Self.paths {
                let answer = try await Self.call(path, native, session)
                #expect(answer.status == 403 && answer["error"]?["status"] == "PERMISSION_DENIED", "\(answer.text)")
                #expect(
                    answer.headers.first(name: "WWW-Authenticate")
                        == #"Bearer error="insufficient_scope", scope="account""#)
            }
        }
    }

    @Test func `Identity Toolkit takes no access token in return`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))

            for name in ["access_token", "id_token"] {
                let answer = try await broker.lookup(session.string(name))
                #expect(answer.code == "INVALID_ID_TOKEN", "\(answer.text)")
            }
            #expect(try await broker.refresh(session.string("refresh_token")).code == "INVALID_REFRESH_TOKEN")
        }
    }

    @Test func `changes the profile, and nothing that would revoke tokens`() async throws {
        try await TestProviders.run({ $0.policy = .firebase }) { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))

            let changed = try await native.post(
                ":update", session, ["displayName": "Ann A.", "photoUrl": "https://pictures.example/ann.png"])
            let cleared = try await native.post(":update", session, ["deleteAttribute": ["PHOTO_URL"]])

            #expect(changed["kind"] == "broker#Account" && changed["displayName"] == "Ann A.", "\(changed.text)")
            #expect(changed["photoUrl"] == "https://pictures.example/ann.png")
            #expect(cleared["displayName"] == "Ann A." && cleared["photoUrl"] == nil, "\(cleared.text)")
            let refused: [JSONObject] = [
                ["email": "eve@example.com"], ["validSince": "1"], ["deleteProvider": ["apple.com"]],
                ["disableUser": true], ["password": "secret"],
            ]
            for body in refused {
                let answer = try await native.post(":update", session, .object(body))
                #expect(answer.status == 400 && answer.code == "OPERATION_NOT_ALLOWED", "\(answer.text)")
            }
            let claims = try await native.post(":update", session, ["customAttributes": "{}"])
            #expect(claims.code == "INSUFFICIENT_PERMISSION")
            #expect(try await native.get("", session)["email"] == "ann@example.com")
        }
    }

    @Test func `unlinks a provider, whose grant is withdrawn, and keeps the last one`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))
            let person = providers.apple.people()[0]
            let other = try await native.exchange(providers.nativeCredential(of: person))
            _ = try await native.exchange(
                providers.idTokenCredential(at: "1pass.dev", forging: nil), actor: other)

            let unlinked = try await native.post("/providers/Apple.com:unlink", other)
            let nothing = try await native.post("/providers/gitlab.com:unlink", other)
            let last = try await native.post("/providers/apple.com:unlink", session)
            broker.clock.advance(seconds: 301)
            let late = try await native.post("/providers/1pass.dev:unlink", other)

            #expect(unlinked["kind"] == "broker#Account" && unlinked.providerIDs == ["1pass.dev"], "\(unlinked.text)")
            #expect(unlinked.receipts.first?["providerId"] == "apple.com" && unlinked.receipts.count == 1)
            #expect(try await broker.withdrawal().cause == .unlink)
            #expect(nothing.status == 200 && nothing.providerIDs == ["1pass.dev"] && nothing["broker"] == nil)
            #expect(last.code == "LAST_SIGN_IN_METHOD", "\(last.text)")
            #expect(late.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(late.text)")
        }
    }

    @Test func `deletes the user with a fresh code of Apple, after a recent login only`() async throws {
        try await TestProviders.run({ $0.policy.deletionWithoutGrant = .refuse }) { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = providers.apple.people()[0]
            let credential = providers.nativeCredential(of: person, sendsCode: false)
            let session = try await native.exchange(credential)
            let sub = try #require(try session.claims()["sub"]?.string)

            let without = try await native.post(":delete", session)
            let foreign = try await native.post(":delete", session, ["authorizationCode": "spent"])
            let deleted = try await native.post(
                ":delete", session, ["authorizationCode": .string(providers.nativeCode(of: person))])

            #expect(without.code == "APPLE_CODE_REQUIRED", "\(without.text)")
            #expect(foreign.code == "APPLE_CODE_EXPIRED", "\(foreign.text)")
            #expect(deleted.status == 200 && deleted["kind"] == "broker#DeleteAccountResponse", "\(deleted.text)")
            #expect(deleted.receipts.first?["state"] == "queued" || deleted.receipts.first?["state"] == "pending")
            #expect(try await broker.user(sub) == nil)
            #expect(try await native.get("", session).status == 401)
            #expect(try await native.app.refresh(session.string("refresh_token")).oauthError == "invalid_grant")
        }
    }

    @Test func `revokes the grant with a fresh code of Apple, and the user stays for the deletion`() async throws {
        try await TestProviders.run({ $0.policy.deletionWithoutGrant = .refuse }) { broker, providers in
            let native = try await NativeApp(at: broker)
            let (person, other) = (providers.apple.people()[0], providers.apple.people()[1])
            let session = try await native.exchange(providers.nativeCredential(of: person, sendsCode: false))
            let path = "/providers/apple.com:revoke"

            let without = try await native.post(path, session)
            let spent = try await native.post(path, session, ["authorizationCode": "spent"])
            let foreign = try await native.post(
                path, session, ["authorizationCode": .string(providers.nativeCode(of: other))])
            let unknown = try await native.post(
                "/providers/gitlab.com:revoke", session, ["authorizationCode": "code"])
            #expect([without, spent, foreign, unknown].allSatisfy { $0.status == 400 })
            #expect(try await broker.withdrawals().isEmpty)
            let revoked = try await native.post(
                path, session, ["authorizationCode": .string(providers.nativeCode(of: person))])

            #expect(revoked.status == 200 && revoked["kind"] == "broker#RevokeProviderResponse", "\(revoked.text)")
            #expect(revoked.receipts.count == 1 && revoked.receipts.first?["providerId"] == "apple.com")
            #expect(try await broker.withdrawals().map(\.cause) == [.revoke])
            #expect(try await native.get("", session).status == 200)
            #expect(try await native.post(":delete", session).status == 200)
            #expect(try await broker.withdrawals().count == 1)
        }
    }

    @Test func `deletes nothing after an old login`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))
            broker.clock.advance(seconds: 301)

            let answer = try await native.post(":delete", session)

            #expect(answer.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(answer.text)")
            #expect(try await native.get("", session).status == 200)
        }
    }

    @Test func `step-up rules of routes and of the scope apply`() async throws {
        let policy = try Policy(reading: [
            "preset": "strict",
            "stepUp": [
                ["acr": "urn:example:recent", "maxAge": 60, "routes": ["accounts:lookup"]],
                ["acr": "urn:example:day", "maxAge": 600, "scopes": ["account"]],
            ],
        ])
        try await TestProviders.run({ $0.policy = policy }) { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))

            broker.clock.advance(seconds: 61)
            let (record, sessions) = (try await native.get("", session), try await native.get("/sessions", session))
            broker.clock.advance(seconds: 600)
            let late = try await native.get("/sessions", session)

            #expect(record.message?.contains("urn:example:recent") == true, "\(record.text)")
            #expect(sessions.status == 200)
            #expect(late.message?.contains("urn:example:day") == true, "\(late.text)")
            #expect(late.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
    }

    @Test func `pages of public clients may call it`() async throws {
        try await TestProviders.run { broker, _ in
            _ = try await OAuthApp(at: broker, .public)
            let answer = try await broker.send(
                .OPTIONS, "/v1/broker/me",
                headers: ["Origin": "https://shop.example", "Access-Control-Request-Method": "GET"])
            #expect(answer.headers.first(name: "Access-Control-Allow-Origin") == "https://shop.example")
        }
    }
}
