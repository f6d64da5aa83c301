import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// Google's own Admin SDK, unmodified and in its verifying mode, with the credential of a service account, as
/// `Docs/FirebaseAdmin.md` sets it up (contract §5.8).
@Suite("firebase-admin as a backend", .timeLimit(.minutes(20)))
struct FirebaseAdminSuiteTests {
    /// One program of `FirebaseAdmin/` for each area of `firebase_admin.auth`.
    @Test(arguments: ["users", "sessions", "batch", "unoffered"])
    func `its methods do what they do at Firebase`(area: String) async throws {
        let python = try TestPython.path()
        try await HostedBroker.prepare { broker in
            var settings = try #require(try JSONValue(parsing: broker.folder.text(of: "broker.json")).object)
            settings["policy"] = "firebase"
            try broker.folder.write(JSONValue.object(settings).serialized(), to: "broker.json")
            let keyFile = broker.folder.path + "/service-account.json"
            _ = try await broker.document(
                "admin", "service-account", "create", "backend", "--scope", "users:read", "--scope", "users:write",
                "--scope", "configuration:read", "--output", keyFile)
            try await broker.serve { _ in
                let gitHub = broker.providers.gitHub
                let accessToken = gitHub.accessToken(
                    for: try #require(gitHub.person(login: "ada")), application: gitHub.defaultApplication)
                let session = try IdentityToolkitApp.Session(try await broker.client.signIn(accessToken: accessToken))
                let signedIn: JSONValue = [
                    "localId": .string(session.localID), "idToken": .string(session.idToken),
                    "apiKey": .string(broker.client.apiKey),
                ]
                let program = try SampleProgram(
                    "broker_admin.py", in: "Docs/FirebaseAdmin.md",
                    environment: ["BROKER": broker.url, "PROJECT": "my-app", "SERVICE_ACCOUNT": keyFile])
                try program.folder.write(try Self.program(area), to: area + ".py")

                let result = try await program.run(python, area + ".py", input: signedIn.serialized())

                #expect(result.exitCode == 0 && result.output == "\(area) ok\n", "\(result)")
            }
        }
    }

    private static func program(_ area: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "FirebaseAdmin")
        return try String(contentsOf: folder.appending(path: area + ".py"), encoding: .utf8)
    }
}
