import BrokerStore
import Generic
import GitHub
import PostgreSQLTesting
import ProviderKit
import Testing

@testable import Broker

@Suite("providers.catalogue, and entries made from it", .oneEngine("the documents"))
struct CatalogueOperationTests {
    private static let plugins: [ProviderPlugin] = [.github, .oidc, .oauth2]
    private static let client: JSONObject = [
        "enabled": false, "options": ["clientId": "client", "clientSecret": "secret-of-the-client"],
    ]

    @Test func `a word finds providers by name, id and display name, and nothing finds nothing`() async throws {
        try await TestBroker.run(plugins: Self.plugins) { broker in
            let all = try await broker.onHost(SearchCatalogue(), plugins: Self.plugins).providers
            let found = try await broker.onHost(SearchCatalogue(word: "DISCO"), plugins: Self.plugins).providers
            let none = try await broker.onHost(SearchCatalogue(word: "no such"), plugins: Self.plugins).providers

            #expect(all.map(\.name) == ProviderCatalogue.embedded.providers.map(\.name))
            #expect(found.map(\.name) == ["discord"] && none.isEmpty)
            let discord = try #require(found.first)
            #expect(discord.redirectUri.hasSuffix("/oauth/callback/oauth2.discord"))
            #expect(discord.entry["use"] == "oauth2" && discord.entry["options"]?["clientId"] == nil)
            #expect(!discord.registration.isEmpty && discord.facts.contains { $0.verified == .documentation })
        }
    }

    @Test func `an entry is made from a name and the client, and what the caller says goes before the document`()
        async throws
    {
        try await TestBroker.run(plugins: Self.plugins) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let added = try await administrator.run(
                "providers.add", ["from": "discord", "entry": .object(Self.client)])
            var other = Self.client.with(id: "oauth2.games")
            other["displayName"] = "Games"
            other["options"] = ["clientId": "another", "clientSecret": "another-secret", "scopes": ["identify"]]
            let second = try await administrator.run("providers.add", ["from": "discord", "entry": .object(other)])

            #expect(added.status == 200 && second.status == 200, "\(added.text)\n\(second.text)")
            #expect(added.text.contains("oauth2.discord") && added.text.contains("developers/applications"))
            #expect(!added.text.contains("secret-of-the-client"))
            let entry = try #require(try await broker.core.providers.listedProvider("oauth2.discord").entry)
            let listed = try #require(ProviderCatalogue.embedded.provider(named: "discord"))
            #expect(entry.displayName == "Discord" && entry.use == "oauth2")
            #expect(entry.options["tokenUrl"] == listed.options["tokenUrl"] && entry.options["clientId"] == "client")
            #expect(entry.button?.background.hex == listed.button.background.lowercased())
            let games = try #require(try await broker.core.providers.listedProvider("oauth2.games").entry)
            #expect(games.displayName == "Games" && games.options["scopes"] == ["identify"])
            #expect(games.options["tokenUrl"] == listed.options["tokenUrl"])
        }
    }

    @Test(
        arguments: [
            (["from": "discrod"], "did you mean discord?"), (["from": "mastodon"], "variables/instance"),
            (["from": "mastodon", "variables": ["instance": "a.example/path"]], "variables/instance"),
            (["from": "mastodon", "variables": ["instance": "a.example", "port": "1"]], "variables/port"),
            (["from": "discord", "variables": ["instance": "a.example"]], "variables/instance"),
            (["variables": ["instance": "a.example"]], "variables needs from"),
            (["from": "discord", "entry": ["use": "oidc"]], "entry/use"),
        ] as [(JSONObject, String)])
    func `what does not fit the document is refused with its place`(body: JSONObject, words: String) async throws {
        try await TestBroker.run(plugins: Self.plugins) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            var body = body
            body["entry"] = .object(Self.client.merging(body["entry"]?.object ?? [:]))

            let refused = try await administrator.run("providers.add", .object(body))

            #expect(refused.status == 400 && refused.text.contains(words), "\(refused.text)")
            #expect(try await broker.core.providers.listProviders().allSatisfy { !$0.isStored })
        }
    }

    @Test func `a variable is filled in, and each value is an entry of its own`() async throws {
        try await TestBroker.run(plugins: Self.plugins) { broker in
            let administrator = try await ConfigurationAdministrator(of: broker)
            let first = try await administrator.run(
                "providers.add",
                ["from": "mastodon", "variables": ["instance": "one.example"], "entry": .object(Self.client)])
            let second = try await administrator.run(
                "providers.add",
                [
                    "from": "mastodon", "variables": ["instance": "two.example"],
                    "entry": .object(Self.client.with(id: "oauth2.two")),
                ])

            #expect(first.status == 200 && second.status == 200, "\(first.text)\n\(second.text)")
            #expect(first.text.contains("https://one.example/settings/applications"))
            for (id, host) in [("oauth2.mastodon", "one.example"), ("oauth2.two", "two.example")] {
                let entry = try #require(try await broker.core.providers.listedProvider(id).entry)
                #expect(entry.options["tokenUrl"]?.string == "https://\(host)/oauth/token")
            }
        }
    }
}
