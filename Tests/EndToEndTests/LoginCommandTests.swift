import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker login", .oneEngine("the program that logs in"), .timeLimit(.minutes(20)))
struct LoginCommandTests {
    /// A folder without a configuration, as on an administrator's own computer.
    private struct Workplace {
        let folder: TestFolder
        var loginFile: String { folder.path + "/config/broker/servers.json" }

        init() throws {
            folder = try TestFolder()
        }

        func command(
            _ arguments: String..., input: String = "", environment: [String: String] = [:]
        ) async throws -> CommandResult {
            let own = ["XDG_CONFIG_HOME": folder.path + "/config"]
            return try await .broker(
                arguments, input: input, environment: own.merging(environment) { $1 }, in: folder)
        }
    }

    private static func token(_ broker: Installation, scope: String = "admin") async throws -> String {
        let created = try await broker.document("admin", "token", "create", "--name", "Laptop", "--scope", scope)
        return try #require(created["token"]?.string)
    }

    @Test func `a login is verified, stored for its owner alone, and used until the logout`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let ada = try await broker.session(of: "ada", at: client).localID
                let token = try await Self.token(broker)
                let laptop = try Workplace()

                let login = try await laptop.command("login", "--server", client.url, "--json", input: token + "\n")
                let mode = try FileManager.default.attributesOfItem(atPath: laptop.loginFile)[.posixPermissions]
                let listed = try await laptop.command("users", "list", "--json")
                let status = try await laptop.command("login", "status", "--json")
                let logout = try await laptop.command("logout")
                let after = try await laptop.command("users", "list", "--json")

                #expect(login.exitCode == 0, "\(login)")
                let administrator = try JSONValue(parsing: login.output)["administrator"]
                #expect(administrator?["name"] == "Laptop" && administrator?["scopes"] == ["admin"])
                #expect(mode as? Int == 0o600)
                #expect(try JSONValue(parsing: listed.output)["users"]?.array?.first?["localId"]?.string == ada)
                #expect(status.exitCode == 0 && status.output.contains(#""state":"valid""#), "\(status)")
                #expect(logout.exitCode == 0 && logout.output.contains(client.url), "\(logout)")
                #expect(after.exitCode == 78, "\(after)")
                #expect(![login, listed, status, logout].contains { $0.everything.contains(token) })
            }
        }
    }

    @Test func `a file of logins that others can read or change is not used`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let laptop = try Workplace()
                let token = try await Self.token(broker)
                _ = try await laptop.command("login", "--server", client.url, input: token)
                let files = FileManager.default

                for mode in [0o644, 0o640, 0o620, 0o602] {
                    try files.setAttributes([.posixPermissions: mode], ofItemAtPath: laptop.loginFile)
                    for command in [["users", "list"], ["login", "status"], ["logout"]] {
                        let refused = try await CommandResult.broker(
                            command + ["--json"], environment: ["XDG_CONFIG_HOME": laptop.folder.path + "/config"],
                            in: laptop.folder)
                        #expect(refused.exitCode == 78 && refused.errorCode == "LOGIN_FILE", "\(mode) \(refused)")
                        #expect(refused.errors.contains("chmod 600 \(laptop.loginFile)"), "\(refused)")
                        #expect(!refused.everything.contains(token))
                    }
                }
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: laptop.loginFile)
                let listed = try await laptop.command("users", "list", "--json")

                #expect(listed.exitCode == 0, "\(listed)")
            }
        }
    }

    @Test func `a token that the broker refuses is not stored`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let laptop = try Workplace()

                let wrong = try await laptop.command("login", "--server", client.url, "--json", input: "bat1_wrong")
                let empty = try await laptop.command("login", "--server", client.url, "--json", input: "")
                let plain = try await laptop.command("login", "--server", "http://id.example.com", "--json", input: "x")
                let status = try await laptop.command("login", "status", "--json")

                #expect(wrong.exitCode == 1 && wrong.errorCode == "UNAUTHENTICATED", "\(wrong)")
                #expect(empty.exitCode == 64 && empty.errorCode == "INVALID_TOKEN", "\(empty)")
                #expect(plain.exitCode == 64 && plain.errorCode == "INVALID_SERVER", "\(plain)")
                #expect(status.exitCode == 1 && status.output.contains(#""servers":[]"#), "\(status)")
                #expect(!FileManager.default.fileExists(atPath: laptop.loginFile))
            }
        }
    }

    @Test func `where no broker answers, no token is asked for`() async throws {
        try await Installation.run { broker in
            let laptop = try Workplace()

            let nobody = try await laptop.command("login", "--server", "http://127.0.0.1:1", "--json", input: "token")
            let other = try await laptop.command("login", "--server", broker.github.url, "--json", input: "token")

            #expect(nobody.exitCode == 1 && nobody.errorCode == "NO_ANSWER", "\(nobody)")
            #expect(other.exitCode == 1 && other.errorCode == "NO_BROKER", "\(other)")
            try await BrokerProcess.run(
                atTerminal: ["login", "--server", broker.github.url], in: laptop.folder
            ) { process, _ in
                let exitCode = try await process.exitCode()
                #expect(exitCode == 1 && process.everything.contains("is no broker"), "\(process.everything)")
                #expect(!process.everything.contains("Admin token"), "\(process.everything)")
            }
        }
    }

    @Test func `of several brokers one is current, and --server names another`() async throws {
        try await Installation.run { first in
            try await Installation.run { second in
                try await first.serve { _, here in
                    try await second.serve { _, there in
                        let (ada, ben) = (
                            try await first.session(of: "ada", at: here).localID,
                            try await second.session(of: "ben", at: there).localID
                        )
                        let laptop = try Workplace()
                        _ = try await laptop.command("login", "--server", here.url, input: Self.token(first))
                        _ = try await laptop.command("login", "--server", there.url, input: Self.token(second))

                        let last = try await laptop.command("users", "list", "--json")
                        let named = try await laptop.command("users", "list", "--json", "--server", here.url)
                        let switched = try await laptop.command("login", "switch", here.url)
                        let current = try await laptop.command("users", "list", "--json")
                        let unknown = try await laptop.command("login", "switch", "https://id.example.com", "--json")

                        #expect(last.output.contains(ben) && !last.output.contains(ada), "\(last)")
                        #expect(named.output.contains(ada) && current.output == named.output, "\(named)\(current)")
                        #expect(switched.exitCode == 0, "\(switched)")
                        #expect(unknown.exitCode == 64 && unknown.errorCode == "NOT_LOGGED_IN", "\(unknown)")
                    }
                }
            }
        }
    }

    @Test func `a revoked token is reported, and every scope may ask who it is`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let laptop = try Workplace()
                let token = try await Self.token(broker, scope: "audit:read")
                let login = try await laptop.command("login", "--server", client.url, input: token)
                let credentials = try await broker.document("admin", "token", "list")["credentials"]?.array ?? []
                let id = try #require(credentials.first?["id"]?.string)
                _ = try await broker.command("admin", "token", "revoke", id, "--yes")

                let status = try await laptop.command("login", "status", "--json")

                #expect(login.exitCode == 0 && login.output.contains("audit:read"), "\(login)")
                #expect(status.exitCode == 1 && status.output.contains(#""state":"refused""#), "\(status)")
            }
        }
    }
}
