import Foundation
import ProviderKit
import Testing

@Suite("A merge that is killed", .timeLimit(.minutes(20 + CrashRounds.count / 4)))
struct MergeCrashTests {
    @Test func `leaves both users as before it or as after it, and so does its undo`() async throws {
        try await MergedPeople.run { people in
            let broker = people.broker
            _ = try await broker.document(
                "link", "--provider", "github", "--user", people.absorbed, "--yes", input: broker.accessToken("ada"))
            let id = try #require(try await people.ids().first)
            let start = ContinuousClock.now
            _ = try await broker.document("merges", "show", id)
            // Somewhat longer than a command takes, so that some of them finish.
            let duration = start.duration(to: .now) * 1.5
            for round in 0..<(CrashRounds.count * 4) {
                for (command, merges) in [("approve", true), ("undo", false)] {
                    try await Self.kill(["merges", command, id, "--yes", "--json"], within: duration, broker)
                    if try State(people, id: id).isMerged != merges {
                        _ = try await broker.document("merges", command, id, "--yes")
                    }
                    #expect(try State(people, id: id).isMerged == merges, "round \(round), \(command)")
                }
            }
            let verified = try await broker.command("store", "verify")
            #expect(verified.exitCode == 0, "\(verified)")
        }
    }

    private static func kill(_ command: [String], within duration: Duration, _ broker: Installation) async throws {
        try await BrokerProcess.run(command, in: broker.folder) { process in
            try await Task.sleep(for: duration * Double.random(in: 0...1))
            process.kill()
            _ = try await process.exitCode()
        }
    }

    /// What the tables say about the two users; never a mixture.
    private struct State {
        let isMerged: Bool

        init(_ people: MergedPeople, id: String) throws {
            let tables = StoreTables(of: people.broker)
            func column(_ sql: String) throws -> [String] { try tables.rows(sql).compactMap { $0[0] } }
            isMerged = try !column("SELECT local_id FROM users").contains(people.absorbed)
            let holders = try column(
                "SELECT users.local_id FROM identities JOIN users ON users.key = identities.user_key ORDER BY 1")
            let grants = try column("SELECT provider FROM provider_grants")
            let both = [people.absorbed, people.absorbed, people.survivor].sorted()
            #expect(holders == (isMerged ? [people.survivor, people.survivor] : both))
            #expect(grants.count == (isMerged ? 2 : 3))
            #expect(try column("SELECT local_id FROM user_aliases") == (isMerged ? [people.absorbed] : []))
            #expect(try column("SELECT id FROM merge_snapshots") == (isMerged ? [id] : []))
            #expect(try column("SELECT id FROM pending_merges") == (isMerged ? [] : [id]))
            #expect(try column("SELECT subject FROM identity_aliases").count == (isMerged ? 1 : 0))
            #expect(try tables.damage().isEmpty)
        }
    }
}
