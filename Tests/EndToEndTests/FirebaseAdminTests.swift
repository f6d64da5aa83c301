import Foundation
import JOSE
import ProviderKit
import Subprocess
import Testing

/// Google's own Admin SDK, unmodified, against a broker with the policy `firebase` (contract §5.8).
@Suite("firebase-admin", .timeLimit(.minutes(3)))
struct FirebaseAdminTests {
    /// Reads a token from standard input and prints whom it belongs to, or which of the SDK's errors it is.
    private static let verify = """
        import sys, firebase_admin
        from firebase_admin import _token_gen, auth, credentials
        _token_gen.ID_TOKEN_CERT_URI = sys.argv[1]
        class Nobody(credentials.Base):
            def get_credential(self): return None
        firebase_admin.initialize_app(Nobody(), {"projectId": sys.argv[2]})
        try:
            claims = auth.verify_id_token(sys.stdin.read())
            print("verified", claims["uid"], claims["firebase"]["sign_in_provider"])
        except Exception as error: print("refused", type(error).__name__)
        """

    @Test func `it believes our token, and neither a tampered one nor one for another project`() async throws {
        let python = try TestPython.path()
        try await Installation.run(policy: "firebase") { broker in
            try await broker.serve { _, client in
                let session = try BrokerClient.Session(
                    try await client.signIn(accessToken: try broker.accessToken("ada")))

                let good = try await Self.verify(session.idToken, at: client, python)
                let tampered = try await Self.verify(try Self.tampered(session.idToken), at: client, python)
                let foreign = try await Self.verify(session.idToken, for: "other-app", at: client, python)

                #expect(good.output == "verified \(session.localID) github.com\n", "\(good)")
                #expect(tampered.output == "refused InvalidIdTokenError\n", "\(tampered)")
                #expect(foreign.output == "refused InvalidIdTokenError\n", "\(foreign)")
            }
        }
    }

    private static func verify(
        _ token: String, for project: String = "my-app", at client: BrokerClient, _ python: String
    ) async throws -> CommandResult {
        let certificates = client.url + "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
        let result = try await Subprocess.run(
            .name("env"), arguments: [python, "-c", verify, certificates, project], input: .string(token),
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
        return CommandResult(
            exitCode: result.terminationStatus.exitCode, output: result.standardOutput, errors: result.standardError)
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
