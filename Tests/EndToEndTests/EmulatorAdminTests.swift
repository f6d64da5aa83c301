import Foundation
import ProviderKit
import Testing

/// Google's own Admin SDK, unmodified, in its emulator mode against `broker demo --emulator`: the programs that also run in
/// its verifying mode.
@Suite("firebase-admin at the emulator", .timeLimit(.minutes(20)))
struct EmulatorAdminTests {
    @Test(arguments: ["users", "batch", "sessions", "provider_import", "provider_lookup", "provider_link"])
    func `its methods do what they do at the emulator`(area: String) async throws {
        let python = try TestPython.path()
        let folder = try TestFolder()
        let arguments = ["demo", "--emulator", "--project", "demo-app", "--json"]
        try await BrokerProcess.run(arguments, in: folder) { process in
            let line = try #require(await process.output.firstLine(), "\(process.log.text)")
            let url = try #require(try JSONValue(parsing: line)["emulator"]?.string)
            let claims: JSONValue = ["sub": "7", "email": "ada@example.com", "email_verified": true, "name": "Ada"]
            let session = try await IdentityToolkitApp(url: url, apiKey: "any-key").signIn([
                (name: "id_token", value: claims.serialized())
            ])
            let signedIn: JSONValue = [
                "localId": session.body["localId"] ?? .null, "idToken": session.body["idToken"] ?? .null,
                "apiKey": "any-key",
            ]
            let program = try SampleProgram(
                "broker_admin.py", in: "Docs/Emulator.md",
                environment: ["FIREBASE_AUTH_EMULATOR_HOST": String(url.dropFirst("http://".count))])
            let source = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "FirebaseAdmin/\(area).py")
            try program.folder.write(try String(contentsOf: source, encoding: .utf8), to: area + ".py")

            let result = try await program.run(python, area + ".py", input: signedIn.serialized())

            #expect(result.exitCode == 0 && result.output == "\(area) ok\n", "\(result)")
        }
    }
}
