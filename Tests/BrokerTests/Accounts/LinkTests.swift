import Broker
import BrokerStore
import Foundation
import JOSE
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("linking over HTTP")
struct LinkTests {
    /// A broker with two entries on one simulator: two providers as far as users are concerned.
    static func run<Value>(
        _ change: (inout Configuration) -> Void = { _ in }, trustsOther: Bool = true,
        _ test: (TestBroker) async throws -> Value
    ) async throws -> Value {
        try await TestBroker.run(
            change,
            entries: { simulator in
                [
                    TestBroker.gitHub(simulator),
                    TestBroker.gitHub(simulator, id: "github.other", trustEmail: trustsOther),
                ]
            }, test)
    }

    @Test func `an anonymous user becomes a permanent one and keeps the localId`() async throws {
        try await TestBroker.run { broker in
            let anonymous = try await broker.signUp()
            broker.clock.advance(seconds: 400)

            let linked = try await broker.link(try broker.person("ada"), to: anonymous)

            #expect(linked.status == 200 && linked["localId"] == anonymous["localId"])
            #expect(linked["isNewUser"] == nil)
            let claims = try broker.claims(of: linked)
            #expect(claims["firebase"]?["sign_in_provider"] == "github.com")
            #expect(claims["auth_time"]?.integer == Int64(broker.clock.now.timeIntervalSince1970))
            let user = try await broker.lookup(linked.string("idToken"))["users"]?.array?.first
            #expect(user?["email"] == "ada@example.com" && user?["emailVerified"] == true)
            #expect(user?["displayName"] == nil)
            #expect(try await broker.signIn(broker.person("ada"))["localId"] == anonymous["localId"])
        }
    }

    @Test func `a link keeps the session's auth_time`() async throws {
        try await Self.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            broker.clock.advance(seconds: 100)

            let linked = try await broker.link(broker.person("ben"), to: session, provider: "github.other")

            #expect(linked.status == 200)
            #expect(try broker.claims(of: linked)["auth_time"] == broker.claims(of: session)["auth_time"])
            #expect(try broker.claims(of: linked)["firebase"]?["identities"]?["github.other"] != nil)
        }
    }

    @Test func `another user's identity is refused, with the provider's response when requested`() async throws {
        try await Self.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let mine = try await broker.signUp()

            let plain = try await broker.link(broker.person("ada"), to: mine)
            let full = try await broker.link(
                broker.person("ada"), to: mine, extra: JSONObject([("returnIdpCredential", true)]))

            #expect(plain.status == 400 && plain.code == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(full.status == 200 && full["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(full["email"] == "ada@example.com" && full["pendingToken"] != nil)
            #expect(full["localId"] == nil && full["idToken"] == nil && full["refreshToken"] == nil)
        }
    }

    @Test func `the same identity twice, and a second one of the provider, are refused apart`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))

            let again = try await broker.link(broker.person("ada"), to: session)
            let second = try await broker.link(broker.person("ben"), to: session)

            #expect(again.code == "FEDERATED_USER_ID_ALREADY_LINKED")
            #expect(second.code == "PROVIDER_ALREADY_LINKED")
        }
    }

    @Test func `the address of another verified user is refused, and takes nothing`() async throws {
        try await Self.run { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let mine = try await broker.signUp()

            let answer = try await broker.link(broker.person("ada"), to: mine, provider: "github.other")

            #expect(answer.code == "EMAIL_EXISTS")
            let user = try await broker.lookup(holder.string("idToken"))["users"]?.array?.first
            #expect(user?["email"] == "ada@example.com")
        }
    }

    @Test func `strict wants a recent login for a link, firebase does not`() async throws {
        for (policy, code) in [(Policy.strict, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"), (.firebase, nil)] {
            try await Self.run {
                $0.policy = policy
            } _: { broker in
                let session = try await broker.signIn(broker.person("ada"))
                broker.clock.advance(seconds: 301)
                let answer = try await broker.link(broker.person("ben"), to: session, provider: "github.other")
                #expect(answer.code == code)
            }
        }
    }

    @Test func `a session that was signed out links nothing`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()
            _ = try await broker.post("/v1/broker/sessions:signOut", ["idToken": #require(session["idToken"])])

            #expect(try await broker.link(broker.person("ada"), to: session).code == "TOKEN_EXPIRED")
            #expect(try await broker.signIn(broker.person("ada"))["isNewUser"] == true)
        }
    }

    @Test func `a pending token carries a refused sign-in to a link, once`() async throws {
        try await Self.run { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let refused = try await broker.signIn(broker.person("ada"), provider: "github.other")
            let pending = try refused.string("pendingToken")

            let again = try await broker.usePending(pending)
            let linked = try await broker.usePending(pending, idToken: holder.string("idToken"))
            let replay = try await broker.usePending(pending, idToken: holder.string("idToken"))

            #expect(refused["needConfirmation"] == true)
            #expect(again["needConfirmation"] == true && again["pendingToken"]?.string == pending)
            #expect(linked["localId"] == holder["localId"])
            #expect(replay.code == "INVALID_PENDING_TOKEN")
            #expect(
                try await broker.signIn(broker.person("ada"), provider: "github.other")["localId"] == holder["localId"])
        }
    }

    @Test func `twenty uses of a pending token at once write once`() async throws {
        try await Self.run { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let pending = try await broker.signIn(broker.person("ada"), provider: "github.other").string("pendingToken")
            let idToken = try holder.string("idToken")

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await broker.usePending(pending, idToken: idToken) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.allSatisfy { $0.status == 200 || $0.status == 400 })
        }
    }

    @Test func `a pending token dies after an hour, and a made-up one never lived`() async throws {
        try await Self.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let pending = try await broker.signIn(broker.person("ada"), provider: "github.other").string("pendingToken")
            broker.clock.advance(seconds: 3600)

            for token in [pending, RandomText.alphanumeric(43), "é", ""] {
                let answer = try await broker.usePending(token)
                #expect(answer.code != nil && answer["localId"] == nil)
            }
        }
    }

    @Test func `a spent code leaves a pending token behind, for a link or a reauthentication`() async throws {
        try await TestBroker.run { broker in
            let verifier = RandomText.alphanumeric(64)
            let signedIn = try await broker.signInWithCode(broker.person("ada"), verifier: verifier)

            let again = try await broker.usePending(signedIn.string("pendingToken"))

            #expect(again["localId"] == signedIn["localId"] && again["isNewUser"] == nil)
        }
    }

    @Test func `under firebase a proven address joins the account that holds it`() async throws {
        try await Self.run {
            $0.policy = .firebase
        } _: { broker in
            let holder = try await broker.signIn(broker.person("ada"))

            let joined = try await broker.signIn(broker.person("ada"), provider: "github.other")

            #expect(joined["localId"] == holder["localId"] && joined["isNewUser"] == nil)
            let user = try await broker.lookup(joined.string("idToken"))["users"]?.array?.first
            #expect(user?["providerUserInfo"]?.array?.count == 2)
            #expect(try await broker.lookup(holder.string("idToken")).status == 200)
        }
    }

    @Test func `under firebase the owner of an address takes the account of a squatter over, whole`() async throws {
        try await Self.run {
            $0.policy = .firebase
        } _: { broker in
            let squatter = broker.simulator.add(
                .init(login: "squatter", emails: [.init(address: "owner@example.com", verified: false)]))
            let owner = broker.simulator.add(.init(login: "owner", emails: [.init(address: "owner@example.com")]))
            let squatted = try await broker.signIn(squatter, provider: "github.other")

            let taken = try await broker.signIn(owner)

            #expect(taken["localId"] == squatted["localId"])
            #expect(try await broker.refresh(squatted.string("refreshToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.lookup(squatted.string("idToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.lookup(taken.string("idToken")).status == 200)
            #expect(try await broker.refresh(taken.string("refreshToken")).status == 200)
            let back = try await broker.signIn(squatter, provider: "github.other")
            #expect(back["needConfirmation"] == true && back["idToken"] == nil)
        }
    }

    @Test func `under strict the owner of an address becomes a new user with it, and the squatter loses it`()
        async throws
    {
        try await Self.run { broker in
            let squatter = broker.simulator.add(
                .init(login: "squatter", emails: [.init(address: "owner@example.com", verified: false)]))
            let owner = broker.simulator.add(.init(login: "owner", emails: [.init(address: "owner@example.com")]))
            let squatted = try await broker.signIn(squatter, provider: "github.other")

            let answer = try await broker.signIn(owner)

            #expect(answer["isNewUser"] == true && answer["localId"] != squatted["localId"])
            let mine = try await broker.lookup(answer.string("idToken"))["users"]?.array?.first
            let theirs = try await broker.lookup(squatted.string("idToken"))["users"]?.array?.first
            #expect(mine?["email"] == "owner@example.com" && mine?["emailVerified"] == true)
            #expect(theirs?["email"] == nil && theirs?["emailVerified"] == nil)
        }
    }

    @Test func `two links of one identity to two users at once: one wins, a hundred times over`() async throws {
        try await TestBroker.run { broker in
            for round in 0..<100 {
                let person = broker.simulator.add(.init(login: "l\(round)", emails: []))
                let one = try await broker.signUp()
                let other = try await broker.signUp()

                async let first = broker.link(person, to: one)
                async let second = broker.link(person, to: other)
                let answers = try await [first, second]

                #expect(answers.count { $0.status == 200 } == 1)
                #expect(answers.count { $0.code == "FEDERATED_USER_ID_ALREADY_LINKED" } == 1)
            }
        }
    }

    @Test func `the policy document shows the table the tests run`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let document = try String(contentsOf: root.appending(path: "Docs/AccountPolicy.md"), encoding: .utf8)
        #expect(document.contains(AccountPolicyTable.markdown))
    }
}
