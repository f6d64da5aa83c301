import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("migrating an Apple app's users to another team")
struct SubjectMigrationTests {
    @Test func `prepared users get the new team's subject and address, and keep their localId`() async throws {
        try await TeamTransfer.run { team in
            var users: [(person: AppleSimulator.Person, localID: String)] = []
            for person in team.apple.people() {
                users.append((person, try #require(try await team.signIn(person)["localId"]?.string)))
            }
            let before = try #require(try await team.identity(of: users[1].localID))

            let prepared = try await team.run().prepare()
            team.transfer()
            let exchanged = try await team.run().exchange()

            #expect(prepared.counts == [.prepared: 3] && prepared.daysLeft == nil)
            #expect(exchanged.counts == [.applied: 3] && exchanged.daysLeft == 60)
            for (person, localID) in users {
                let identity = try #require(try await team.identity(of: localID))
                #expect(identity.subject == team.apple.subject(of: person, for: team.apple.nativeApplication))
                #expect(identity.issuer == "\(team.apple.url)/\(TeamTransfer.recipient)")
            }
            let after = try #require(try await team.identity(of: users[1].localID))
            #expect(before.email != after.email && after.email?.hasSuffix("@privaterelay.appleid.com") == true)
            #expect(after.isEmailVerified && after.profile.contains(after.subject))
            let store = team.broker.core.store
            #expect(try await store.read { try $0.identity(before.identity)?.key } == after.key)
            #expect(try await store.read { try $0.grants(of: before.userKey).isEmpty })
            let user = try await store.read { try $0.user(key: before.userKey) }
            #expect(user?.email == after.email && user?.isEmailVerified == true)
        }
    }

    @Test func `before the app is transferred the exchange pauses and explains, and resume continues`() async throws {
        try await TeamTransfer.run { team in
            _ = try await team.signIn(team.apple.people()[0])
            _ = try await team.run().prepare()

            let refusal = await #expect(throws: SubjectMigrationRefusal.self) { try await team.run().exchange() }
            let paused = try await team.migrations.all()
            team.transfer()
            let resumed = try await team.run().resume()

            #expect(refusal?.code == "apple-app-not-transferred", "\(String(describing: refusal))")
            #expect(paused.first?.job.pause?.code == "apple-app-not-transferred")
            #expect(paused.first?.counts == [.prepared: 1])
            #expect(resumed.job.pause == nil && resumed.counts == [.applied: 1])
        }
    }

    @Test func `a key and an app in different teams are found in advance, with both ways out`() async throws {
        try await TeamTransfer.run { team in
            _ = try await team.signIn(team.apple.people()[0])
            let foreign = team.apple.register(
                AppleSimulator.Application(clientID: "com.example.other", kind: .native, teamID: TeamTransfer.recipient)
            )

            let refusal = await #expect(throws: SubjectMigrationRefusal.self) {
                try await team.run(client: foreign.clientID).prepare()
            }

            #expect(refusal?.code == "apple-app-in-other-team")
            #expect(refusal?.text.contains("(a) publish an app") == true)
            #expect(refusal?.text.contains("formerTeamIds") == true)
            #expect(team.apple.hits(.migration) == 0)
        }
    }

    @Test func `a user who stopped using the app fails alone, and never as the first`() async throws {
        try await TeamTransfer.run { team in
            let people = team.apple.people()
            var localIDs: [String] = []
            for person in people { localIDs.append(try #require(try await team.signIn(person)["localId"]?.string)) }
            team.apple.revokeGrant(of: people[0], application: team.apple.nativeApplication)

            let stopped = await #expect(throws: SubjectMigrationRefusal.self) {
                try await team.run { $0.first = localIDs[0] }.prepare()
            }
            let asked = team.apple.hits(.migration)
            let status = try await team.run { $0.first = localIDs[1] }.prepare()

            #expect(stopped?.code == "first-user-refused" && asked == 1)
            #expect(status.counts == [.prepared: 2, .failed: 1])
            #expect(status.failures.map { "\($0.reason) \($0.count)" } == ["invalid-request 1"])
        }
    }

    @Test func `an expired access token and an outage are no reason to fail`() async throws {
        try await TeamTransfer.run { team in
            for person in team.apple.people() { _ = try await team.signIn(person) }
            team.apple.fail(.migration, with: .status(401), times: 1)
            team.apple.fail(.migration, with: .status(503), times: 2)

            let status = try await team.run { $0.concurrency = 1 }.prepare()

            #expect(status.counts == [.prepared: 3])
        }
    }

    @Test func `a rehearsal stores nothing`() async throws {
        try await TeamTransfer.run { team in
            for person in team.apple.people() { _ = try await team.signIn(person) }

            let users = try await team.run().rehearse(.prepare)

            #expect(users == 3 && team.apple.hits(.migration) == 1)
            #expect(try await team.migrations.all().isEmpty)
        }
    }

    @Test func `after sixty days nothing is exchanged, and brokers have warned before`() async throws {
        try await TeamTransfer.run { team in
            _ = try await team.signIn(team.apple.people()[0])
            _ = try await team.run().prepare()
            team.transfer()
            let now = Timestamp(team.broker.clock.now)
            try await team.broker.core.store.write { tx in
                for job in try tx.subjectMigrations(limit: 1) { try tx.setTransfer(of: job, at: now) }
            }
            var warnings: [Int64] = []
            for days in [0, 45, 1, 7, 6, 1] {
                team.broker.clock.advance(seconds: Double(days) * 86_400)
                warnings += try await team.migrations.dueWarnings().map(\.daysLeft)
            }

            let refusal = await #expect(throws: SubjectMigrationRefusal.self) { try await team.run().exchange() }

            #expect(warnings == [14, 7, 1, 0])
            #expect(refusal?.code == "window-closed")
        }
    }

    @Test func `a user who came back under the new subject waits to be merged, and is migrated afterwards`()
        async throws
    {
        try await TeamTransfer.run { team in
            let person = team.apple.people()[1]
            let old = try #require(try await team.signIn(person)["localId"]?.string)
            _ = try await team.run().prepare()
            team.transfer()
            let (source, target) = (
                "\(team.apple.url)/\(team.apple.teamID)", "\(team.apple.url)/\(TeamTransfer.recipient)"
            )
            let subject = team.apple.subject(of: person, for: team.apple.nativeApplication)
            let store = team.broker.core.store
            let stranger = try await store.write { tx in
                let user = User(
                    key: tx.nextKey(), localID: "stranger", createdAt: tx.now)
                _ = try tx.insert(user)
                _ = try tx.insert(
                    Identity(
                        key: tx.nextKey(), userKey: user.key,
                        identity: .init(provider: "apple.com", issuer: target, subject: subject), profile: "{}",
                        linkedAt: tx.now, lastSignInAt: tx.now))
                return user
            }

            let held = try await team.run().exchange()
            let merge = try #require(
                try await team.broker.core.accounts.pendingMerges(includingDismissed: false, limit: 9).first)
            _ = try await team.broker.core.accounts.approveMerge(merge.merge.id, origin: Origin(.admin))
            let merged = try await team.run().exchange()

            #expect(held.counts == [.failed: 1] && held.failures.first?.reason == "user-exists")
            #expect(merge.survivor.user.localID == old && merge.absorbed.user.localID == stranger.localID)
            #expect(merged.counts == [.applied: 1])
            let identity = try #require(try await team.identity(of: old))
            #expect(identity.issuer == target && identity.subject == subject)
            #expect(try await store.read { try $0.aliases(of: identity.key).map(\.issuer) } == [source])
        }
    }

    @Test func `two organizations exchange files, each with its own key only`() async throws {
        try await TeamTransfer.run { team in
            let localID = try #require(try await team.signIn(team.apple.people()[1])["localId"]?.string)
            _ = try await team.run([.source]).prepare()
            let sent = try await Self.lines(team)
            try await team.broker.core.store.write { tx in
                for job in try tx.subjectMigrations(limit: 1) {
                    for var subject in try tx.migratingSubjects(of: job, in: .prepared, after: 0, limit: 9) {
                        (subject.state, subject.transferSubject) = (.pending, nil)
                        _ = try tx.update(subject, from: .prepared)
                    }
                }
            }
            team.transfer()

            let taken = try await team.migrations.importLines(
                (sent + [#"{"sub":"nobody","transfer_sub":"t"}"#]).map(\.utf8), of: try team.provider,
                try team.migrator([.target]),
                by: Origin(.admin))
            let status = try await team.run([.target]).exchange()
            let returned = try await Self.lines(team)

            #expect(taken == .init(prepared: 1, exchanged: 0, unchanged: 0, unknown: 1))
            #expect(status.counts == [.applied: 1])
            let identity = try #require(try await team.identity(of: localID))
            #expect(returned.last?.contains(#""new_sub":"\#(identity.subject)""#) == true, "\(returned)")
            await #expect(throws: SubjectMigrationRefusal.self) {
                try await team.migrations.importLines(
                    ["not json".utf8], of: try team.provider, try team.migrator(), by: Origin(.admin))
            }
        }
    }

    private static func lines(_ team: TeamTransfer) async throws -> [String] {
        var lines: [String] = []
        for status in try await team.migrations.all() {
            try await team.migrations.export(status) { lines += $0 }
        }
        return lines
    }
}
