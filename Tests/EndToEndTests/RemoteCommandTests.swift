import ProviderKit
import Testing

@Suite("commands at a remote broker", .timeLimit(.minutes(3)))
struct RemoteCommandTests {
    /// Runs a command in process on the store, and at the running broker.
    private static func both(
        _ arguments: [String], _ broker: Installation, at url: String, _ token: String
    ) async throws -> (local: CommandResult, remote: CommandResult) {
        (
            try await .broker(arguments, in: broker.folder),
            try await .broker(
                arguments + ["--server", url], environment: ["BROKER_ADMIN_TOKEN": token], in: broker.folder)
        )
    }

    @Test func `a command prints the same and exits alike on the host and remotely`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let ada = try await broker.session(of: "ada", at: client).localID
                let created = try await broker.document(
                    "admin", "token", "create", "--name", "Remote", "--scope", "admin")
                let token = try #require(created["token"]?.string)
                let commands = [
                    ["users", "list"], ["users", "list", "--json", "--limit", "1"],
                    ["users", "list", "--after", "zzzz"],
                    ["users", "show", ada], ["users", "show", "ada@example.com", "--json"],
                    ["users", "show", "nobody"], ["users", "show", "nobody", "--json"],
                    ["users", "list", "--limit", "0"],
                ]

                for command in commands {
                    let (local, remote) = try await Self.both(command, broker, at: client.url, token)
                    #expect(local.output == remote.output && local.exitCode == remote.exitCode, "\(command)\n\(remote)")
                    #expect(local.errors == remote.errors, "\(command)\n\(remote)")
                }
            }
        }
    }

    @Test func `what fails at a remote broker says why`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let created = try await broker.document(
                    "admin", "token", "create", "--name", "Remote", "--scope", "audit:read")
                let token = try #require(created["token"]?.string)
                let command = ["users", "list", "--json"]

                let forbidden = try await Self.both(command, broker, at: client.url, token).remote
                let unknown = try await Self.both(command, broker, at: client.url, "bat1_wrong").remote
                let nobody = try await Self.both(command, broker, at: "http://127.0.0.1:1", token).remote
                let plain = try await Self.both(command, broker, at: "http://id.example.com", token).remote
                let absent = try await broker.command("users", "list", "--json", "--server", client.url)

                #expect(forbidden.exitCode == 1 && forbidden.errorCode == "PERMISSION_DENIED", "\(forbidden)")
                #expect(forbidden.errors.contains("users:read"))
                #expect(unknown.exitCode == 1 && unknown.errorCode == "UNAUTHENTICATED", "\(unknown)")
                #expect(nobody.exitCode == 1 && nobody.errorCode == "NO_ANSWER", "\(nobody)")
                #expect(plain.exitCode == 64 && plain.errorCode == "INVALID_SERVER", "\(plain)")
                #expect(absent.exitCode == 64 && absent.errorCode == "NOT_LOGGED_IN", "\(absent)")
                #expect(![forbidden, unknown, nobody, plain].contains { $0.everything.contains(token) })
            }
        }
    }
}
