import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker providers", .timeLimit(.minutes(3)))
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
            #expect(entries.first?["trustEmail"] == true)
            #expect(entries.first?["instance"]?.string == broker.github.url)
            #expect(entries.first?["accepts"] == ["accessToken", "authorizationCode"])
            #expect(text.exitCode == 0)
            #expect(text.output.contains("github.com"))
            #expect(!text.everything.contains(broker.github.defaultApplication.clientSecret))
        }
    }
}
