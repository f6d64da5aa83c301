import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Linking and reauthenticating by token exchange")
struct ActorExchangeTests {
    /// A user of GitHub, signed in at a native app.
    private static func session(
        _ native: NativeApp, _ providers: TestProviders, email: String = "ann@example.com"
    ) async throws -> Answer {
        let broker = native.broker
        let answer = try await broker.signIn(providers.person(at: "github.com", email: email))
        let user = try #require(try await broker.user(answer.string("localId"))?.user)
        return try await native.app.signIn(user, scope: NativeApp.scope)
    }

    @Test func `a link adds the identity to the user, whose session goes on`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let ann = try await Self.session(native, providers)
            let apple = try providers.person(at: "apple.com", email: "ann@icloud.example")

            let linked = try await native.exchange(apple.credential(), actor: ann)

            #expect(linked.status == 200, "\(linked.text)")
            #expect(linked["refresh_token"] == nil && linked["scope"]?.string == NativeApp.scope)
            let (before, after) = (try ann.claims(), try linked.claims())
            #expect(after["sub"] == before["sub"] && after["sid"] == before["sid"])
            #expect(after["auth_time"] == before["auth_time"])
            #expect(try await native.get("", linked).providerIDs == ["github.com", "apple.com"])
            #expect(try await native.app.refresh(ann.string("refresh_token")).status == 200)
            let entry = try await broker.core.store.read { store in
                try store.auditEntries(localID: before["sub"]?.string ?? "", limit: 10)
            }.first { $0.event == "identity.linked" }
            #expect(entry?.actorKind == .user && entry?.actor == before["sub"]?.string)
        }
    }

    @Test func `a link takes no access token without the scope account`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let ann = try await Self.session(native, providers)
            let user = try #require(try await broker.user(ann.claims()["sub"]?.string ?? "")?.user)
            let profile = try await native.app.signIn(user, scope: "openid profile offline_access")
            let narrowed = try await native.app.refresh(ann.string("refresh_token"), scope: "openid email")
            let apple = try providers.person(at: "apple.com", email: "ann@icloud.example")

            for session in [profile, narrowed] {
                let answer = try await native.exchange(apple.credential(), actor: session)
                #expect(answer.status == 400 && answer.oauthError == "invalid_scope", "\(answer.text)")
            }
            #expect(try await native.get("", ann).providerIDs == ["github.com"])
        }
    }

    @Test func `a link by an access token that was narrowed yields no more than it has`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let ann = try await Self.session(native, providers)
            let less = try await native.app.refresh(ann.string("refresh_token"), scope: "openid account")

            let linked = try await native.exchange(
                providers.person(at: "apple.com", email: "ann@icloud.example").credential(), actor: less)

            #expect(linked.status == 200 && linked["scope"] == "openid account", "\(linked.text)")
            #expect(try linked.claims("access_token")["scope"] == "openid account")
            #expect(try linked.claims()["email"] == nil)
        }
    }

    @Test func `step-up rules of the scope account apply to a link`() async throws {
        let policy = try Policy(reading: [
            "preset": "strict",
            "stepUp": [["acr": "urn:example:minute", "maxAge": 60, "scopes": ["account"]]],
        ])
        try await TestProviders.runHosted({
            $0.policy = policy
            $0.allowsAnonymousSignIn = true
        }) { broker, providers in
            let native = try await NativeApp(at: broker)
            let ann = try await Self.session(native, providers)
            let anonymous = try await native.beginAnonymously()
            providers.advance(100, with: broker)

            let refused = try await native.exchange(
                providers.person(at: "apple.com", email: "ann@icloud.example").credential(), actor: ann)
            let linked = try await native.exchange(
                providers.person(at: "apple.com", email: "ben@example.com").credential(), actor: anonymous)

            #expect(refused.oauthError == "invalid_grant", "\(refused.text)")
            #expect(refused.refusal == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            #expect(refused["error_description"]?.string?.contains("urn:example:minute") == true)
            #expect(linked.status == 200, "a user without an identity cannot sign in again: \(linked.text)")
        }
    }

    @Test func `the linked provider's token comes along for a client that is registered for it`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker, receivesProviderTokens: true)
            let ann = try await Self.session(native, providers)
            let credential = providers.nativeCredential(of: providers.apple.people()[0])

            let linked = try await native.exchange(credential, actor: ann, prompt: "link")

            #expect(linked["provider_token"]?["provider"] == "apple.com", "\(linked.text)")
        }
    }

    @Test func `a link that the policy refuses has the code of the other road and writes nothing`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let ann = try await Self.session(native, providers)
            let bens = try providers.person(at: "apple.com", email: "ben@example.com")
            _ = try await native.signIn(bens)

            let taken = try await native.exchange(bens.credential(), actor: ann)
            let first = try providers.person(at: "apple.com", email: "a1@example.com")
            let linked = try await native.exchange(first.credential(), actor: ann)
            let second = try await native.exchange(
                providers.person(at: "apple.com", email: "a2@example.com").credential(), actor: ann)

            #expect(taken.oauthError == "invalid_grant" && taken.refusal == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(linked.status == 200, "\(linked.text)")
            #expect(second.oauthError == "invalid_grant" && second.refusal == "PROVIDER_ALREADY_LINKED")
            #expect(try await native.get("", ann).providerIDs == ["github.com", "apple.com"])
        }
    }

    @Test func `a login of more than five minutes ago links nothing until it is repeated`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let apple = try providers.person(at: "apple.com", email: "ann@example.com")
            let old = try await native.signIn(apple)
            providers.advance(400, with: broker)
            let onePass = try providers.idTokenCredential(at: "1pass.dev", forging: nil)

            let late = try await native.exchange(onePass, actor: old)
            let again = try await native.exchange(apple.credential(), actor: old, prompt: "login")
            let linked = try await native.exchange(
                providers.idTokenCredential(at: "1pass.dev", forging: nil), actor: again)

            #expect(late.refusal == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(late.text)")
            #expect(again.status == 200 && again["refresh_token"] != nil, "\(again.text)")
            let (before, after) = (try old.claims(), try again.claims())
            #expect(after["sub"] == before["sub"] && after["sid"] != before["sid"])
            #expect(after["auth_time"]?.integer == Int64(broker.clock.now.timeIntervalSince1970))
            #expect(linked.status == 200, "\(linked.text)")
        }
    }

    @Test func `a reauthentication takes no other user's credential, and creates none`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let ann = try await native.signIn(providers.person(at: "apple.com", email: "ann@example.com"))
            let ben = try providers.person(at: "apple.com", email: "ben@example.com")
            _ = try await native.signIn(ben)
            let stranger = try providers.person(at: "apple.com", email: "cat@example.com")

            for person in [ben, stranger] {
                let answer = try await native.exchange(person.credential(), actor: ann, prompt: "login")
                #expect(answer.oauthError == "invalid_grant" && answer.refusal == "USER_MISMATCH", "\(answer.text)")
            }
            #expect(try await native.signIn(stranger).claims()["sub"] != ann.claims()["sub"])
        }
    }

    @Test(
        arguments: [
            "an ID token", "another client's", "an ended session's", "an expired one", "Identity Toolkit's",
            "a session cookie", "a provider's",
        ])
    func `no other token stands for the user`(kind: String) async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let person = try providers.person(at: "apple.com", email: "ann@example.com")
            let ann = try await native.signIn(person)
            var token = try ann.string("access_token")
            switch kind {
            case "an ID token": token = try ann.string("id_token")
            case "another client's":
                token = try await NativeApp(at: broker).signIn(person).string("access_token")
            case "an ended session's": #expect(try await native.post("/sessions:signOut", ann).status == 200)
            case "an expired one": broker.clock.advance(seconds: 3700)
            case "Identity Toolkit's": token = try await broker.signIn(person).string("idToken")
            case "a session cookie":
                token = try await broker.core.sessions.createSessionCookie(
                    broker.signIn(person).string("idToken"), lifetime: 3600, origin: Origin(.admin))
            default: token = person.credential()[0].1
            }
            let apple = try providers.idTokenCredential(at: "1pass.dev", forging: nil)

            for prompt in ["link", "login"] {
                let answer = try await native.exchange(
                    apple, prompt: prompt, ["actor_token": token, "actor_token_type": NativeApp.accessTokenType])
                #expect(answer.status == 400 && answer.oauthError == "invalid_grant", "\(answer.text)")
                #expect(answer.refusal == "TOKEN_EXPIRED", "\(answer.text)")
            }
        }
    }

    @Test func `what does not stand for the user links nothing, and all such tokens have one answer`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let ann = try await Self.session(native, providers)
            let localID = try #require(try ann.claims()["sub"]?.string)
            let user = try #require(try await broker.user(localID)?.user)
            let (ended, foreign) = (
                try await native.app.signIn(user, scope: NativeApp.scope),
                try await NativeApp(at: broker).app.signIn(user, scope: NativeApp.scope)
            )
            #expect(try await native.post("/sessions:signOut", ended).status == 200)
            let disabled = try await Self.session(native, providers, email: "dan@example.com")
            let danID = try #require(try disabled.claims()["sub"]?.string)
            _ = try await broker.core.accounts.disableUser(localID: danID, origin: Origin(.admin))
            let idToken = try await broker.signIn(providers.person(at: "github.com", email: "eve@example.com"))
                .string("idToken")
            let cookie = try await broker.core.sessions.createSessionCookie(
                idToken, lifetime: 300, origin: Origin(.admin))
            let tokens = [
                try ended.string("access_token"), try foreign.string("access_token"),
                try disabled.string("access_token"), try ann.string("id_token"), try ann.string("refresh_token"),
                idToken, cookie, "a.b.c",
            ]

            var answers: Set<String> = []
            for token in tokens {
                let answer = try await native.exchange(
                    providers.person(at: "apple.com", email: "ann@icloud.example").credential(), prompt: "link",
                    ["actor_token": token, "actor_token_type": NativeApp.accessTokenType])
                #expect(answer.status == 400, "\(answer.text)")
                answers.insert(answer.text)
            }

            #expect(answers.count == 1, "\(answers)")
            for id in [localID, danID] {
                #expect(try await broker.user(id)?.identities.map(\.provider) == ["github.com"])
            }
        }
    }

    @Test func `of twenty concurrent links of one identity one user has it`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let sessions = [
                try await Self.session(native, providers),
                try await Self.session(native, providers, email: "ben@example.com"),
            ]
            let credentials = (0..<20).map { _ in providers.nativeCredential(of: providers.apple.people()[0]) }

            let subjects = try await withThrowingTaskGroup(of: String?.self) { group in
                for (number, credential) in credentials.enumerated() {
                    group.addTask {
                        let answer = try await native.exchange(
                            credential.filter { $0.0 != "code" }, actor: sessions[number % 2])
                        return answer.status == 200 ? try answer.claims()["sub"]?.string : nil
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(subjects.compactMap(\.self).count == 1, "\(subjects)")
        }
    }
}
