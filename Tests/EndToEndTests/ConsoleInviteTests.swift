import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("broker console invite", .timeLimit(.minutes(20)))
struct ConsoleInviteTests {
    @Test func `an invitation is a link below the console, which the list shows`() async throws {
        try await Installation.run { broker in
            let invited = try await broker.command("console", "invite", "--role", "viewer", "--json")
            let listed = try await broker.command("console", "list", "--json")

            #expect(invited.exitCode == 0, "\(invited)")
            let url = try #require(try JSONValue(parsing: invited.output)["url"]?.string)
            #expect(url.hasPrefix("http://127.0.0.1:9099/console/"))
            let open = try #require(try JSONValue(parsing: listed.output)["invitations"]?.array, "\(listed)")
            #expect(open.count == 1 && open.first?["role"] == "viewer")
        }
    }

    @Test func `without an enabled provider there is no invitation`() async throws {
        try await Installation.run { broker in
            let plugins = try broker.folder.text(of: "plugins.json")
            try broker.folder.write(
                plugins.replacing(#""use":"github""#, with: #""use":"github","enabled":false"#), to: "plugins.json")

            let invited = try await broker.command("console", "invite", "--role", "owner", "--json")
            let listed = try await broker.command("console", "list", "--json")

            #expect(invited.exitCode != 0 && invited.everything.contains("NO_PROVIDER"), "\(invited)")
            #expect(try JSONValue(parsing: listed.output)["invitations"]?.array?.isEmpty == true, "\(listed)")
        }
    }
}
