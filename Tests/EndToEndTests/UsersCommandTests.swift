import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker users", .timeLimit(.minutes(20)))
struct UsersCommandTests {
    @Test func `list pages through all users in the order of their ids`() async throws {
        try await Installation.run { broker in
            let none = try await broker.command("users", "list")
            var expected: [String] = []
            for login in ["ada", "ben", "cleo"] {
                let result = try await broker.command(
                    "link", "--provider", "github", "--json", input: try broker.accessToken(login))
                expected.append(try #require(try JSONValue(parsing: result.output)["user"]?["localId"]?.string))
            }
            expected.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }

            let all = try await broker.command("users", "list", "--json")
            let first = try await broker.command("users", "list", "--limit", "2", "--json")
            let rest = try await broker.command("users", "list", "--after", expected[1], "--json")
            let text = try await broker.command("users", "list")

            #expect(none.exitCode == 0, "\(none)")
            #expect(none.output.contains("No users."))
            #expect(try Self.localIDs(all) == expected)
            #expect(try Self.localIDs(first) == Array(expected.prefix(2)))
            #expect(try Self.localIDs(rest) == Array(expected.suffix(1)))
            #expect(expected.allSatisfy { text.output.contains($0) })
            #expect(text.output.contains("ada@example.com"))
        }
    }

    @Test func `a page says that there are more users, and --all lists them`() async throws {
        try await Installation.run { broker in
            let lines = (0..<1002).map { #"{"localId":"user-\#(1000 + $0)"}"# }
            try broker.folder.write(lines.joined(separator: "\n"), to: "users.jsonl")
            _ = try await broker.document("users", "import", "users.jsonl", "--format", "jsonl", "--passwords", "keep")

            let first = try await broker.document("users", "list")
            let next = try #require(first["next"]?.string)
            let last = try await broker.document("users", "list", "--after", "user-1999", "--limit", "2")
            let exact = try await broker.document("users", "list", "--after", "user-1999", "--limit", "3")
            let all = try await broker.command("users", "list", "--all", "--json")
            let text = try await broker.command("users", "list")
            let allText = try await broker.command("users", "list", "--all")
            let both = try await broker.command("users", "list", "--all", "--limit", "5")

            #expect(first["users"]?.array?.count == 100 && first["total"] == 1002 && next == "user-1099")
            #expect(last["users"]?.array?.count == 2 && last["next"] == nil && last["total"] == nil, "\(last)")
            #expect(exact["users"]?.array?.count == 2 && exact["next"] == nil, "\(exact)")
            #expect(try Self.localIDs(all).count == 1002)
            #expect(text.errors.contains("100 of 1002 users") && text.errors.contains("--after user-1099"), "\(text)")
            #expect(text.output.split(separator: "\n").count == 101, "the table is all there is on standard output")
            #expect(allText.output.split(separator: "\n").count == 1003 && allText.errors.isEmpty, "\(allText.errors)")
            #expect(both.exitCode == 64, "\(both)")
        }
    }

    @Test func `show finds a user by id and by address in any case, and shows the identities`() async throws {
        try await Installation.run { broker in
            let token = try broker.accessToken("ada")
            let link = try await broker.command("link", "--provider", "github.com", "--json", input: token)
            let localID = try #require(try JSONValue(parsing: link.output)["user"]?["localId"]?.string)
            let subject = String(try broker.person("ada").id)

            for name in [localID, "ada@example.com", "Ada@Example.COM"] {
                let result = try await broker.command("users", "show", name, "--json")
                #expect(result.exitCode == 0, "\(result)")
                let user = try JSONValue(parsing: result.output)
                #expect(user["localId"]?.string == localID)
                #expect(user["email"] == "ada@example.com")
                #expect(user["emailVerified"] == true)
                #expect(user["displayName"] == "Ada Example")
                let identity = user["providerUserInfo"]?.array?.first
                #expect(identity?["providerId"] == "github.com")
                #expect(identity?["rawId"]?.string == subject)
            }
        }
    }

    @Test func `a user that does not exist is exit code 1, a senseless limit wrong usage`() async throws {
        try await Installation.run { broker in
            let unknown = try await broker.command("users", "show", "nobody@example.com", "--json")
            let senseless = try await broker.command("users", "list", "--limit", "0")

            #expect(unknown.exitCode == 1, "\(unknown)")
            #expect(try JSONValue(parsing: unknown.output)["error"]?["code"] == "USER_NOT_FOUND")
            #expect(senseless.exitCode == 64, "\(senseless)")
        }
    }

    private static func localIDs(_ result: CommandResult) throws -> [String] {
        try #require(result.exitCode == 0, "\(result)")
        return (try JSONValue(parsing: result.output)["users"]?.array ?? []).compactMap { $0["localId"]?.string }
    }

    @Test func `looking at users needs none of the providers' secrets`() async throws {
        try await Installation.run { broker in
            _ = try await broker.signedIn("ada")
            try broker.folder.write(
                #"{"providers":[{"use":"github","options":{"clientId":"c","clientSecret":{"env":"NOT_SET_HERE"}}}]}"#,
                to: "plugins.json")

            let listed = try await broker.command("users", "list", "--json")
            let checked = try await broker.command("providers", "check", "--json")

            #expect(listed.exitCode == 0, "\(listed)")
            #expect(checked.exitCode == 78, "\(checked)")
        }
    }

    @Test func `a sign-in by the command line leaves no session`() async throws {
        try await Installation.run { broker in
            let ada = try await broker.signedIn("ada")

            let sessions = try await broker.command("sessions", "list", ada, "--json")

            #expect(sessions.exitCode == 0, "\(sessions)")
            #expect(try JSONValue(parsing: sessions.output)["sessions"] == [])
        }
    }
}
