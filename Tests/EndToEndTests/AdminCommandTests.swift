import Foundation
import ProviderKit
import Testing

@Suite("broker admin token", .timeLimit(.minutes(20)))
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

                let revoked = try await broker.command("admin", "token", "revoke", id, "--yes")
                let again = try await broker.command("admin", "token", "revoke", id, "--yes", "--json")

                #expect(revoked.exitCode == 0 && revoked.output.contains("Calendar"))
                #expect(again.exitCode == 1 && again.errorCode == "CREDENTIAL_NOT_FOUND")
                #expect(try await Self.status(token, at: client) == 401)
            }
        }
    }

    @Test func `the key file of a service account is private, and is never written over another file`() async throws {
        try await Installation.run { broker in
            let created = try await broker.command(
                "admin", "service-account", "create", "calendar", "--scope", "users:write", "--output", "key.json",
                "--json")
            let path = broker.folder.path + "/key.json"
            let file = try JSONValue(parsing: try String(contentsOfFile: path, encoding: .utf8))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let again = try await broker.command(
                "admin", "service-account", "create", "other", "--scope", "users:write", "--output", "key.json")
            let listed = try await broker.command("admin", "service-account", "list", "--json")
            let entries = try JSONValue(parsing: listed.output)["serviceAccounts"]?.array

            #expect(file["type"] == "service_account" && file["universe_domain"] == "googleapis.com")
            #expect(file["token_uri"]?.string?.hasSuffix("/oauth/service-accounts/token") == true)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(!created.everything.contains("PRIVATE KEY"), "\(created)")
            #expect(again.exitCode == 1 && again.errors.contains("exists"), "\(again)")
            #expect(entries?.count == 1 && entries?.first?["name"] == "calendar", "\(listed)")
            #expect(entries?.first?["email"] == file["client_email"])
        }
    }

    @Test func `a rotation writes another key, and a revoked account is listed as such`() async throws {
        try await Installation.run { broker in
            let created = try await broker.command(
                "admin", "service-account", "create", "calendar", "--scope", "users:write", "--output", "-")
            let first = try JSONValue(parsing: created.output)
            let id = try #require(first["client_id"]?.string)
            let rotated = try await broker.command(
                "admin", "service-account", "rotate-key", id, "--overlap", "0", "--yes", "--output", "next.json",
                "--json")
            let second = try JSONValue(
                parsing: try String(contentsOfFile: broker.folder.path + "/next.json", encoding: .utf8))
            let revoked = try await broker.command("admin", "service-account", "revoke", id, "--yes")
            let again = try await broker.command("admin", "service-account", "revoke", id, "--yes", "--json")
            let listed = try await broker.command("admin", "service-account", "list", "--json")

            #expect(first["private_key_id"] != second["private_key_id"], "\(rotated)")
            #expect(first["client_email"] == second["client_email"])
            #expect(revoked.exitCode == 0 && again.errorCode == "CREDENTIAL_NOT_FOUND")
            #expect(try JSONValue(parsing: listed.output)["serviceAccounts"]?.array?.first?["state"] == "revoked")
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
    private static func status(_ token: String, at client: IdentityToolkitApp) async throws -> Int {
        try await client.send(
            "POST", "/v1/accounts:signUp", headers: [("Authorization", "Bearer \(token)")]
        ).status
    }
}
