import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("broker audit", .timeLimit(.minutes(20 + CrashRounds.count / 4)))
struct AuditCommandTests {
    /// The report of `audit verify`, once nothing is unsealed.
    private static func verified(_ broker: Installation) async throws -> JSONValue {
        while true {
            let report = try await broker.document("audit", "verify")
            if report["unsealed"] == 0 { return report }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `lists who did what to whom, and finds each kind of change`(on engine: TestEngine) async throws {
        try await Installation.run(anonymousSignIn: true, engine: engine) { broker in
            let ada = try await broker.serve { _, client in
                let ada = try await broker.session(of: "ada", at: client).localID
                for _ in 0..<9 { _ = try await client.signUp() }
                _ = try await Self.verified(broker)
                return ada
            }

            let listed = try await broker.document("audit", "list", "--user", ada)
            let text = try await broker.command("audit", "list", "--event", "user.", "--since", "1h")
            let clean = try await broker.command("audit", "verify")
            let head = try #require(try await broker.document("audit", "verify")["head"])
            let end = "\(head["sequence"]?.integer ?? 0):\(head["seal"]?.string ?? "")"
            let entry = listed["entries"]?.array?.first
            #expect(entry?["event"] == "user.created" && entry?["address"] == "127.0.0.0/24", "\(listed)")
            #expect(entry?["requestId"]?.string != nil)
            #expect(text.exitCode == 0 && text.output.contains("user.created") && text.output.contains(ada), "\(text)")
            #expect(clean.exitCode == 0 && clean.output.contains(end), "\(clean)")

            let tables = StoreTables(of: broker)
            let changes = [
                "UPDATE audit SET local_id = 'other' WHERE sequence = 2": "entry 2: edited",
                "DELETE FROM audit WHERE sequence = 3": "entry 3: missing",
                "DELETE FROM audit WHERE sequence > 4": "entries 5 to",
            ]
            for (sql, finding) in changes {
                _ = try tables.rows(sql)
                let found = try await broker.command("audit", "verify")
                #expect(found.exitCode == 1 && found.output.contains(finding), "\(found)")
            }
            let other = "4:" + String(repeating: "0", count: 64)
            let expected = try await broker.command("audit", "verify", "--expect", other)
            #expect(expected.exitCode == 1 && expected.output.contains("expected seal"), "\(expected)")
            let senseless = try await broker.command("audit", "verify", "--expect", "4", "--json")
            #expect(senseless.exitCode == 64 && senseless.errorCode == "INVALID_ARGUMENT", "\(senseless)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `two brokers that are killed while they seal leave one whole chain`(on engine: TestEngine) async throws {
        try await Installation.run(anonymousSignIn: true, engine: engine) { broker in
            for _ in 0..<CrashRounds.count {
                try await broker.serve { first, one in
                    try await broker.serve { second, other in
                        await withTaskGroup(of: Void.self) { group in
                            for client in [one, other, one, other] {
                                group.addTask {
                                    while (try? await client.signUp().status) == 200 {}
                                }
                            }
                            // Sealing is every two seconds: each of them dies at some moment of a turn.
                            group.addTask {
                                for process in [first, second] {
                                    try? await Task.sleep(for: .milliseconds(Int.random(in: 1900...2600)))
                                    process.kill()
                                }
                            }
                        }
                        _ = try await first.exitCode()
                        _ = try await second.exitCode()
                    }
                }
            }
            try await broker.serve { _, _ in
                let report = try await Self.verified(broker)
                let sealed = try StoreTables(of: broker).rows("SELECT count(*), max(sequence) FROM audit")
                #expect(report["findings"] == [] && report["findingCount"] == 0)
                #expect(sealed.first?[0] == sealed.first?[1], "\(sealed)")
                #expect((report["entries"]?.integer ?? 0) > 10)
            }
        }
    }

    @Test(arguments: TestEngine.allCases, [true, false])
    func `a store that was copied or restored still verifies, and its chain goes on`(
        engine: TestEngine, isCopied: Bool
    ) async throws {
        try await Installation.runBesideSecond(engine) { broker in
            let second = ["--config", Installation.secondConfiguration]
            try await broker.serve { _, client in
                for _ in 0..<3 { _ = try await client.signUp() }
                _ = try await Self.verified(broker)
            }
            let noted = try #require(try await broker.document("audit", "verify")["head"])
            if isCopied {
                _ = try await broker.document("store", "copy", "--to", Installation.secondConfiguration)
            } else {
                _ = try await broker.document("store", "backup", "--output", "backup.sqlite")
                _ = try await broker.document(
                    "store", "restore", "--from", "backup.sqlite", "--yes", second[0], second[1])
            }
            try await broker.serveSecond { _, client in
                _ = try await client.signUp()
                var report = JSONValue.null
                repeat {
                    report = try await broker.document("audit", "verify", second[0], second[1])
                } while report["unsealed"] != 0
                #expect(report["findingCount"] == 0, "\(report)")
                #expect((report["entries"]?.integer ?? 0) > (noted["sequence"]?.integer ?? .max))
                let end = "\(noted["sequence"]?.integer ?? 0):\(noted["seal"]?.string ?? "")"
                let expected = try await broker.document("audit", "verify", "--expect", end, second[0], second[1])
                #expect(expected["findingCount"] == 0, "\(expected)")
            }
        }
    }

    @Test func `a remote command leaves an entry with its credential and its reason`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let created = try await broker.document(
                    "admin", "token", "create", "--name", "Desk", "--scope", "admin")
                let token = try #require(created["token"]?.string)
                _ = try await broker.session(of: "ada", at: client)
                let answer = try await CommandResult.broker(
                    ["audit", "list", "--server", client.url, "--reason", "Ticket 7", "--json"],
                    environment: ["BROKER_ADMIN_TOKEN": token], in: broker.folder)
                #expect(answer.exitCode == 0, "\(answer)")
                _ = try await Self.verified(broker)
                let reads = try await broker.document("audit", "list", "--event", "admin.read")
                let read = reads["entries"]?.array?.first
                #expect(read?["reason"] == "Ticket 7" && read?["actorName"] == "Desk", "\(reads)")
            }
        }
    }
}
