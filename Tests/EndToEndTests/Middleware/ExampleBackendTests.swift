import Foundation
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import Subprocess
import Testing

/// `Examples/Backend`, built by this package, beside the built broker.
@Suite("The example backend", .oneEngine("an example of a back end"), .timeLimit(.minutes(20)))
struct ExampleBackendTests {
    @Test func `its routes need a token, a scope, and a session that has not ended`() async throws {
        try await HostedBroker.run { broker in
            let client = try await broker.signInToClient()
            try await Self.withBackend(at: broker, clientID: client.clientID) { backend in
                let me = try await backend.get("/me", client.accessToken)
                let users = try await broker.document("users", "list")["users"]?.array
                #expect(me.status == 200 && me.body["kind"] == "accessToken", "\(me)")
                #expect(users?.map { $0["localId"] } == [me.body["user"]])

                #expect(try await backend.get("/health").status == 200)
                let anonymous = try await backend.get("/me")
                #expect(anonymous.status == 401 && anonymous.headers.first(name: "WWW-Authenticate") != nil)
                let idToken = try await backend.get("/me", client.idToken)
                #expect(idToken.status == 401 && idToken.body["error"] == "invalid_token", "\(idToken)")

                #expect(try await backend.get("/profile", client.accessToken).status == 200)
                #expect(try await backend.get("/payments", client.accessToken).status == 200)
                try await broker.revokeAll(of: try #require(me.body["user"]?.string))
                let ended = try await backend.get("/payments", client.accessToken)
                #expect(ended.status == 401 && ended.body["error"] == "invalid_token", "\(ended)")
                #expect(try await backend.get("/me", client.accessToken).status == 200, "only /payments asks")
            }
        }
    }

    @Test func `an ID token of Identity Toolkit is a user's, without scopes`() async throws {
        try await HostedBroker.run { broker in
            let session = try await broker.signInToProject()
            try await Self.withBackend(at: broker, clientID: "unused") { backend in
                let me = try await backend.get("/me", session.idToken)
                let profile = try await backend.get("/profile", session.idToken)

                #expect(me.body["user"]?.string == session.localID, "\(me)")
                #expect(profile.status == 403 && profile.body["error"] == "insufficient_scope", "\(profile)")
                #expect(try await backend.get("/payments", session.idToken).status == 200)
            }
        }
    }

    /// Runs the built example.
    private static func withBackend(
        at broker: HostedBroker, clientID: String, _ body: (IdentityToolkitApp) async throws -> Void
    ) async throws {
        var options = PlatformOptions()
        options.createSession = true
        let program = URL(filePath: try BrokerExecutable.path()).deletingLastPathComponent()
            .appending(path: "ExampleBackend").path
        let configuration = Configuration(
            executable: .name("sh"), arguments: ["-c", #"exec "$0""#, program],
            environment: .inherit.updating([
                "ISSUER": broker.url, "CLIENT_ID": clientID, "PROJECT_ID": "my-app", "PORT": "0",
                "KEY_FILE": try await broker.keyFile(),
            ]), platformOptions: options)
        try await BrokerProcess.run(configuration) { process in
            let line = try #require(await process.output.firstLine(), "\(process.everything)")
            let url = String(try #require(line.firstMatch(of: /http:\/\/\S+/), "\(line)").0)
            try await body(IdentityToolkitApp(url: url, apiKey: ""))
        }
    }
}

extension IdentityToolkitApp {
    fileprivate func get(_ path: String, _ token: String) async throws -> Answer {
        try await send("GET", path, headers: [("Authorization", "Bearer \(token)")])
    }
}
