import Broker
import BrokerStore
import Foundation
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("unlinking a provider")
struct UnlinkTests {
    @Test func `unlinking answers with what remains, and the identity belongs to no user any more`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signInWithTwoIdentities()

            let answer = try await broker.update(session, ["deleteProvider": ["GitHub.work", "unknown"]])

            #expect(answer["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string } == ["github.com"])
            #expect(answer["idToken"] == nil)
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            #expect(try await broker.events(of: session.string("localId")).first == "identity.unlinked")
            // The address is still the first user's, so the freed identity may not simply sign in with it.
            let again = try await broker.signIn(broker.person("ada"), provider: "github.work")
            #expect(again["needConfirmation"] == true)
        }
    }

    @Test func `the provider's tokens go with the identity`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signInWithTwoIdentities()
            let localID = try session.string("localId")
            let identities = try await broker.core.store.read { store in
                try store.user(localID: localID).map { try store.identities(of: $0.key) } ?? []
            }
            let work = try #require(identities.last)
            let clientID = broker.simulator.application(of: "github.work").clientID

            let before = try await broker.core.store.read { try $0.grant(identityKey: work.key, clientID: clientID) }
            _ = try await broker.update(session, ["deleteProvider": ["github.work"]])
            let after = try await broker.core.store.read { try $0.grant(identityKey: work.key, clientID: clientID) }

            #expect(before != nil)
            #expect(after == nil)
        }
    }

    @Test func `a provider that is not linked changes nothing, however old the login`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let before = try await broker.record(session)
            broker.clock.advance(seconds: 301)

            let answer = try await broker.update(session, ["deleteProvider": ["gitlab.com", "phone", "password", ""]])

            #expect(answer["providerUserInfo"]?.array?.count == 1)
            #expect(try await broker.record(session) == before)
        }
    }

    @Test func `strict keeps the last way to sign in`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signInWithTwoIdentities()

            let both = try await broker.update(
                session, ["deleteProvider": ["github.com", "github.work"], "displayName": "x"])
            let first = try await broker.update(session, ["deleteProvider": ["github.com"]])
            let last = try await broker.update(session, ["deleteProvider": ["github.work"]])

            #expect(both.code == "LAST_SIGN_IN_METHOD" && last.code == "LAST_SIGN_IN_METHOD")
            #expect(first.status == 200 && first["displayName"] != "x")
            #expect(try await broker.record(session)["providerUserInfo"]?.array?.count == 1)
        }
    }

    @Test func `firebase lets the last one go and answers with an empty list`() async throws {
        try await TestBroker.run({ $0.policy = .firebase }) { broker in
            let session = try await broker.signIn(broker.person("ada"))

            let answer = try await broker.update(session, ["deleteProvider": ["github.com"]])

            #expect(answer["providerUserInfo"] == [])
        }
    }

    @Test func `of two unlinks at once, one leaves a way to sign in`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            for round in 0..<20 {
                let login = "racer-\(round)"
                let person = GitHubSimulator.Person(login: login, name: login, emails: [])
                _ = broker.simulator.add(person)
                let session = try await broker.signInWithTwoIdentities(login)

                async let one = broker.update(session, ["deleteProvider": ["github.com"]])
                async let two = broker.update(session, ["deleteProvider": ["github.work"]])
                let codes = try await [one.code, two.code]

                #expect(codes.contains(nil) && codes.contains("LAST_SIGN_IN_METHOD"), "round \(round)")
            }
        }
    }

    @Test func `strict wants a recent login for it`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signInWithTwoIdentities()
            broker.clock.advance(seconds: 301)

            let answer = try await broker.update(session, ["deleteProvider": ["github.work"]])

            #expect(answer.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            #expect(try await broker.record(session)["providerUserInfo"]?.array?.count == 2)
        }
    }

    @Test func `an admin unlinks without a login, and keeps the last way in too`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signInWithTwoIdentities()
            let localID = try session.string("localId")
            let accounts = broker.core.accounts
            let admin = Origin(.admin, actor: "root")
            broker.clock.advance(seconds: 301)

            let first = try await accounts.unlink(provider: "github.com", from: localID, origin: admin)
            let again = try await accounts.unlink(provider: "github.com", from: localID, origin: admin)

            #expect(first.isUnlinked && first.record.identities.map(\.provider) == ["github.work"])
            #expect(!again.isUnlinked)
            await #expect(throws: BrokerError.lastSignInMethod) {
                try await accounts.unlink(provider: "github.work", from: localID, origin: admin)
            }
            await #expect(throws: BrokerError.userNotFound) {
                try await accounts.unlink(provider: "github.com", from: "nobody", origin: admin)
            }
        }
    }

    @Test func `the address of the unlinked provider gives way to another one that is proven`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let both = try await broker.link(broker.person("ben"), to: session, provider: "github.work")

            let answer = try await broker.update(both, ["deleteProvider": ["github.com"]])

            let record = try await broker.record(both)
            #expect(answer["email"] == "ben@example.com" && answer["emailVerified"] == true, "\(answer.text)")
            #expect(record["email"] == "ben@example.com" && record["emailVerified"] == true)
            #expect(record["initialEmail"] == "ada@example.com")
            // No user holds the former address any more, so its owner gets an account with it.
            let owner = try await broker.signIn(broker.person("ada"))
            #expect(owner["isNewUser"] == true && owner["email"] == "ada@example.com")
        }
    }

    @Test(arguments: ["github.com", "github.work"])
    func `an address that the remaining provider proves as well stays verified`(provider: String) async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signInWithTwoIdentities()

            let answer = try await broker.update(session, ["deleteProvider": [.string(provider)]])

            #expect(answer["email"] == "ada@example.com" && answer["emailVerified"] == true, "\(answer.text)")
        }
    }

    @Test(arguments: [Policy.Preset.strict, .firebase])
    func `an address that no remaining identity proves is no longer verified`(preset: Policy.Preset) async throws {
        try await TestBroker.runWithTwoProviders({ $0.policy = Policy(preset) }) { broker in
            let cleo = broker.simulator.add(.init(login: "cleo", emails: []))
            let session = try await broker.signIn(broker.person("ada"))
            let both = try await broker.link(cleo, to: session, provider: "github.work")

            let answer = try await broker.update(both, ["deleteProvider": ["github.com"]])
            let refreshed = try await broker.refresh(both.string("refreshToken"))

            #expect(answer["email"] == "ada@example.com" && answer["emailVerified"] == false, "\(answer.text)")
            let claims = try CompactJWS(parsing: refreshed.string("id_token")).unverifiedClaims()
            #expect(claims["email"] == "ada@example.com" && claims["email_verified"] == false)
        }
    }

    @Test func `another user's address is not taken`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let both = try await broker.link(broker.person("ben"), to: session, provider: "github.work")
            let holder = try await broker.signIn(broker.person("ben"))

            let answer = try await broker.update(both, ["deleteProvider": ["github.com"]])

            #expect(holder["isNewUser"] == true)
            #expect(answer["email"] == "ada@example.com" && answer["emailVerified"] == false, "\(answer.text)")
            #expect(try await broker.record(holder)["emailVerified"] == true)
        }
    }

    @Test func `an admin's unlinking settles the address too, and the audit says how`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let both = try await broker.link(broker.person("ben"), to: session, provider: "github.work")
            let localID = try both.string("localId")

            let outcome = try await broker.core.accounts.unlink(
                provider: "github.com", from: localID, origin: Origin(.admin, actor: "root"))

            #expect(outcome.record.user.email == "ben@example.com")
            #expect(outcome.record.user.emailAssertedBy == "github.work")
            let entry = try await broker.core.store.read { try $0.auditEntries(localID: localID, limit: 1) }.first
            #expect(entry?.event == "identity.unlinked" && entry?.detail.text == #"{"email":"replaced"}"#)
        }
    }
}
