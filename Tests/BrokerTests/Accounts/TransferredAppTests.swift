import BrokerStore
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("signing in after an app went to another team")
struct TransferredAppTests {
    @Test func `a transfer subject signs in the prepared user and migrates the identity`() async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let first = try await team.signIn(person)
            _ = try await team.run().prepare()
            team.transfer()
            try team.switchEntry()

            let late = try await team.signIn(person)
            let again = try await team.signIn(person)

            #expect(late["localId"] == first["localId"] && late["isNewUser"] != true, "\(late.text)")
            #expect(again["localId"] == first["localId"], "\(again.text)")
            let identity = try #require(try await team.identity(of: first["localId"]?.string ?? ""))
            #expect(identity.issuer.hasSuffix(TeamTransfer.recipient))
            let status = try #require(try await team.migrations.all().first)
            #expect(status.counts == [.applied: 1] && status.daysLeft == 60)
            let decisions = try await team.broker.core.admin.explain(first["localId"]?.string ?? "", limit: 9).decisions
            #expect(decisions.filter { $0.rule == "S1-migrated" }.count == 1)
        }
    }

    @Test func `an entry that still names the former team signs in the same user`() async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let first = try await team.signIn(person)
            _ = try await team.run().prepare()
            team.transfer()
            // Without a code the former team's key is not needed.
            func signIn() async throws -> Answer {
                try await team.broker.signIn(
                    postBody: AppleSignInTests.native(person, team.providers).filter { $0.0 != "code" })
            }

            let late = try await signIn()
            let again = try await signIn()

            #expect(late["localId"] == first["localId"] && again["localId"] == first["localId"], "\(late.text)")
            #expect(try await team.identity(of: first["localId"]?.string ?? "")?.issuer.hasSuffix("RECIPIENT1") == true)
        }
    }

    @Test func `a transfer subject is ignored once the sixty days are over`() async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let first = try await team.signIn(person)
            _ = try await team.run().prepare()
            let long = Timestamp(team.broker.clock.now).advanced(by: .seconds(-60 * 86_400))
            try await team.broker.core.store.write { tx in
                for job in try tx.subjectMigrations(limit: 1) { try tx.setTransfer(of: job, at: long) }
            }
            team.transfer()
            try team.switchEntry()

            let late = try await team.signIn(person)

            #expect(late["isNewUser"] == true && late["localId"] != first["localId"], "\(late.text)")
        }
    }

    @Test func `a signed-in user replaces the former team's identity where the entry names that team`() async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let first = try await team.signIn(person)
            let before = try #require(try await team.identity(of: first["localId"]?.string ?? ""))
            team.transfer()
            func link() async throws -> Answer {
                try await team.broker.signIn(
                    postBody: AppleSignInTests.native(person, team.providers),
                    extra: ["idToken": first["idToken"] ?? .null])
            }
            try team.switchEntry()
            let refused = try await link()
            try team.switchEntry(former: [team.apple.teamID])
            // The user cannot sign in again, so the login may be old.
            team.broker.clock.advance(seconds: 1800)
            team.providers.clock.advance(by: 1800)

            let linked = try await link()

            #expect(refused.code == "PROVIDER_ALREADY_LINKED", "\(refused.text)")
            #expect(linked.status == 200 && linked["localId"] == first["localId"], "\(linked.text)")
            let after = try #require(try await team.identity(of: first["localId"]?.string ?? ""))
            #expect(after.key == before.key && after.issuer.hasSuffix(TeamTransfer.recipient))
            #expect(try await team.signIn(person)["localId"] == first["localId"])
        }
    }

    @Test func `a user who can also sign in with custom tokens needs a recent login to replace it`() async throws {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let first = try await team.signIn(person)
            let localID = try first.string("localId")
            let user = try #require(try await team.broker.user(localID)?.user)
            try await team.broker.core.store.write { try $0.recordCustomAuth(userKey: user.key) }
            let before = try await team.identity(of: localID)
            team.transfer()
            try team.switchEntry(former: [team.apple.teamID])
            team.broker.clock.advance(seconds: 1800)
            team.providers.clock.advance(by: 1800)

            let refused = try await team.broker.signIn(
                postBody: AppleSignInTests.native(person, team.providers),
                extra: ["idToken": first["idToken"] ?? .null])

            #expect(refused.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(refused.text)")
            #expect(try await team.identity(of: localID) == before)
        }
    }
}
