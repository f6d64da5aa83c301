import JOSE
import ProviderKit
import Testing

/// Google's own Admin SDK, unmodified, against a broker with the policy `firebase` (contract §5.8).
@Suite("firebase-admin", .timeLimit(.minutes(20)))
struct FirebaseAdminTests {
    @Test func `it accepts our token, and neither a tampered one nor one for another project`() async throws {
        let python = try TestPython.path()
        try await Installation.run(policy: "firebase") { broker in
            try await broker.serve { _, client in
                let session = try IdentityToolkitApp.Session(
                    try await client.signIn(accessToken: try broker.accessToken("ada")))

                let good = try await Self.verify(session.idToken, at: client, python)
                let tampered = try await Self.verify(try Self.tampered(session.idToken), at: client, python)
                let foreign = try await Self.verify(session.idToken, for: "other-app", at: client, python)

                #expect(good.output == session.localID + "\n", "\(good)")
                for refused in [tampered, foreign] {
                    #expect(refused.output.isEmpty && refused.errors.contains("InvalidIdTokenError"), "\(refused)")
                }
            }
        }
    }

    /// By the program of `Docs/AddSignIn.md`.
    private static func verify(
        _ token: String, for project: String = "my-app", at client: IdentityToolkitApp, _ python: String
    ) async throws -> CommandResult {
        let program = try SampleProgram("verify.py", environment: ["BROKER": client.url, "PROJECT": project])
        return try await program.run(python, "verify.py", input: token)
    }

    /// The token with another subject and the old signature.
    private static func tampered(_ token: String) throws -> String {
        var parts = token.split(separator: ".").map(String.init)
        var claims = try #require(try JSONValue(parsing: try CompactJWS(parsing: token).unverifiedPayload).object)
        claims["sub"] = "somebody-else"
        parts[1] = Base64URL.encode(claims.serialized().utf8)
        return parts.joined(separator: ".")
    }
}
