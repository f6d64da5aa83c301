import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker providers", .timeLimit(.minutes(5)))
struct ProvidersCommandTests {
    @Test func `list shows the configured providers`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command("providers", "list", "--json")
            let text = try await broker.command("providers", "list")

            #expect(result.exitCode == 0, "\(result)")
            let entries = try #require(try JSONValue(parsing: result.output)["providers"]?.array)
            #expect(entries.count == 1)
            #expect(entries.first?["id"] == "github.com")
            #expect(entries.first?["use"] == "github")
            #expect(entries.first?["enabled"] == true)
            #expect(entries.first?["source"] == "plugins.json")
            #expect(entries.first?["trustEmail"] == true)
            #expect(entries.first?["instance"]?.string == broker.github.url)
            #expect(entries.first?["accepts"] == ["accessToken", "authorizationCode"])
            #expect(text.exitCode == 0)
            #expect(text.output.contains("github.com"))
            #expect(!text.everything.contains(broker.github.defaultApplication.clientSecret))
        }
    }

    @Test func `an entry is added, checked, changed, disabled, enabled and removed, on the host`() async throws {
        try await Installation.run { broker in
            var application = broker.github.defaultApplication
            application.clientID = "second-client"
            application.clientSecret = randomText(40)
            broker.github.register(application)
            try broker.folder.write(application.clientSecret + "\n", to: "secret")
            let added = try await broker.command(
                "providers", "add", "github.work", "--type", "github", "--client-id", "second-client",
                "--secret-file", "secret", "--url", broker.github.url, "--option", "apiUrl=\(broker.github.apiURL)",
                "--allow-insecure-loopback")
            let checked = try await broker.document("providers", "check", "github.work")
            let renamed = try await broker.command("providers", "update", "github.work", "--display-name", "Work")
            let disabled = try await broker.command("providers", "disable", "github.work")
            let list = try await broker.document("providers", "list")
            let text = try await broker.command("providers", "list")
            let enabled = try await broker.command("providers", "enable", "github.work")
            let removed = try await broker.command("providers", "remove", "github.work", "--yes")
            let gone = try await broker.command("providers", "enable", "github.work", "--json")

            for result in [added, renamed, disabled, enabled, removed] {
                #expect(result.exitCode == 0, "\(result)")
                #expect(!result.everything.contains(application.clientSecret))
            }
            #expect(added.output.contains("\n  http://127.0.0.1:9099/oauth/callback/github.work\n"), "\(added)")
            #expect(checked["providers"]?.array?.map { $0["code"] } == ["ok"], "\(checked)")
            let stored = list["providers"]?.array?.last
            #expect(stored?["source"] == "store" && stored?["enabled"] == false && stored?["displayName"] == "Work")
            #expect(text.output.contains("store") && text.output.contains("plugins.json"))
            #expect(gone.exitCode == 1 && gone.errorCode == "CONFIGURATION_NOT_FOUND", "\(gone)")
        }
    }

    @Test(arguments: [["enable"], ["disable"], ["remove", "--yes"], ["update", "--display-name", "Work"]])
    func `an entry of plugins json is not changed, and the error names the file`(command: [String]) async throws {
        try await Installation.run { broker in
            let words: [String] = ["providers", command[0], "github.com"] + Array(command.dropFirst()) + ["--json"]
            let before = try broker.folder.text(of: "plugins.json")
            let result = try await CommandResult.broker(words, in: broker.folder)

            #expect(result.exitCode == 1 && result.errorCode == "PROVIDER_IN_FILE", "\(result)")
            #expect(result.errors.contains("plugins.json"))
            #expect(try broker.folder.text(of: "plugins.json") == before)
        }
    }

    @Test func `a running broker follows an entry that is added remotely within five seconds`() async throws {
        try await Installation.run { broker in
            try await broker.serve { process, client in
                let token = try #require(
                    try await broker.document(
                        "admin", "token", "create", "--name", "Ops", "--scope", "configuration:read",
                        "--scope", "configuration:write")["token"]?.string)
                func remote(_ arguments: String..., input: String = "") async throws -> CommandResult {
                    try await .broker(
                        arguments + ["--server", client.url], input: input,
                        environment: ["BROKER_ADMIN_TOKEN": token], in: broker.folder)
                }
                let added = try await remote(
                    "providers", "add", "oidc.acme", "--issuer", "https://id.acme.example", "--client-id", "broker",
                    "--secret-file", "-", input: "s3cret-of-acme\n")
                let list = try await remote("providers", "list")
                let onHost = try await broker.command("providers", "list")
                let inside = try await remote(
                    "providers", "add", "oidc.inside", "--issuer", "https://10.0.0.1", "--client-id", "broker",
                    "--private-network", "10.0.0.0/8", "--json")
                // A change on the host, which the running broker has to find.
                let disabled = try await broker.command("providers", "disable", "oidc.acme")
                let deadline = ContinuousClock.now.advanced(by: .seconds(60))
                while !process.log.text.contains(#""removed":"oidc.acme""#), ContinuousClock.now < deadline {
                    try await Task.sleep(for: .milliseconds(50))
                }

                #expect(added.exitCode == 0, "\(added)")
                #expect(list.exitCode == 0 && list.output == onHost.output, "\(list)\n\(onHost)")
                #expect(list.output.contains("oidc.acme"))
                #expect(inside.exitCode == 1 && inside.errorCode == "HOST_ONLY", "\(inside)")
                #expect(disabled.exitCode == 0, "\(disabled)")
                #expect(process.log.text.contains(#""removed":"oidc.acme""#))
                #expect(!process.log.text.contains("s3cret"))
            }
        }
    }
}
