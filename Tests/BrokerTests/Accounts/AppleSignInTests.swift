import Broker
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("signing in with Apple")
struct AppleSignInTests {
    @Test func `a device's credential makes a user with the name Apple tells once`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]

            let answer = try await broker.signIn(postBody: Self.native(person, providers))
            let again = try await broker.signIn(postBody: Self.native(person, providers))

            #expect(answer.status == 200 && answer["isNewUser"] == true, "\(answer.text)")
            #expect(answer["displayName"] == "Ada Example" && answer["email"] == "ada@example.com")
            #expect(again["localId"] == answer["localId"])
            #expect(try await Self.name(again, broker) == "Ada Example")
            #expect(providers.apple.requests(.token).count == 2)
        }
    }

    @Test func `a web site's code signs in with the nonce it was asked for, and with no other`() async throws {
        try await TestProviders.run { broker, providers in
            let apple = providers.apple
            let (person, site) = (apple.people()[0], apple.defaultApplication)
            func signIn(asking asked: String, sending sent: String) async throws -> Answer {
                let code = apple.authorizationCode(for: person, application: site, nonce: asked)
                return try await broker.signIn(postBody: [
                    ("code", code), ("redirect_uri", site.returnURLs[0]), ("nonce", sent),
                    ("code_verifier", RandomText.alphanumeric(64)), ("providerId", "apple.com"),
                ])
            }

            let answer = try await signIn(asking: "asked", sending: "asked")

            #expect(answer.status == 200 && answer["isNewUser"] == true, "\(answer.text)")
            #expect(answer["federatedId"]?.string == apple.subject(of: person, for: site))
            #expect(try await signIn(asking: "asked", sending: "another").code == "MISSING_OR_INVALID_NONCE")
            // Apps and web sites of one team get one subject.
            #expect(try await broker.signIn(postBody: Self.native(person, providers))["localId"] == answer["localId"])
        }
    }

    @Test(arguments: ["dead code", "unreachable token endpoint"])
    func `a sign-in that failed after Apple told the name loses nothing`(failure: String) async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            var first = Self.native(person, providers)
            if failure == "dead code" {
                first.removeAll { $0.0 == "code" }
                first.append(("code", "c.invalid"))
            } else {
                providers.apple.fail(.token, with: .closeConnection, times: 1)
            }

            let failed = try await broker.signIn(postBody: first)
            let second = try await broker.signIn(postBody: Self.native(person, providers))

            #expect(failed.code == "INVALID_IDP_RESPONSE")
            #expect(second["isNewUser"] == true)
            #expect(try await Self.name(second, broker) == "Ada Example")
        }
    }

    @Test func `an entry with requireCode refuses an ID token alone, says why, and keeps the name`() async throws {
        try await TestProviders.run(entries: { entry in
            guard entry["id"] == "apple.com", var options = entry["options"]?.object else { return }
            options["requireCode"] = true
            entry["options"] = .object(options)
        }) { broker, providers in
            let person = providers.apple.people()[0]
            var first = Self.native(person, providers)
            first.removeAll { $0.0 == "code" }

            let refused = try await broker.signIn(postBody: first)
            let second = try await broker.signIn(postBody: Self.native(person, providers))

            #expect(refused.code == "INVALID_IDP_RESPONSE" && refused.message?.contains("code") == true)
            #expect(second["isNewUser"] == true)
            #expect(try await Self.name(second, broker) == "Ada Example")
        }
    }

    @Test func `a refused sign-in keeps the name for the accepted one`() async throws {
        try await TestProviders.run { broker, providers in
            let owner = try await broker.signIn(providers.person(at: "github.com", email: "ada@example.com"))
            let person = providers.apple.people()[0]

            let taken = try await broker.signIn(postBody: Self.native(person, providers))
            let linked = try await broker.signIn(
                postBody: Self.native(person, providers), extra: ["idToken": .string(owner.string("idToken"))])

            #expect(taken["needConfirmation"] == true)
            let found = try await broker.lookup(linked.string("idToken"))["users"]?.array?.first
            let entry = found?["providerUserInfo"]?.array?.first { $0["providerId"] == "apple.com" }
            #expect(entry?["displayName"] == "Ada Example")
        }
    }

    @Test func `a profile from the client changes only the user of the ID token beside it`() async throws {
        try await TestProviders.run { broker, providers in
            let (ada, ben) = (providers.apple.people()[0], providers.apple.people()[1])
            _ = try await broker.signIn(postBody: Self.native(ada, providers))
            var credential = Self.native(ben, providers)
            credential.removeAll { $0.0 == "user" }
            let user = #"{"name":{"firstName":"Mallory"},"email":"ada@example.com"}"#

            let answer = try await broker.signIn(postBody: credential + [("user", user)])

            #expect(answer["email"] != "ada@example.com")
            #expect(try await Self.name(answer, broker) == "Mallory")
            let again = try await broker.signIn(postBody: Self.native(ada, providers))
            #expect(try await Self.name(again, broker) == "Ada Example")
        }
    }

    @Test func `a user field that is no object is refused before Apple is asked`() async throws {
        try await TestProviders.run { broker, providers in
            var credential = Self.native(providers.apple.people()[0], providers)
            credential.removeAll { $0.0 == "user" }

            let answer = try await broker.signIn(postBody: credential + [("user", "Ada")])

            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(providers.apple.hits(.keys) == 0)
        }
    }

    @Test func `a forwarding address is shown and never identifies a user`() async throws {
        try await TestProviders.run({ $0.policy = .firebase }) { broker, providers in
            let person = providers.apple.people()[1]
            let relay = providers.apple.relayAddress(of: person, for: providers.apple.nativeApplication)
            let holder = try await broker.signIn(providers.person(at: "1pass.dev", email: relay))
            let answer = try await broker.signIn(postBody: Self.native(person, providers))
            let another = try await broker.signIn(providers.person(at: "gitlab.com", email: relay))

            #expect(holder["email"]?.string == relay)
            #expect(answer["isNewUser"] == true && answer["localId"] != holder["localId"])
            #expect(another["isNewUser"] == true && another["localId"] != holder["localId"])
            let found = try await broker.lookup(answer.string("idToken"))["users"]?.array?.first
            #expect(found?["email"] == nil)
            #expect(found?["providerUserInfo"]?.array?.first?["email"]?.string == relay)
        }
    }

    @Test func `a forwarding address that no other user holds becomes the user's address`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[1]

            let answer = try await broker.signIn(postBody: Self.native(person, providers))

            let relay = providers.apple.relayAddress(of: person, for: providers.apple.nativeApplication)
            let found = try await broker.lookup(answer.string("idToken"))["users"]?.array?.first
            #expect(found?["email"]?.string == relay && found?["emailVerified"] == true)
        }
    }

    @Test func `a user who deletes the account and signs in again has no stored name`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let first = try await broker.signIn(postBody: Self.native(person, providers))
            _ = try await broker.post("/v1/accounts:delete", ["idToken": .string(first.string("idToken"))])

            let second = try await broker.signIn(postBody: Self.native(person, providers))

            #expect(second["isNewUser"] == true)
            #expect(try await Self.name(second, broker) == nil)
        }
    }

    /// What an app on a device sends: the first time with the name.
    static func native(
        _ person: AppleSimulator.Person, _ providers: TestProviders
    ) -> [(String, String)] {
        let nonce = RandomText.alphanumeric(32)
        let native = providers.apple.nativeCredential(
            for: person, application: providers.apple.nativeApplication, rawNonce: nonce)
        var fields = [
            ("id_token", native.idToken), ("code", native.authorizationCode), ("nonce", nonce),
            ("providerId", "apple.com"),
        ]
        if let given = native.givenName, let family = native.familyName {
            let user: JSONValue = ["name": ["firstName": .string(given), "lastName": .string(family)]]
            fields.append(("user", user.serialized()))
        }
        return fields
    }

    private static func name(_ answer: Answer, _ broker: TestBroker) async throws -> String? {
        try await broker.lookup(answer.string("idToken"))["users"]?.array?.first?["displayName"]?.string
    }
}
