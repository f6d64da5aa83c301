import Broker
import BrokerStore
import Crypto
import Foundation
import JOSE
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("signing in with GitHub")
struct SignInTests {
    @Test func `a new user has every claim that GitHub sent`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")

            let answer = try await broker.signIn(person)

            #expect(answer.status == 200)
            #expect(answer["kind"] == "identitytoolkit#VerifyAssertionResponse")
            #expect(answer["isNewUser"] == true)
            #expect(answer["federatedId"]?.string == String(person.id))
            #expect(answer["email"] == "ada@example.com")
            #expect(answer["emailVerified"] == true)
            #expect(answer["fullName"] == answer["displayName"])
            #expect(answer["expiresIn"] == "3600")
            #expect(try answer.string("localId").utf8.count == 28)
            let profile = try JSONValue(parsing: answer.string("rawUserInfo").utf8)
            #expect(profile["login"]?.string == person.login)
            #expect(profile["id"]?.integer == person.id)
            #expect(answer["needConfirmation"] == nil && answer["errorMessage"] == nil)
        }
    }

    @Test func `a returning user is the same user, and not a new one`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")

            let first = try await broker.signIn(person)
            let second = try await broker.signIn(person)

            #expect(try first.string("localId") == second.string("localId"))
            #expect(second["isNewUser"] == nil)
        }
    }

    @Test func `an authorization code with its PKCE verifier signs in`() async throws {
        try await TestBroker.run { broker in
            let verifier = RandomText.alphanumeric(64)
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
            let application = broker.simulator.defaultApplication
            let code = broker.simulator.authorizationCode(
                for: try broker.person("ada"), application: application, codeChallenge: challenge)
            let credential = [
                ("code", code), ("code_verifier", verifier), ("redirect_uri", application.callbackURL),
                ("providerId", "github.com"),
            ]

            let answer = try await broker.signIn(postBody: credential)
            let replay = try await broker.signIn(postBody: credential)

            #expect(answer.status == 200)
            #expect(answer["email"] == "ada@example.com")
            #expect(replay.code == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func `a code without its verifier is refused before GitHub is asked`() async throws {
        try await TestBroker.run { broker in
            let code = broker.simulator.authorizationCode(
                for: try broker.person("ada"), application: broker.simulator.defaultApplication)

            let answer = try await broker.signIn(postBody: [("code", code), ("providerId", "github.com")])

            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(broker.simulator.hits(.accessToken) == 0)
        }
    }

    @Test func `a token issued to another application is refused and nothing is written`() async throws {
        try await TestBroker.run { broker in
            let foreign = broker.simulator.register(GitHubSimulator.Application(name: "Another app"))
            let token = broker.simulator.accessToken(for: try broker.person("ada"), application: foreign)

            let answer = try await broker.signIn(postBody: [("access_token", token), ("providerId", "github.com")])

            #expect(answer.status == 400)
            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(answer["localId"] == nil)
            #expect(!answer.text.contains(token))
            #expect(try await broker.core.store.read { try $0.users(after: nil, limit: 10) }.isEmpty)
        }
    }

    @Test func `another user's address answers needConfirmation and writes nothing`() async throws {
        try await TestBroker.run(entries: { simulator in
            [TestBroker.gitHub(simulator), TestBroker.gitHub(simulator, id: "github.other")]
        }) { broker in
            let holder = try await broker.signIn(try broker.person("ada"))

            let answer = try await broker.signIn(try broker.person("ada"), provider: "github.other")

            #expect(answer.status == 200)
            #expect(answer["needConfirmation"] == true)
            #expect(answer["localId"] == holder["localId"])
            #expect(answer["verifiedProvider"] == ["github.com"])
            #expect(answer["idToken"] == nil && answer["refreshToken"] == nil)
            #expect(try await broker.core.store.read { try $0.users(after: nil, limit: 10) }.count == 1)
        }
    }

    @Test func `an unverified address does not reveal its user`() async throws {
        try await TestBroker.run(entries: { simulator in
            [TestBroker.gitHub(simulator), TestBroker.gitHub(simulator, id: "github.other", trustEmail: false)]
        }) { broker in
            _ = try await broker.signIn(try broker.person("ada"))

            let answer = try await broker.signIn(try broker.person("ada"), provider: "github.other")

            #expect(answer["needConfirmation"] == true)
            #expect(answer["localId"] == nil && answer["verifiedProvider"] == nil)
        }
    }

    @Test func `reauthenticating with an unknown identity creates no user`() async throws {
        try await TestBroker.run { broker in
            let token = broker.simulator.accessToken(
                for: try broker.person("ada"), application: broker.simulator.defaultApplication)

            let answer = try await broker.signIn(
                postBody: [("access_token", token), ("providerId", "github.com")],
                extra: JSONObject([("autoCreate", false)]))

            #expect(answer.code == "EMAIL_NOT_FOUND")
            #expect(try await broker.core.store.read { try $0.users(after: nil, limit: 10) }.isEmpty)
        }
    }

    @Test func `a returning sign-in replaces the provider entry and leaves the account as it is`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            _ = try await broker.signIn(person)
            broker.simulator.update(personID: person.id) { $0.name = "Ada Renamed" }

            let answer = try await broker.signIn(person)
            let user = try await broker.lookup(answer.string("idToken"))["users"]?.array?.first

            #expect(user?["displayName"]?.string == person.name)
            #expect(user?["providerUserInfo"]?.array?.first?["displayName"] == "Ada Renamed")
        }
    }

    @Test func `two first sign-ins at once make one user, three hundred times over`() async throws {
        try await TestBroker.run { broker in
            let application = broker.simulator.defaultApplication
            for round in 0..<300 {
                let person = broker.simulator.add(
                    .init(login: "p\(round)", emails: [.init(address: "p\(round)@example.com")]))
                let token = broker.simulator.accessToken(for: person, application: application)
                let credential = [("access_token", token), ("providerId", "github.com")]

                async let one = broker.signIn(postBody: credential)
                async let other = broker.signIn(postBody: credential)
                let answers = try await [one, other]

                #expect(answers.allSatisfy { $0.status == 200 })
                #expect(Set(try answers.map { try $0.string("localId") }).count == 1)
                #expect(answers.count { $0["isNewUser"] == true } == 1)
            }
            #expect(try await broker.core.store.read { try $0.users(after: nil, limit: 1000) }.count == 300)
        }
    }

    @Test func `an address nothing can be matched with stays with the identity`() async throws {
        try await TestBroker.run { broker in
            let person = broker.simulator.add(.init(login: "anne", emails: [.init(address: "anné@example.com")]))

            let answer = try await broker.signIn(person)
            let user = try await broker.lookup(answer.string("idToken"))["users"]?.array?.first

            #expect(answer.status == 200 && answer["email"] == "anné@example.com")
            #expect(answer["emailVerified"] == true)
            #expect(user?["email"] == nil)
            #expect(user?["providerUserInfo"]?.array?.first?["email"] == "anné@example.com")
        }
    }

    @Test func `the provider's tokens are stored sealed`() async throws {
        try await TestBroker.run { broker in
            let token = broker.simulator.accessToken(
                for: try broker.person("ada"), application: broker.simulator.defaultApplication)
            _ = try await broker.signIn(postBody: [("access_token", token), ("providerId", "github.com")])

            let grants = try await broker.core.store.read { transaction in
                try transaction.users(after: nil, limit: 1).flatMap { try transaction.grants(of: $0.key) }
            }

            #expect(grants.count == 1)
            let sealed = try #require(grants.first?.sealedAccessToken)
            #expect(!String(decoding: sealed, as: UTF8.self).contains(token))
            #expect(sealed.count > token.utf8.count)
        }
    }

    @Test func `each resolution leaves a decision record and each change an audit row`() async throws {
        try await TestBroker.run { broker in
            let localID = try await broker.signIn(try broker.person("ada")).string("localId")
            _ = try await broker.signIn(try broker.person("ada"))

            let (decisions, audit) = try await broker.core.store.read { transaction in
                (
                    try transaction.decisions(localID: localID, limit: 10),
                    try transaction.auditEntries(localID: localID, limit: 10)
                )
            }

            #expect(Set(decisions.map(\.rule)) == ["S1", "S5"])
            #expect(Set(audit.map(\.event)) == ["user.created", "user.signed-in"])
        }
    }
}
