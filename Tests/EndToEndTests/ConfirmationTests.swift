import Foundation
import ProviderKit
import Testing

/// What cannot be undone, on a real broker. That every such command refuses in a script is shown by the commands' own
/// tests.
@Suite("Commands that cannot be undone", .timeLimit(.minutes(20)))
struct ConfirmationTests {
    @Test func `in a script they change nothing without --yes`() async throws {
        try await Installation.run { broker in
            let ada = try await broker.signedIn("ada")
            let token = try await broker.document("admin", "token", "create", "--name", "x", "--scope", "users:read")
            let tokenID = try #require(token["credential"]?["id"]?.string)
            let keys = try await broker.document("keys", "list")

            for arguments in [
                ["keys", "rotate", "--now", "--revoke"], ["sessions", "revoke", "--user", ada, "--all"],
                ["vault", "rotate", "--compromised"], ["admin", "token", "revoke", tokenID],
                ["unlink", "--provider", "github", "--user", ada, "--force"],
                ["withdrawals", "create", ada],
            ] {
                let result = try await CommandResult.broker(arguments + ["--json"], in: broker.folder)
                #expect(result.exitCode == 1 && result.errorCode == "NOT_CONFIRMED", "\(arguments): \(result)")
                #expect(result.errors.contains("--yes"), "\(arguments): \(result)")
            }

            let user = try await broker.document("users", "show", ada)
            let tokens = try await broker.document("admin", "token", "list")
            #expect(try await broker.document("keys", "list") == keys)
            #expect(user["providerUserInfo"]?.array?.count == 1)
            #expect(
                tokens["credentials"]?.array?.contains { $0["id"]?.string == tokenID && $0["state"] == "valid" } == true
            )
        }
    }

    @Test(arguments: ["y\n", "n\n"])
    func `at a terminal they ask`(answer: String) async throws {
        try await Installation.run { broker in
            let ada = try await broker.signedIn("ada")
            let arguments = ["unlink", "--provider", "github", "--user", ada, "--force"]
            try await BrokerProcess.run(atTerminal: arguments, in: broker.folder) { process, keyboard in
                _ = await process.output.firstLine { $0.contains("Unlink github from user \(ada)") }
                try keyboard.type(answer)
                let isAgreed = answer.hasPrefix("y")
                #expect(try await process.exitCode() == (isAgreed ? 0 : 1), "\(process.everything)")
                let user = try await broker.document("users", "show", ada)
                #expect((user["providerUserInfo"]?.array?.count ?? 0) == (isAgreed ? 0 : 1))
            }
        }
    }
}
