import BrokerStore
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("relay addresses of users without a provider that asserted them")
struct MigratedAddressTests {
    /// A Firebase record of a user, whose Apple identity has an address or not, and who has further identities.
    private static func importUser(
        _ person: AppleSimulator.Person, _ team: TeamTransfer, email: String, identityEmail: String?,
        further: [JSONValue] = []
    ) async throws {
        // The user has allowed the app before: Apple translates no other subjects.
        let first = try await team.signIn(person)
        _ = try await team.broker.delete(first)
        var apple: JSONObject = [
            "providerId": "apple.com",
            "rawId": .string(team.apple.subject(of: person, for: team.apple.nativeApplication)),
        ]
        apple["email"] = identityEmail.map(JSONValue.string)
        let record: JSONObject = [
            "localId": "imported", "createdAt": "1600000000000", "email": .string(email), "emailVerified": true,
            "providerUserInfo": .array([.object(apple)] + further),
        ]
        let call = AdminCall(team.broker.core.admin, origin: Origin(.admin, actor: "test"))
        let answer = try await ImportUserPage(users: [record]).run(for: call)
        try #require(answer.results.map(\.outcome.rawValue) == ["created"], "\(answer.results)")
    }

    private static func user(_ team: TeamTransfer) async throws -> User {
        try #require(try await team.broker.core.store.read { try $0.user(localID: "imported") })
    }

    private static func migrate(_ team: TeamTransfer) async throws {
        _ = try await team.run().prepare()
        team.transfer()
        let exchanged = try await team.run().exchange()
        try #require(exchanged.counts == [.applied: 1])
    }

    @Test(arguments: [true, false])
    func `an imported user's relay address follows the identity to the new team`(hasOwnAddress: Bool) async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let relay = team.apple.relayAddress(of: person, for: team.apple.nativeApplication)
            try await Self.importUser(person, team, email: relay, identityEmail: hasOwnAddress ? relay : nil)
            let before = try await Self.user(team)
            try await Self.migrate(team)

            let after = try await Self.user(team)

            #expect(before.email == relay && before.emailAssertedBy == nil && before.isEmailVerified)
            #expect(after.email != relay && after.email?.hasSuffix("@privaterelay.appleid.com") == true)
            #expect(after.email == (try await team.identity(of: "imported"))?.email)
            #expect(after.emailAssertedBy == "apple.com" && after.isEmailVerified)
        }
    }

    @Test func `an imported user's own address stays`() async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            try await Self.importUser(
                person, team, email: "ann@example.com",
                identityEmail: team.apple.relayAddress(of: person, for: team.apple.nativeApplication))
            try await Self.migrate(team)

            let after = try await Self.user(team)

            #expect(after.email == "ann@example.com" && after.emailAssertedBy == nil && after.isEmailVerified)
        }
    }

    @Test func `a relay address that another identity has verified stays`() async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let relay = team.apple.relayAddress(of: person, for: team.apple.nativeApplication)
            let gitHub = try team.providers.person(at: "github.com", email: relay)
            try await Self.importUser(
                person, team, email: relay, identityEmail: relay,
                further: [["providerId": "github.com", "rawId": .string(gitHub.subject)]])
            // GitHub verifies the address at this sign-in.
            #expect(try await team.broker.signIn(gitHub)["localId"] == "imported")
            try await Self.migrate(team)

            let after = try await Self.user(team)

            #expect(after.email == relay && after.emailAssertedBy == "github.com" && after.isEmailVerified)
        }
    }

    @Test func `an imported user's relay address is unverified once the identity is unlinked`() async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let relay = team.apple.relayAddress(of: person, for: team.apple.nativeApplication)
            let gitLab = try team.providers.person(at: "gitlab.com", email: "ann@example.com", isVerified: false)
            try await Self.importUser(
                person, team, email: relay, identityEmail: relay,
                further: [["providerId": "gitlab.com", "rawId": .string(gitLab.subject)]])
            let session = try await team.broker.signIn(gitLab)

            let answer = try await team.broker.update(session, ["deleteProvider": ["apple.com"]])

            #expect(answer.status == 200 && session["localId"] == "imported", "\(answer.text)")
            let after = try await Self.user(team)
            #expect(after.email == relay && !after.isEmailVerified)
        }
    }
}
