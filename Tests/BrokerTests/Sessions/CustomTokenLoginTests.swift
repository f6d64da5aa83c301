import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@testable import Broker

@Suite("the login of users of custom tokens")
struct CustomTokenLoginTests {
    private typealias Fixture = ServiceAccountFixture

    private static func run(
        _ policy: JSONValue = "strict", _ test: (TestBroker, (JSONObject) async throws -> Answer) async throws -> Void
    ) async throws {
        let fixture = try Fixture.trusted.get()
        let account = try fixture.account()
        let settings = try Policy(reading: policy)
        try await TestBroker.run({
            $0.serviceAccounts = [account]
            $0.policy = settings
        }) { broker in
            try await test(broker) { claims in
                try await broker.signIn(
                    customToken: fixture.token(Fixture.claims("employee-7", at: broker.clock.now, claims)))
            }
        }
    }

    /// The tokens that a thief of the refresh token gets.
    private static func stolen(_ session: Answer, _ broker: TestBroker) async throws -> Answer {
        let refreshed = try await broker.refresh(session.string("refreshToken"))
        let body: JSONObject = [
            "idToken": .string(try refreshed.string("id_token")),
            "refreshToken": .string(try refreshed.string("refresh_token")),
        ]
        return Answer(status: 200, headers: [:], body: .object(body), text: "")
    }

    private static func identities(_ broker: TestBroker) async throws -> [String]? {
        try await broker.user("employee-7")?.identities.map(\.provider)
    }

    @Test func `a stolen refresh token neither links nor deletes, until the user signs in again`() async throws {
        try await Self.run { broker, signIn in
            let session = try await signIn([:])
            broker.clock.advance(seconds: 301)
            let thief = try await Self.stolen(session, broker)

            let linked = try await broker.link(broker.person("ben"), to: thief)
            let deleted = try await broker.delete(thief)

            #expect(linked.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(linked.text)")
            #expect(deleted.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(deleted.text)")
            #expect(try await Self.identities(broker) == [])
            let again = try await signIn([:])
            let byOwner = try await broker.link(broker.person("ada"), to: again)
            #expect(byOwner.status == 200 && byOwner["errorMessage"] == nil, "\(byOwner.text)")
            #expect(try await Self.identities(broker) == ["github.com"])
            let last = try await signIn([:])
            #expect(try await broker.delete(last).status == 200)
        }
    }

    @Test func `step-up rules apply to their links and deletions, by the custom-token sign-in`() async throws {
        let rule: JSONValue = [
            "acr": "urn:example:minute", "maxAge": 60, "routes": ["accounts:signInWithIdp", "accounts:delete"],
        ]
        try await Self.run(["preset": "firebase", "stepUp": [rule]]) { broker, signIn in
            let session = try await signIn([:])
            let anonymous = try await broker.signUp()
            broker.clock.advance(seconds: 61)
            let thief = try await Self.stolen(session, broker)

            for refused in [try await broker.link(broker.person("ben"), to: thief), try await broker.delete(thief)] {
                #expect(refused.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(refused.text)")
                #expect(refused.message?.contains("urn:example:minute") == true)
            }
            let again = try await signIn([:])
            #expect(try await broker.link(broker.person("ada"), to: again).status == 200)
            // An anonymous user has no login to repeat.
            #expect(try await broker.delete(anonymous).status == 200)
        }
    }

    @Test func `a rule may name custom and the methods that the developer's token states`() async throws {
        let rule: JSONValue = [
            "acr": "urn:example:mfa", "providers": ["custom"], "methods": ["mfa"], "routes": ["accounts:update"],
        ]
        try await Self.run(["preset": "strict", "stepUp": [rule]]) { broker, signIn in
            let weak = [try await signIn([:]), try await signIn(["amr": ["pwd"]])]
            let strong = try await signIn(["amr": ["pwd", "mfa"]])
            let federated = try await broker.signIn(broker.person("ada"))

            for session in weak + [federated] {
                let refused = try await broker.update(session, ["displayName": "Eve"])
                #expect(refused.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(refused.text)")
            }
            #expect(try await broker.update(strong, ["displayName": "Ada"]).status == 200)
            let renewed = try await Self.stolen(strong, broker)
            #expect(try await broker.update(renewed, ["displayName": "Ann"]).status == 200, "a refresh keeps them")
        }
    }

    @Test(
        arguments: [
            [], "mfa", [7], ["mfa", .null], ["fed"], ["user"], [""], ["two words"], ["a\"b"],
            [.string(String(repeating: "x", count: 33))], .array(Array(repeating: "mfa", count: 9)), .null,
        ] as [JSONValue])
    func `an amr that is no list of methods is refused`(amr: JSONValue) async throws {
        try await Self.run { broker, signIn in
            let answer = try await signIn(["amr": amr])

            #expect(answer.status == 400 && answer.code == "INVALID_CUSTOM_TOKEN", "\(answer.text)")
            #expect(answer.message?.contains("amr") == true)
        }
    }

    @Test func `a user whose last identity was removed has no login to repeat`() async throws {
        try await Self.run(["preset": "strict", "lastSignInMethod": "firebase"]) { broker, _ in
            let session = try await broker.signIn(broker.person("ada"))
            #expect(try await broker.update(session, ["deleteProvider": ["github.com"]]).status == 200)
            broker.clock.advance(seconds: 301)

            #expect(try await broker.delete(session).status == 200)
        }
    }

    @Test func `token exchange applies the step-up rules of the scope account to them`() async throws {
        let policy = try Policy(reading: [
            "preset": "strict", "stepUp": [["acr": "urn:example:minute", "maxAge": 60, "scopes": ["account"]]],
        ])
        try await TestProviders.runHosted({ $0.policy = policy }) { broker, providers in
            let user = User(
                key: broker.core.store.keys.next(at: broker.clock.now), localID: "employee-7", isCustomAuth: true,
                createdAt: Timestamp(broker.clock.now))
            _ = try await broker.core.store.write { try $0.insert(user) }
            let native = try await NativeApp(at: broker)
            let session = try await native.app.signIn(user, scope: NativeApp.scope)
            providers.advance(100, with: broker)

            let refused = try await native.exchange(
                providers.person(at: "apple.com", email: "ann@icloud.example").credential(), actor: session)

            #expect(refused.refusal == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(refused.text)")
            #expect(refused["error_description"]?.string?.contains("urn:example:minute") == true)
            #expect(try await Self.identities(broker) == [])
        }
    }

    @Test(
        arguments: [
            // (rule, available, whether some users can never satisfy it)
            (["maxAge": 60, "routes": ["accounts:signInWithIdp"]], ["a"], false),
            (["providers": ["a"]], ["a", "b", "custom"], false),
            (["providers": ["a"], "routes": ["accounts:delete"]], ["a", "b", "custom"], false),
            (["providers": ["a"]], ["b"], true),
            (["providers": ["a", "b"], "routes": ["accounts:signInWithIdp"]], ["a", "b"], false),
            (["providers": ["a"], "routes": ["accounts:signInWithIdp"]], ["a", "b"], true),
            (["providers": ["a"], "routes": ["accounts:signInWithIdp"]], ["a", "custom"], true),
            (["providers": ["a", "custom"], "routes": ["accounts:signInWithIdp"]], ["a", "b", "custom"], false),
            (["providers": ["custom"], "routes": ["accounts:delete"]], ["a", "custom"], false),
            (["providers": ["custom"], "routes": ["accounts:delete"]], ["a"], true),
            (["providers": ["custom"], "scopes": ["email"]], ["a", "custom"], true),
            (["providers": ["custom"]], ["a", "custom"], true),
            (["providers": ["custom"], "routes": ["/oauth/userinfo"]], ["a", "custom"], true),
        ] as [(JSONObject, [String], Bool)])
    func `a rule that some users can never satisfy is known from the configuration`(
        members: JSONObject, available: [String], isUnattainable: Bool
    ) throws {
        var members = members
        members["acr"] = "urn:example:rule"
        let rule = try #require(try Policy(reading: ["stepUp": [.object(members)]]).stepUp.first)

        #expect(rule.isUnattainable(with: available) == isUnattainable)
    }
}
