import Foundation
import ProviderKit
import Testing

@Suite("broker admin token", .timeLimit(.minutes(3)))
struct AdminCommandTests {
    @Test func `a token is shown once, and a running broker takes it until it is revoked`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let created = try await broker.command(
                    "admin", "token", "create", "--name", "Calendar", "--scope", "provider-tokens:read", "--json")
                let document = try JSONValue(parsing: created.output)
                let token = try #require(document["token"]?.string, "\(created)")
                let id = try #require(document["credential"]?["id"]?.string)
                let listed = try await broker.command("admin", "token", "list", "--json")
                let entry = try #require(try JSONValue(parsing: listed.output)["credentials"]?.array?.first)

                #expect(token.hasPrefix("bat1_") && !created.errors.contains(token))
                #expect(!listed.everything.contains(token))
                #expect(entry["id"]?.string == id && entry["name"] == "Calendar" && entry["state"] == "valid")
                #expect(entry["scopes"] == ["provider-tokens:read"] && entry["expiresAt"] != nil)
                #expect(try await Self.status(token, at: client) == 403)

                let revoked = try await broker.command("admin", "token", "revoke", id)
                let again = try await broker.command("admin", "token", "revoke", id, "--json")

                #expect(revoked.exitCode == 0 && revoked.output.contains("Calendar"))
                #expect(again.exitCode == 1 && again.errorCode == "CREDENTIAL_NOT_FOUND")
                #expect(try await Self.status(token, at: client) == 401)
            }
        }
    }

    @Test(arguments: [["--expires", "soon"], ["--expires", "0d"], ["--scope", "everything"]])
    func `a lifetime or a scope that does not exist is wrong usage`(arguments: [String]) async throws {
        try await Installation.run { broker in
            let result = try await CommandResult.broker(
                ["admin", "token", "create", "--name", "x", "--scope", "provider-tokens:read"] + arguments,
                in: broker.folder)
            #expect(result.exitCode == 64, "\(result)")
        }
    }

    /// The status of a path for apps: 403 for a valid admin token, 401 for any other.
    private static func status(_ token: String, at client: BrokerClient) async throws -> Int {
        try await client.send(
            "POST", "/v1/accounts:signUp", headers: [("Authorization", "Bearer \(token)")]
        ).status
    }
}
