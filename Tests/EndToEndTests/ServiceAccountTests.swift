import Foundation
import JOSE
import ProviderKit
import Subprocess
import Testing

/// A service account as Google's own Admin SDK, unmodified, uses it.
@Suite("a service account in firebase-admin", .timeLimit(.minutes(20)))
struct ServiceAccountTests {
    @Test func `its key file signs custom tokens and obtains an access token for the admin API`() async throws {
        let python = try TestPython.path()
        try await Installation.run(policy: "firebase") { broker in
            try await broker.serve { _, client in
                let created = try await broker.command(
                    "admin", "service-account", "create", "calendar", "--scope", "users:read", "--scope",
                    "users:write", "--output", "key.json")
                #expect(created.exitCode == 0, "\(created)")
                let script = URL(filePath: #filePath).deletingLastPathComponent()
                    .appending(path: "Support/service-account.py").path
                let result = try await Subprocess.run(
                    .name("sh"),
                    arguments: ["-c", #"exec "$0" "$@""#, python, script, broker.folder.path + "/key.json"],
                    environment: .inherit.updating(["BROKER": client.url, "API_KEY": client.apiKey]), input: .none,
                    output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
                let document = try JSONValue(parsing: try #require(result.standardOutput))
                let token = try #require(document["idToken"]?.string, "\(result.standardError ?? "")")
                let claims = try CompactJWS(parsing: token).unverifiedClaims()

                #expect(claims["sub"] == "ada" && claims["role"] == "editor")
                #expect(document["accessToken"] == "sat1_" && document["users"] == ["ada"])
            }
        }
    }
}
