import Foundation
import PostgreSQLTesting
import ProviderKit
import Subprocess
import SystemPackage
import Testing

/// Schemathesis makes requests of the OpenAPI document, sensible ones and others, and compares the answers with it.
@Suite("the interface as it is described", .timeLimit(.minutes(20)))
struct OpenAPITests {
    @Test func `generated requests meet neither an error of the broker nor an undescribed answer`() async throws {
        let python = try TestPython.path()
        try await Installation.run(anonymousSignIn: true) { broker in
            try await broker.serve { process, client in
                let token = try await broker.command(
                    "admin", "token", "create", "--name", "Tests", "--scope", "admin", "--json")
                let added = try await broker.command(
                    "clients", "add", "--type", "confidential", "--name", "App", "--redirect-uri",
                    "https://app.example/callback", "--json")
                let app = try JSONValue(parsing: added.output)
                let credentials = try Credentials(
                    apiKey: broker.apiKey, token: #require(try JSONValue(parsing: token.output)["token"]?.string),
                    clientID: #require(app["client"]?["clientId"]?.string, "\(added)"),
                    clientSecret: #require(app["clientSecret"]?.string, "\(added)"),
                    accessToken: try await Self.accessToken(broker, client))
                try broker.folder.write(credentials.configuration, to: "schemathesis.toml")

                let result = try await Subprocess.run(
                    .path(FilePath(python)), arguments: Arguments(Self.arguments(client.url)),
                    workingDirectory: FilePath(broker.folder.path), output: .string(limit: 1 << 20),
                    error: .combinedWithOutput)

                #expect(result.terminationStatus.isSuccess, "\(result.standardOutput.suffix(6000))")
                #expect(!process.log.text.contains("\"level\":\"error\""))
            }
        }
    }

    /// Of a user without an account, at a native app.
    private static func accessToken(_ broker: Installation, _ client: IdentityToolkitApp) async throws -> String {
        let added = try await broker.command("clients", "add", "--type", "native", "--name", "Phone", "--json")
        let id = try #require(try JSONValue(parsing: added.output)["client"]?["clientId"]?.string, "\(added)")
        let form = FormEncoding.encode([
            ("client_id", id), ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
            ("subject_token_type", "urn:broker:oauth:token-type:anonymous"), ("subject_token", "anonymous"),
            ("scope", "openid account"),
        ])
        let answer = try await client.send(
            "POST", "/oauth/token", headers: [("Content-Type", "application/x-www-form-urlencoded")], body: form)
        return try #require(answer.body["access_token"]?.string, "\(answer)")
    }

    private static func arguments(_ url: String) -> [String] {
        [
            "-m", "schemathesis.cli", "--config-file", "schemathesis.toml", "run", url + "/openapi.json", "--url", url,
            "--checks", checks.joined(separator: ","), "--phases", phases, "--max-examples", examples,
            "--max-redirects", "0", "--no-color", "--continue-on-failure", "--warnings", "off",
        ]
    }

    /// The deterministic phase tests what the edge reads and refuses, which no engine changes; it takes most of the time.
    private static var phases: String {
        TestEngine.current == .sqlite ? "examples,coverage,fuzzing" : "examples,fuzzing"
    }

    private static let checks = [
        "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
        "response_headers_conformance",
    ]

    /// For each operation. `TESTS_ROUNDS` raises the number for a soak run.
    private static let examples = ProcessInfo.processInfo.environment["TESTS_ROUNDS"] ?? "5"

    private struct Credentials {
        let apiKey: String
        let token: String
        let clientID: String
        let clientSecret: String
        let accessToken: String

        /// A secret reaches no argument of a process.
        var configuration: String {
            """
            [auth.openapi.apiKey]
            api_key = "\(apiKey)"
            [auth.openapi.apiKeyHeader]
            api_key = "\(apiKey)"
            [auth.openapi.administrator]
            bearer = "\(token)"
            [auth.openapi.accessToken]
            bearer = "\(accessToken)"
            [auth.openapi.client]
            username = "\(clientID)"
            password = "\(clientSecret)"
            """
        }
    }
}
