import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker providers", .timeLimit(.minutes(3)))
struct ProvidersCommandTests {
    @Test func `list tells what is configured`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command("providers", "list", "--json")
            let text = try await broker.command("providers", "list")

            #expect(result.exitCode == 0, "\(result)")
            let entries = try #require(try JSONValue(parsing: result.output)["providers"]?.array)
            #expect(entries.count == 1)
            #expect(entries.first?["id"] == "github.com")
            #expect(entries.first?["use"] == "github")
            #expect(entries.first?["enabled"] == true)
            #expect(entries.first?["trustEmail"] == true)
            #expect(entries.first?["instance"]?.string == broker.github.url)
            #expect(entries.first?["accepts"] == ["accessToken", "authorizationCode"])
            #expect(text.exitCode == 0)
            #expect(text.output.contains("github.com"))
            #expect(!text.everything.contains(broker.github.defaultApplication.clientSecret))
        }
    }

    @Test(arguments: [[], ["github.com"], ["github"]])
    func `check is content with a client the provider knows`(names: [String]) async throws {
        try await Installation.run { broker in
            let result = try await CommandResult.broker(
                ["providers", "check", "--json"] + names, in: broker.folder)

            #expect(result.exitCode == 0, "\(result)")
            #expect(Self.codes(result) == ["github.com": "ok"])
            #expect(broker.github.hits(.checkToken) == 1)
        }
    }

    @Test func `check finds a wrong client secret`() async throws {
        try await Installation.run { broker in
            var application = broker.github.defaultApplication
            application.clientSecret = randomText(40)
            broker.github.register(application)

            let result = try await broker.command("providers", "check", "--json")

            #expect(result.exitCode == 1, "\(result)")
            #expect(Self.codes(result) == ["github.com": "client-refused"])
        }
    }

    @Test func `check tells a provider that is down from a wrong configuration`() async throws {
        try await Installation.run { broker in
            broker.github.fail(.checkToken, with: .closeConnection)
            let broken = try await broker.command("providers", "check", "--json")
            await broker.github.stop()
            let gone = try await broker.command("providers", "check", "--json")

            #expect(broken.exitCode == 1, "\(broken)")
            #expect(Self.codes(broken) == ["github.com": "provider-unavailable"])
            #expect(gone.exitCode == 1, "\(gone)")
            #expect(Self.codes(gone) == ["github.com": "provider-unavailable"])
        }
    }

    @Test func `check of a provider nobody configured is wrong usage`() async throws {
        try await Installation.run { broker in
            let result = try await broker.command("providers", "check", "gitlab.com", "--json")

            #expect(result.exitCode == 64, "\(result)")
            #expect(result.errors.contains("github.com"), "the known ones are named")
            #expect(try JSONValue(parsing: result.output)["error"]?["code"] == "UNKNOWN_PROVIDER")
        }
    }

    private static func codes(_ result: CommandResult) -> [String: String] {
        let entries = (try? JSONValue(parsing: result.output))?["providers"]?.array ?? []
        return Dictionary(entries.map { ($0["id"]?.string ?? "", $0["code"]?.string ?? "") }) { first, _ in first }
    }
}
