import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("withdrawing the grant of a user who has signed in again")
struct GrantedAgainTests {
    @Test(arguments: ["github.com", "gitlab.com", "1pass.dev"])
    func `only the old tokens are revoked, and the new ones live`(provider: String) async throws {
        try await TestProviders.run { broker, providers in
            let person = try providers.person(at: provider, email: "ann@example.com")
            let old = try await Self.deletedToken(of: person, broker)
            let again = try await broker.signIn(person)
            let new = try #require(try await broker.storedTokens(of: again).first)

            try await broker.withdrawalWorker().turn()

            let row = try await broker.withdrawal()
            #expect(row.state == .done && row.reason?.contains("only these tokens") == true)
            #expect(row.sealedGrant == nil && old != new)
            #expect(providers.gitHub.hits(.deleteGrant) == 0)
            #expect(providers.gitHub.hits(.deleteToken) == (provider == "github.com" ? 1 : 0))
            switch provider {
            case "github.com":
                #expect(!providers.gitHub.isLive(token: old) && providers.gitHub.isLive(token: new))
            case "gitlab.com":
                #expect(!providers.gitLab.isLive(token: old) && providers.gitLab.isLive(token: new))
            default: #expect(providers.onePass.hits(.revoke) == 1)
            }
        }
    }

    @Test(arguments: [true, false])
    func `Apple would end the new grant as well, so the old one is dropped`(withCode: Bool) async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let first = try await broker.signIn(postBody: Self.credential(of: person, at: providers.apple))
            let old = try #require(try await broker.storedTokens(of: first).first)
            _ = try await broker.delete(first)
            let again = try await broker.signIn(
                postBody: Self.credential(of: person, at: providers.apple, withCode: withCode))
            let new = try await broker.storedTokens(of: again)

            try await broker.withdrawalWorker().turn()

            let row = try await broker.withdrawal()
            #expect(row.state == .dropped && row.reason?.contains("signed in again") == true)
            #expect(row.sealedGrant == nil && providers.apple.hits(.revoke) == 0)
            #expect(new.count == (withCode ? 1 : 0) && (new + [old]).allSatisfy(providers.apple.isLive(token:)))
            let events = try await broker.events(of: first.string("localId"))
            #expect(events.first == "withdrawal.dropped")
        }
    }

    @Test func `tokens that are stored again are never revoked`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            let token = broker.simulator.accessToken(for: person, application: broker.simulator.defaultApplication)
            let credential = [("access_token", token), ("providerId", "github.com")]
            _ = try await broker.delete(broker.signIn(postBody: credential))
            _ = try await broker.signIn(postBody: credential)

            try await broker.withdrawalWorker().turn()

            #expect(try await broker.withdrawal().state == .dropped)
            #expect(broker.simulator.isLive(token: token))
        }
    }

    @Test func `a subject that has become an alias counts as the same identity`() async throws {
        try await TestProviders.run { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let old = try await Self.deletedToken(of: person, broker)
            let heir = try providers.person(at: "github.com", email: "ben@example.com")
            let localID = try await broker.signIn(heir).string("localId")
            let now = Timestamp(broker.clock.now)
            try await broker.core.store.write(at: now) { transaction in
                let identity = try transaction.record(of: localID).identities[0]
                let alias = IdentityKey(provider: "github.com", issuer: identity.issuer, subject: person.subject)
                guard try transaction.addAlias(alias, to: identity.key, at: now) else { throw TestFailure("no alias") }
            }

            try await broker.withdrawalWorker().turn()

            #expect(try await broker.withdrawal().reason?.contains("only these tokens") == true)
            #expect(providers.gitHub.hits(.deleteGrant) == 0 && !providers.gitHub.isLive(token: old))
        }
    }

    @Test func `a user who comes back between two attempts keeps the new tokens`() async throws {
        try await TestProviders.run { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            let old = try await Self.deletedToken(of: person, broker)
            let worker = broker.withdrawalWorker()
            // The provider revokes the grant, and its answer is lost.
            providers.gitHub.fail(.deleteGrant, with: .lostAnswer, times: 1)
            try await worker.turn()
            let new = try #require(try await broker.storedTokens(of: broker.signIn(person)).first)

            broker.clock.advance(seconds: 60)
            try await worker.turn()

            #expect(try await broker.withdrawal().state == .done)
            #expect(!providers.gitHub.isLive(token: old) && providers.gitHub.isLive(token: new))
        }
    }

    /// Signs a user in and deletes the user; returns the access token that is queued.
    private static func deletedToken(of person: TestPerson, _ broker: TestBroker) async throws -> String {
        let session = try await broker.signIn(person)
        let token = try #require(try await broker.storedTokens(of: session).first)
        _ = try await broker.delete(session)
        return token
    }

    private static func credential(
        of person: AppleSimulator.Person, at apple: AppleSimulator, withCode: Bool = true
    ) -> [(String, String)] {
        let nonce = RandomText.alphanumeric(32)
        let native = apple.nativeCredential(for: person, application: apple.nativeApplication, rawNonce: nonce)
        return [("id_token", native.idToken), ("nonce", nonce), ("providerId", "apple.com")]
            + (withCode ? [("code", native.authorizationCode)] : [])
    }
}
