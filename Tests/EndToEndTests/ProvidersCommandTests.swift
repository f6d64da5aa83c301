import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker providers", .timeLimit(.minutes(20)))
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
            #expect(added.output.contains("Added github.work, enabled."), "\(added)")
            #expect(checked["providers"]?.array?.map { $0["code"] } == ["ok"], "\(checked)")
            #expect(disabled.output == "Disabled github.work. No user loses the only way to sign in.\n", "\(disabled)")
            #expect(removed.output == "Removed github.work. No user loses the only way to sign in.\n", "\(removed)")
            let stored = list["providers"]?.array?.last
            #expect(stored?["source"] == "store" && stored?["enabled"] == false && stored?["displayName"] == "Work")
            #expect(text.output.contains("store") && text.output.contains("plugins.json"))
            #expect(gone.exitCode == 1 && gone.errorCode == "CONFIGURATION_NOT_FOUND", "\(gone)")
        }
    }

    @Test func `a provider of the catalogue is found, shown and added by its name`() async throws {
        try await Installation.run { broker in
            try broker.folder.write("s3cret\n", to: "secret")
            let client = ["--client-id", "1234", "--secret-file", "secret", "--disabled"]
            let list = try await broker.command("providers", "catalogue")
            let one = try await broker.command("providers", "catalogue", "discord")
            let added = try await CommandResult.broker(["providers", "add", "discord"] + client, in: broker.folder)
            let instance = try await CommandResult.broker(
                ["providers", "add", "oauth2.own", "--from", "mastodon", "--variable", "instance=social.example"]
                    + client, in: broker.folder)
            let missing = try await CommandResult.broker(
                ["providers", "add", "mastodon", "--json"] + client, in: broker.folder)
            let misspelt = try await CommandResult.broker(
                ["providers", "add", "discrod", "--json"] + client, in: broker.folder)
            let entries = try await broker.document("providers", "list")["providers"]?.array ?? []

            #expect(list.exitCode == 0 && list.output.contains("discord"), "\(list)")
            #expect(one.output.contains("http://127.0.0.1:9099/oauth/callback/oauth2.discord\n"), "\(one)")
            #expect(one.output.contains("[documentation, 20") && one.output.contains("Brand rules:"), "\(one)")
            #expect(added.exitCode == 0 && instance.exitCode == 0, "\(added)\n\(instance)")
            #expect(added.output.contains("Added oauth2.discord, disabled."), "\(added)")
            #expect(added.output.contains("There (https://discord.com/developers/applications):\n  - "), "\(added)")
            #expect(instance.output.contains("https://social.example/settings/applications"), "\(instance)")
            #expect(missing.exitCode != 0 && missing.errors.contains("variables/instance"), "\(missing)")
            #expect(misspelt.exitCode == 64 && misspelt.errors.contains("did you mean discord?"), "\(misspelt)")
            let stored = entries.filter { $0["source"] == "store" }.map { [$0["id"], $0["displayName"]] }
            #expect(stored == [["oauth2.discord", "Discord"], ["oauth2.own", "Mastodon"]])
        }
    }

    @Test func `redirect URIs of apps and further members are set with options, and misspelt names are refused`()
        async throws
    {
        try await Installation.run { broker in
            try broker.folder.write("s3cret\n", to: "secret")
            let add = [
                "providers", "add", "oidc.acme", "--issuer", "https://id.acme.example", "--client-id", "broker",
                "--secret-file", "secret", "--disabled", "--json",
            ]
            let member = try await CommandResult.broker(add + ["--set", "appRedirect=[]"], in: broker.folder)
            let option = try await CommandResult.broker(add + ["--option", "audience=x"], in: broker.folder)
            let added = try await CommandResult.broker(
                add + [
                    "--app-redirect", "com.example.app:/acme", "--app-redirect", "com.example.app:/own acme-app",
                    "--option", "audiences=acme-app", "--set", "allowedParameters=access_type",
                ], in: broker.folder)
            let twice = try await CommandResult.broker(
                [
                    "providers", "update", "oidc.acme", "--json", "--app-redirect", "com.example.app:/acme",
                    "--app-redirect", "com.example.app:/acme",
                ], in: broker.folder)

            #expect(member.exitCode == 64 && member.errors.contains("did you mean appRedirects?"), "\(member)")
            #expect(option.exitCode == 64 && option.errors.contains("did you mean audiences?"), "\(option)")
            #expect(added.exitCode == 0, "\(added)")
            #expect(twice.exitCode != 0 && twice.errors.contains("/appRedirects/1/redirectUri"), "\(twice)")
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
                        "--scope", "configuration:write", "--scope", "providers:trust")["token"]?.string)
                func remote(_ arguments: String..., input: String = "") async throws -> CommandResult {
                    try await .broker(
                        arguments + ["--server", client.url], input: input,
                        environment: ["BROKER_ADMIN_TOKEN": token], in: broker.folder)
                }
                let added = try await remote(
                    "providers", "add", "oidc.acme", "--issuer", "https://id.acme.example", "--client-id", "broker",
                    "--secret-file", "-", input: "s3cret-of-acme\n")
                let enabled = try await remote("providers", "enable", "oidc.acme")
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

                // The name has no address, of which an administrator of the network learns no more.
                #expect(added.exitCode == 0 && enabled.exitCode == 0, "\(added) \(enabled)")
                #expect(added.output.contains("Added oidc.acme, disabled"), "\(added)")
                #expect(added.output.contains("[address-unusable]"), "\(added)")
                #expect(list.exitCode == 0 && list.output == onHost.output, "\(list)\n\(onHost)")
                #expect(list.output.contains("oidc.acme"))
                #expect(inside.exitCode == 1 && inside.errorCode == "HOST_ONLY", "\(inside)")
                #expect(disabled.exitCode == 0, "\(disabled)")
                #expect(process.log.text.contains(#""removed":"oidc.acme""#))
                #expect(!process.log.text.contains("s3cret"))
            }
        }
    }

    @Test func `add checks first: an issuer that does not resolve is added disabled, with the reason`() async throws {
        try await Installation.run { broker in
            let text = try await broker.command(
                "providers", "add", "oidc.typo", "--issuer", "https://no-such-host.invalid", "--client-id", "broker")
            let json = try await broker.document(
                "providers", "add", "oidc.second", "--issuer", "https://no-such-host.invalid", "--client-id", "other")
            let list = try await broker.document("providers", "list")
            let disabled = try await broker.command(
                "providers", "add", "oidc.off", "--issuer", "https://no-such-host.invalid", "--client-id", "third",
                "--disabled")

            #expect(text.exitCode == 0, "\(text)")
            #expect(text.output.hasPrefix("Added oidc.typo, disabled, because its check found a problem:\n"), "\(text)")
            #expect(text.output.contains("[name-not-found]"), "\(text)")
            #expect(text.output.contains("broker providers enable oidc.typo"), "\(text)")
            #expect(json["provider"]?["enabled"] == false, "\(json)")
            #expect(json["findings"]?.array?.map { $0["code"] } == ["name-not-found"], "\(json)")
            #expect(list["providers"]?.array?.compactMap { $0["enabled"] } == [true, false, false], "\(list)")
            // What is added disabled is not asked.
            #expect(disabled.output.hasPrefix("Added oidc.off, disabled."), "\(disabled)")
        }
    }

    @Test func `a secret that was given for another instance is asked for again`() async throws {
        try await Installation.run { broker in
            let application = broker.github.application(of: "second-client")
            try broker.folder.write(application.clientSecret + "\n", to: "secret")
            _ = try await broker.command(
                "providers", "add", "github.work", "--type", "github", "--client-id", application.clientID,
                "--secret-file", "secret", "--url", broker.github.url, "--option", "apiUrl=\(broker.github.apiURL)",
                "--allow-insecure-loopback")
            let moved = try await broker.command(
                "providers", "update", "github.work", "--url", "http://localhost:1", "--json")
            let sent = try await broker.command(
                "providers", "update", "github.work", "--url", "http://localhost:1", "--secret-file", "secret", "--json"
            )

            #expect(moved.exitCode == 1 && moved.errorCode == "SECRET_REQUIRED", "\(moved)")
            #expect(!moved.everything.contains(application.clientSecret))
            #expect(sent.exitCode == 0, "\(sent)")
        }
    }

    @Test func `the broker does not start with an instance that would make users new ones, until it is told`()
        async throws
    {
        try await Installation.run { broker in
            let ada = try await broker.serve { _, client in try await broker.session(of: "ada", at: client).localID }
            // The same server by another name, which is another instance to the broker.
            let other = broker.github.url.replacing("127.0.0.1", with: "localhost")
            let file = try broker.folder.text(of: "plugins.json")
            try broker.folder.write(
                file.replacing("\"url\":\"\(broker.github.url)\"", with: "\"url\":\"\(other)\""), to: "plugins.json")

            let refused = try await broker.command("serve", "--listen", "127.0.0.1:0")
            let same = try await broker.command("providers", "update", "github.com", "--subjects", "same", "--json")
            let told = try await broker.command("providers", "update", "github.com", "--subjects", "new")
            let later = try await broker.serve { _, client in
                try await client.signIn(accessToken: try broker.accessToken("ada"))
            }

            #expect(refused.exitCode == 78, "\(refused)")
            #expect(refused.errors.contains("broker providers update github.com --subjects new"), "\(refused)")
            #expect(same.exitCode == 1 && same.errorCode == "SUBJECTS_CHANGED", "\(same)")
            #expect(told.exitCode == 0, "\(told)")
            // Her identity is a new one: the earlier user has its address, so that she confirms who she is first.
            #expect(later.status == 200 && later.body["needConfirmation"] == true, "\(later)")
            #expect(later.body["idToken"] == nil && !ada.isEmpty, "\(later)")
        }
    }

    @Test func `an entry comes back for its users on the host with --yes only, and remove says who depends on it`()
        async throws
    {
        try await Installation.run { broker in
            let application = broker.github.application(of: "second-client")
            try broker.folder.write(application.clientSecret + "\n", to: "secret")
            try broker.folder.write(#"{"providers":[]}"#, to: "plugins.json")
            let words = [
                "providers", "add", "github.com", "--client-id", application.clientID, "--secret-file", "secret",
                "--url", broker.github.url, "--option", "apiUrl=\(broker.github.apiURL)", "--allow-insecure-loopback",
            ]
            let added = try await CommandResult.broker(words, in: broker.folder)
            try await broker.serve { _, client in
                let token = broker.github.accessToken(for: try broker.person("ada"), application: application)
                _ = try IdentityToolkitApp.Session(try await client.signIn(accessToken: token))
            }
            let removed = try await broker.command("providers", "remove", "github.com", "--yes")
            let asked = try await CommandResult.broker(words + ["--json"], in: broker.folder)
            let again = try await CommandResult.broker(words + ["--yes"], in: broker.folder)

            #expect(added.exitCode == 0, "\(added)")
            #expect(removed.output == "Removed github.com. 1 user has no other way to sign in.\n", "\(removed)")
            #expect(asked.exitCode == 1 && asked.errorCode == "NOT_CONFIRMED", "\(asked)")
            #expect(asked.errors.contains("--yes"), "\(asked)")
            #expect(again.exitCode == 0, "\(again)")
        }
    }
}

extension GitHubSimulator {
    /// A further client of this broker.
    fileprivate func application(of clientID: String) -> Application {
        var application = defaultApplication
        application.clientID = clientID
        application.clientSecret = randomText(40)
        return register(application)
    }
}
