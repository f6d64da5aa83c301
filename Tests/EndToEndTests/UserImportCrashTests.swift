import Foundation
import ProviderKit
import Synchronization
import Testing

@Suite("An import of Firebase users that is killed", .timeLimit(.minutes(180)))
struct UserImportCrashTests {
    /// 1 000 000 in a soak run.
    private static let users = CrashRounds.count <= 3 ? 2000 : min(CrashRounds.count * 5000, 1_000_000)
    private static let kills = 2
    /// What a process may need beside the program itself; a file of a million users has 500 MB.
    private static let peak = 400_000

    @Test func `is repeated until every user is there once, and exported in the same memory`() async throws {
        try await Installation.run { broker in
            try Self.writeUsers(to: broker.folder.file("users.json"))
            let tables = StoreTables(of: broker)
            let command = ["users", "import", "users.json", "--format", "firebase", "--passwords", "skip", "--json"]

            for kill in 1...Self.kills {
                try await BrokerProcess.run(command, in: broker.folder) { process in
                    let goal = Self.users * kill / (Self.kills + 2)
                    let hasEnded = Mutex(false)
                    let end = Task {
                        _ = try? await process.exitCode()
                        hasEnded.withLock { $0 = true }
                    }
                    while try Self.count(tables) < goal, !hasEnded.withLock(\.self) { await Task.yield() }
                    process.kill()
                    await end.value
                }
                #expect(try Self.count(tables) < Self.users)
            }
            let (answer, memory) = try await Self.run(command, in: broker)

            // One of ten has a password only.
            let expected = Self.users - Self.users / 10
            #expect(answer["users"]?.integer == Int64(Self.users) && answer["refused"] == 0, "\(answer)")
            #expect(answer["skipped"]?.integer == Int64(Self.users / 10))
            #expect((answer["unchanged"]?.integer ?? 0) >= Int64(expected / 2))
            #expect((answer["created"]?.integer ?? 0) + (answer["unchanged"]?.integer ?? 0) == Int64(expected))
            #expect(try Self.count(tables) == expected)
            #expect(try Self.count(tables, "identities") == expected)
            #expect(try Self.count(tables, "audit WHERE event = 'user.imported'") == expected)

            let (_, exportMemory) = try await Self.run(
                ["users", "export", "--output", "export.jsonl", "--json"], in: broker)
            #expect(try broker.folder.permissions(of: "export.jsonl") == 0o600)
            let again = try await Self.run(
                ["users", "import", "export.jsonl", "--format", "jsonl", "--dry-run", "--json"], in: broker)
            #expect(again.answer["unchanged"]?.integer == Int64(expected), "\(again)")
            for peak in [memory, exportMemory, again.memory] { #expect(peak < Self.peak, "peak of \(peak) KiB") }
        }
    }

    private static func count(_ tables: StoreTables, _ rows: String = "users") throws -> Int {
        let count = try tables.rows("SELECT count(*) FROM \(rows)").first?.first ?? nil
        return count.flatMap { Int($0) } ?? 0
    }

    /// Runs a command to its end.
    ///
    /// - Returns: Its document, and its peak memory in KiB as far as it was seen.
    private static func run(
        _ arguments: [String], in broker: Installation
    ) async throws -> (answer: JSONValue, memory: Int) {
        try await BrokerProcess.run(arguments, in: broker.folder) { process in
            let watch = Task {
                var peak = 0
                while !Task.isCancelled {
                    peak = max(peak, Self.peakMemory(of: process.identifier))
                    try? await Task.sleep(for: .milliseconds(50))
                }
                return peak
            }
            let exitCode = try await process.exitCode()
            watch.cancel()
            #expect(exitCode == 0, "\(process.everything)")
            return (try JSONValue(parsing: process.output.text), await watch.value)
        }
    }

    /// `VmHWM`, in KiB; 0 where the system has no such file.
    private static func peakMemory(of process: pid_t) -> Int {
        guard process > 0, let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
            return 0
        }
        return status.firstMatch(of: /VmHWM:\s*(\d+) kB/).flatMap { Int($0.1) } ?? 0
    }

    /// A file as `firebase auth:export` writes it, in parts.
    private static func writeUsers(to path: String) throws {
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        var text = "{\"users\": [\n"
        for number in 0..<users {
            text += (number == 0 ? "" : ",\n") + user(number)
            guard text.utf8.count > 1 << 20 else { continue }
            try file.write(contentsOf: Data(text.utf8))
            text = ""
        }
        try file.write(contentsOf: Data((text + "]}\n").utf8))
        try file.close()
    }

    private static func user(_ number: Int) -> String {
        let hasPassword = number % 10 == 9
        let provider = """
            {"providerId": "github.com", "rawId": "\(number + 1_000_000)", "email": "user\(number)@example.com",
              "displayName": "User \(number)", "photoUrl": "https://example.com/\(number).png"}
            """
        return """
            {
              "localId": "firebase-\(number * 7919 % 1_000_003)-\(number)",
              "email": "user\(number)@example.com",
              "emailVerified": true,
              "passwordHash": "\(hasPassword ? "bGV0bWVpbg==" : "")",
              "salt": "",
              "displayName": "User \(number) \\"the\\" Tester",
              "photoUrl": "https://example.com/\(number).png",
              "lastSignedInAt": "1700000000000",
              "createdAt": "\(1_600_000_000_000 + number)",
              "customAttributes": "{\\"tier\\":\(number % 3)}",
              "providerUserInfo": [\(hasPassword ? "" : provider)]
            }
            """
    }
}
