import ProviderKit
import ProviderSimulators
import Testing

@Suite("plugins.json changes under a running broker", .timeLimit(.minutes(20)))
struct LiveProvidersTests {
    @Test func `an added entry is offered without a restart, and the log names it`() async throws {
        try await Installation.run { broker in
            try await broker.serve { process, client in
                let before = try await client.signIn(
                    [("access_token", try broker.accessToken("ada"))], provider: "github.other")

                try broker.edit { entries in
                    entries.append(try broker.secondEntry(after: try #require(entries.first)))
                }
                let line = try #require(await process.log.firstLine { $0.contains("provider configuration reloaded") })

                #expect(before.errorCode == "OPERATION_NOT_ALLOWED")
                let said = try JSONValue(parsing: line)
                #expect(said["added"] == "github.other" && said["removed"] == "none" && said["changed"] == "none")
                let token = broker.accessToken(of: try broker.person("ada"), for: "github.other")
                let after = try await client.signIn([("access_token", token)], provider: "github.other")
                #expect(after.status == 200, "\(after)")
            }
        }
    }

    @Test func `an entry that is gone refuses, and its users stay signed in`() async throws {
        try await Installation.run { broker in
            try await broker.serve { process, client in
                let session = try await broker.session(of: "ada", at: client)

                try broker.edit { $0 = [] }
                _ = try #require(await process.log.firstLine { $0.contains("provider configuration reloaded") })

                let refused = try await client.signIn(accessToken: try broker.accessToken("ada"))
                #expect(refused.errorCode == "OPERATION_NOT_ALLOWED", "\(refused)")
                #expect(try await client.lookup(session.idToken).status == 200)
                #expect(try await client.refresh(session.refreshToken).status == 200)
            }
        }
    }

    @Test func `a mistake is logged, and the broker continues unchanged`() async throws {
        try await Installation.run { broker in
            try await broker.serve { process, client in
                try broker.edit { entries in
                    var entry = try #require(entries.first?.object)
                    entry["usse"] = "github"
                    entries[0] = .object(entry)
                }
                let line = try #require(
                    await process.log.firstLine { $0.contains("provider configuration reload failed") })

                let said = try JSONValue(parsing: line)
                #expect(said["level"] == "error")
                #expect(said["error"]?.string?.contains("/providers/0/usse") == true, "\(line)")
                #expect(try await client.signIn(accessToken: try broker.accessToken("ada")).status == 200)
            }
        }
    }

    @Test func `a secret that changes in its file is used without a restart, and never logged`() async throws {
        try await Installation.run { broker in
            var application = broker.github.defaultApplication
            try broker.folder.write(application.clientSecret + "\n", to: "github-secret")
            try broker.edit { entries in
                var entry = try #require(entries.first?.object)
                var options = try #require(entry["options"]?.object)
                options["clientSecret"] = ["file": "github-secret"]
                entry["options"] = .object(options)
                entries[0] = .object(entry)
            }
            try await broker.serve { process, client in
                let before = try await client.signIn(accessToken: try broker.accessToken("ada"))
                application.clientSecret = randomText(40)
                broker.github.register(application)

                try broker.folder.write(application.clientSecret + "\n", to: "github-secret")
                let line = try #require(await process.log.firstLine { $0.contains("provider configuration reloaded") })

                let after = try await client.signIn(accessToken: try broker.accessToken("ada"))
                #expect(before.status == 200 && after.status == 200, "\(after)")
                #expect(try JSONValue(parsing: line)["changed"] == "github.com")
                #expect(!process.everything.contains(application.clientSecret))
            }
        }
    }
}

extension Installation {
    /// Changes the entries of `plugins.json` as an editor would: the file is written anew.
    fileprivate func edit(_ change: (inout [JSONValue]) throws -> Void) throws {
        let plugins = try JSONValue(parsing: try folder.text(of: "plugins.json"))
        var entries = try #require(plugins["providers"]?.array)
        try change(&entries)
        try folder.write(JSONValue.object(["providers": .array(entries)]).serialized(), to: "plugins.json")
    }
}
