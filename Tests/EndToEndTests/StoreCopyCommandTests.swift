import Foundation
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker store copy", .timeLimit(.minutes(20)))
struct StoreCopyCommandTests {
    private static let to = ["store", "copy", "--json", "--to", Installation.secondConfiguration]

    @Test(arguments: TestEngine.allCases)
    func `moves the store of a running broker, though the copy is killed, without losing a user`(engine: TestEngine)
        async throws
    {
        try await Installation.runBesideSecond(engine) { broker in
            let visitors = try await broker.serve { _, client in
                let visitors = Visitors(of: client)
                let moved = try await visitors.during {
                    for _ in 0..<4 { try await Self.copyAndKill(in: broker, Self.to + ["--prepare-only"], within: 400) }
                    return try await CommandResult.broker(Self.to, in: broker.folder)
                }
                #expect(moved.exitCode == 0, "\(moved)")
                #expect(try JSONValue(parsing: moved.output)["state"] == "moved")
                try await Self.expectGone(client)
                return visitors
            }

            let refusal = try await broker.refusalToServe()
            #expect(refusal.everything.contains("was moved to") && refusal.everything.contains("--rollback"))
            #expect(visitors.refusals.allSatisfy { $0.status == 503 && $0.headers.first(name: "Retry-After") != nil })
            try await broker.serveSecond { _, client in
                for (localID, session) in visitors.sessions {
                    let users = try await client.lookup(session.idToken).body["users"]?.array
                    #expect(users?.first?["localId"]?.string == localID)
                }
            }
            let verified = try await broker.document("store", "verify", "--config", Installation.secondConfiguration)
            #expect(verified["ok"] == true, "\(verified)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `killed at any moment of the whole move, it can be finished or taken back`(engine: TestEngine) async throws {
        try await Installation.runBesideSecond(engine) { broker in
            try await broker.serve { _, client in
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                for round in 0..<4 {
                    try await Self.copyAndKill(in: broker, Self.to, within: 150 + round * 100)
                    let rollback = try await CommandResult.broker(Self.to + ["--rollback"], in: broker.folder)
                    #expect(rollback.exitCode == 0 || rollback.errorCode == "NOT_MOVING", "\(rollback)")
                    #expect(try await client.lookup(session.idToken).status == 200)
                    #expect(try await client.signUp().status == 200)
                }
                for round in 0..<3 { try await Self.copyAndKill(in: broker, Self.to, within: 150 + round * 100) }
                let moved = try await CommandResult.broker(Self.to, in: broker.folder)
                #expect(moved.exitCode == 0 || moved.errorCode == "MOVED_ALREADY", "\(moved)")
                try await Self.expectGone(client)
                let alive = try await broker.serveSecond { _, second in try await second.lookup(session.idToken) }
                #expect(alive.status == 200, "\(alive)")
            }
        }
    }

    /// Begins or continues the copy, and kills the process at a random moment of it.
    private static func copyAndKill(
        in broker: Installation, _ arguments: [String], within milliseconds: Int
    ) async throws {
        try await BrokerProcess.run(arguments, in: broker.folder) { process in
            try await Task.sleep(for: .milliseconds(Int.random(in: 5...milliseconds)))
            process.kill()
            _ = try await process.exitCode()
        }
    }

    /// A broker whose store was moved away says so in the way clients understand.
    private static func expectGone(_ client: IdentityToolkitApp) async throws {
        let answer = try await client.signUp()
        #expect(answer.status == 503 && answer.headers.first(name: "Content-Type")?.hasPrefix("text/plain") == true)
        #expect(answer.headers.first(name: "Retry-After") != nil)
        try await client.becomes(ready: false)
        #expect(try await client.get("/healthz").status == 200)
    }

    @Test(arguments: TestEngine.allCases)
    func `prepared only, it serves on, and can be taken back`(engine: TestEngine) async throws {
        try await Installation.runBesideSecond(engine) { broker in
            try await broker.serve { _, client in
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                let to = ["--to", Installation.secondConfiguration]

                let prepared = try await broker.document("store", "copy", to[0], to[1], "--prepare-only")
                let half = try await broker.refusalToServe(Installation.secondConfiguration)
                let withdrawn = try await broker.document("store", "copy", to[0], to[1], "--rollback")

                #expect(prepared["state"] == "prepared" && withdrawn["state"] == "withdrawn")
                #expect(half.everything.contains("has not ended"))
                #expect(try await client.refresh(session.refreshToken).status == 200)
                #expect(try await client.signUp().status == 200)
                let again = try await broker.document("store", "copy", to[0], to[1], "--rollback", exitCode: 1)
                #expect(again["error"]?["code"] == "NOT_MOVING")
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `after a rollback of the switch the running broker serves again`(engine: TestEngine) async throws {
        try await Installation.runBesideSecond(engine) { broker in
            try await broker.serve { _, client in
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                let to = ["--to", Installation.secondConfiguration]
                _ = try await broker.document("store", "copy", to[0], to[1])
                try await Self.expectGone(client)

                _ = try await broker.document("store", "copy", to[0], to[1], "--rollback")
                #expect(try await client.refresh(session.refreshToken).status == 200)
                _ = try await broker.document("store", "copy", to[0], to[1])
                _ = try await broker.serveSecond { _, second in try await second.signUp() }
                let refused = try await broker.document("store", "copy", to[0], to[1], "--rollback", exitCode: 1)

                #expect(refused["error"]?["code"] == "TABLES_DIFFER", "\(refused)")
                #expect(refused["error"]?["message"]?.string?.contains("users") == true)
                try await Self.expectGone(client)
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `refuses the same database, one that is used, and wrong usage`(engine: TestEngine) async throws {
        try await Installation.runBesideSecond(engine) { broker in
            try await broker.serve { _, _ in }
            try await broker.serveSecond { _, _ in }
            let to = ["--to", Installation.secondConfiguration]

            let same = try await broker.document("store", "copy", "--to", "broker.json", exitCode: 1)
            let used = try await broker.document("store", "copy", to[0], to[1], exitCode: 1)
            let both = try await broker.command("store", "copy", to[0], to[1], "--rollback", "--prepare-only")

            #expect(same["error"]?["code"] == "SAME_STORE")
            #expect(used["error"]?["code"] == "TARGET_NOT_EMPTY")
            #expect(both.exitCode == 64)
            let ready = try await broker.serve { _, client in try await client.get("/readyz") }
            #expect(ready.status == 200)
        }
    }
}
