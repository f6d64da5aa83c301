import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("commands at a remote broker", .timeLimit(.minutes(20)))
struct RemoteCommandTests {
    /// A running broker with the token of an administrator.
    private struct Scene {
        let broker: Installation
        let url: String
        let token: String

        static func run(scope: String = "admin", _ body: (Scene, IdentityToolkitApp) async throws -> Void) async throws
        {
            try await Installation.run { broker in
                try await broker.serve { _, client in
                    let created = try await broker.document(
                        "admin", "token", "create", "--name", "Remote", "--scope", scope)
                    let scene = Scene(
                        broker: broker, url: client.url, token: try #require(created["token"]?.string))
                    try await body(scene, client)
                }
            }
        }

        func remote(_ arguments: [String], at url: String? = nil, input: String = "") async throws -> CommandResult {
            try await .broker(
                arguments + ["--server", url ?? self.url], input: input,
                environment: ["BROKER_ADMIN_TOKEN": token], in: broker.folder)
        }

        /// Runs a command on the store and at the running broker, and compares what a user and a script see.
        func compare(_ arguments: [String], input: String = "") async throws {
            let local = try await CommandResult.broker(arguments, input: input, in: broker.folder)
            let remote = try await remote(arguments, input: input)
            #expect(local.exitCode == remote.exitCode, "\(arguments)\n\(local)\n\(remote)")
            #expect(local.output == remote.output && local.errors == remote.errors, "\(arguments)\n\(local)\n\(remote)")
        }

        /// Runs a changing command at the running broker.
        func change(_ arguments: String...) async throws -> JSONValue {
            let result = try await remote(arguments + ["--json"])
            #expect(result.exitCode == 0, "\(arguments)\n\(result)")
            return try JSONValue(parsing: result.output)
        }
    }

    @Test func `reading commands print the same and exit alike on the host and remotely`() async throws {
        try await Scene.run { scene, client in
            let session = try await scene.broker.session(of: "ada", at: client)
            let ada = session.localID
            _ = try await scene.change(
                "clients", "add", "--type", "public", "--name", "Notes", "--redirect-uri", "https://notes.example/")
            _ = try await scene.change("withdrawals", "create", ada, "--yes")
            let commands = [
                ["users", "list"], ["users", "list", "--limit", "1"], ["users", "list", "--after", "zzzz"],
                ["users", "list", "--limit", "0"], ["users", "show", ada], ["users", "show", "ada@example.com"],
                ["users", "show", "nobody"], ["sessions", "list", ada], ["sessions", "list", ada, "--all"],
                ["sessions", "list", "nobody"],
                ["users", "find", "--id", ada, "--email", "none@example.com"], ["users", "find", "--id", "none"],
                ["users", "claims", ada], ["users", "claims", "nobody"], ["explain", ada],
                ["explain", "ada@example.com", "--limit", "1"],
                ["explain", "nobody"], ["merges", "list"], ["merges", "list", "--undoable"],
                ["merges", "show", "none"],
                ["withdrawals", "show", "none"], ["clients", "list"], ["clients", "show", "none"], ["keys", "list"],
                ["keys", "list", "--family", "oidc"], ["providers", "list"], ["providers", "check"],
                ["providers", "check", "github"], ["providers", "check", "gitlab"],
                ["providers", "resume-probes", "github.com"], ["admin", "service-account", "list"],
                ["webhooks", "list"], ["withdrawals", "list"], ["clients", "plist", "none"],
            ]

            for command in commands {
                try await scene.compare(command)
                try await scene.compare(command + ["--json"])
            }
            try await scene.compare(["token", "inspect", "--json"], input: session.idToken)
            try await scene.compare(["token", "inspect"], input: "no token")
        }
    }

    @Test func `commands that fail change nothing, with the same words on the host and remotely`() async throws {
        try await Scene.run { scene, client in
            let ada = try await scene.broker.session(of: "ada", at: client).localID
            let commands = [
                ["users", "disable", "nobody"], ["users", "delete", "nobody", "--yes"], ["users", "delete", ada],
                ["users", "create", "--id", ada], ["users", "create", "--email", "ada@example.com"],
                ["users", "create", "--email", "x"], ["users", "create", "--photo-url", "ftp://example.com/a.png"],
                ["users", "update", ada, "--email", "x"], ["users", "claims", ada, "--set", #"{"sub":"x"}"#],
                ["sessions", "revoke", "none"], ["sessions", "revoke", "--user", "nobody", "--all", "--yes"],
                ["unlink", "--provider", "github", "--user", ada, "--yes"],
                ["unlink", "--provider", "gitlab", "--user", ada, "--yes"],
                ["unlink", "--provider", "github", "--user", ada], ["admin", "token", "revoke", "none"],
                ["merges", "approve", "none", "--yes"], ["merges", "dismiss", "none", "--yes"],
                ["merges", "undo", "none", "--yes"], ["withdrawals", "create", "nobody", "--yes"],
                ["withdrawals", "retry", "none"], ["withdrawals", "drop", "none", "--yes"],
                ["clients", "add", "--type", "public", "--name", "Notes"],
                ["clients", "update", "none", "--name", "x"],
                ["clients", "rotate", "none"], ["clients", "remove", "none", "--yes"],
                ["admin", "service-account", "revoke", "none", "--yes"],
                ["admin", "service-account", "rotate-key", "none"],
                ["admin", "service-account", "create", "No Name", "--scope", "admin"],
                ["admin", "token", "revoke", "none", "--yes"],
                ["admin", "token", "create", "--name", "", "--scope", "admin"],
                ["keys", "rotate", "--revoke"],
            ]

            for command in commands { try await scene.compare(command + ["--json"]) }
            #expect(try await scene.broker.document("users", "show", ada)["disabled"] == nil)
        }
    }

    @Test func `changes are made at the remote broker, in the name of the credential`() async throws {
        try await Scene.run { scene, client in
            let session = try await scene.broker.session(of: "ada", at: client)
            let ada = session.localID

            let created = try await scene.change("users", "create", "--id", "ben", "--email", "ben@example.com")
            let updated = try await scene.change("users", "update", "ben", "--display-name", "Ben")
            let claims = try await scene.change("users", "claims", "ben", "--set", #"{"role":"editor"}"#)
            _ = try await scene.change("users", "delete", "ben", "--yes")
            let disabled = try await scene.change("users", "disable", ada)
            let enabled = try await scene.change("users", "enable", "ada@example.com")
            let revoked = try await scene.change("sessions", "revoke", "--user", ada, "--all", "--yes")
            let client = try await scene.change("clients", "add", "--type", "confidential", "--name", "Shop")
            let id = try #require(client["client"]?["clientId"]?.string)
            let renamed = try await scene.change("clients", "update", id, "--name", "Store")
            let rotated = try await scene.change("clients", "rotate", id)
            let removed = try await scene.change("clients", "remove", id, "--yes")
            let keys = try await scene.change("keys", "rotate", "--family", "oidc", "--algorithm", "ES256")
            let unlinked = try await scene.change("unlink", "--provider", "github", "--user", ada, "--force", "--yes")
            let deleted = try await scene.change("users", "delete", ada, "--yes")
            let token = try await scene.change("admin", "token", "create", "--name", "x", "--scope", "audit:read")
            let tokenID = try #require(token["credential"]?["id"]?.string)
            let gone = try await scene.change("admin", "token", "revoke", tokenID, "--yes")

            #expect(created["localId"] == "ben" && updated["displayName"] == "Ben")
            #expect(claims["claims"] == ["role": "editor"])
            #expect(disabled["disabled"] == true && enabled["disabled"] == nil)
            #expect(revoked["revoked"]?.integer == 1)
            #expect(renamed["client"]?["name"] == "Store" && rotated["clientSecret"] != client["clientSecret"])
            #expect(removed["removed"]?.string == id)
            #expect(keys["keys"]?.array?.contains { $0["state"] == "next" } == true)
            #expect(unlinked["providerUserInfo"] == nil && unlinked["withdrawals"]?.array?.count == 1)
            #expect(deleted["deleted"]?["localId"]?.string == ada)
            #expect(gone["revoked"]?.string == tokenID)
            #expect(try await scene.broker.document("users", "list")["users"] == [])
        }
    }

    @Test func `what fails at a remote broker says why`() async throws {
        try await Scene.run(scope: "audit:read") { scene, _ in
            let command = ["users", "list", "--json"]

            let forbidden = try await scene.remote(command)
            let nobody = try await scene.remote(command, at: "http://127.0.0.1:1")
            let plain = try await scene.remote(command, at: "http://id.example.com")
            let path = try await scene.remote(command, at: "https://id.example.com/admin")
            let absent = try await scene.broker.command("users", "list", "--json", "--server", scene.url)
            let unknown = try await CommandResult.broker(
                command + ["--server", scene.url], environment: ["BROKER_ADMIN_TOKEN": "bat1_wrong"],
                in: scene.broker.folder)

            #expect(forbidden.exitCode == 1 && forbidden.errorCode == "PERMISSION_DENIED", "\(forbidden)")
            #expect(forbidden.errors.contains("users:read"))
            #expect(unknown.exitCode == 1 && unknown.errorCode == "UNAUTHENTICATED", "\(unknown)")
            #expect(nobody.exitCode == 1 && nobody.errorCode == "NO_ANSWER", "\(nobody)")
            #expect(plain.exitCode == 64 && plain.errorCode == "INVALID_SERVER", "\(plain)")
            #expect(path.exitCode == 64 && path.errorCode == "INVALID_SERVER", "\(path)")
            #expect(absent.exitCode == 64 && absent.errorCode == "NOT_LOGGED_IN", "\(absent)")
            #expect(![forbidden, unknown, nobody, plain].contains { $0.everything.contains(scene.token) })
        }
    }

    @Test func `commands that work on files of the host refuse --server`() async throws {
        try await Installation.run { broker in
            let commands = [
                ["serve"], ["init"], ["demo"], ["health"], ["vault", "status"], ["vault", "rotate"],
                ["vault", "verify"], ["store", "backup", "--output", "x"], ["store", "verify"],
                ["link", "--provider", "github"], ["reauth", "--provider", "github", "--user", "ada"],
            ]

            for command in commands {
                let result = try await CommandResult.broker(
                    command + ["--server", "https://id.example.com"], in: broker.folder)
                #expect(result.exitCode == 64, "\(command)\n\(result)")
                #expect(result.errors.contains("the broker's host"), "\(command)\n\(result)")
            }
        }
    }

    @Test func `completion and manual print what a shell and man read`() async throws {
        let folder = try TestFolder()
        for shell in ["bash", "zsh", "fish"] {
            let result = try await CommandResult.broker(["completion", shell], in: folder)
            #expect(result.exitCode == 0 && result.output.contains("withdrawals"), "\(shell)")
        }
        let manual = try await CommandResult.broker(["manual"], in: folder)

        #expect(manual.exitCode == 0 && manual.output.hasPrefix(".TH BROKER 1"), "\(manual)")
    }
}
