import Apple
import BrokerStore
import Crypto
import Generic
import GitHub
import GitLab
import NIOHTTP1
import OnePass
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("who decides whose proof counts")
struct ProviderTrustTests {
    private static let origin = Origin(.admin, actor: "test")
    private static let plugins: [ProviderPlugin] =
        [.github, .gitlab, .apple, .onePass, .oidc, .oauth2, ProviderPlugin(SilentProvider.self)]
        + MappedProvider.plugins.dropFirst()

    private static let acme: JSONObject = [
        "id": "oidc.acme", "use": "oidc",
        "options": ["issuer": "https://id.acme.example", "clientId": "broker", "clientSecret": "s3cret"],
    ]

    /// A broker with a stored entry, and two administrators: one who may write the configuration, and one who may trust
    /// providers as well.
    private static func run(
        _ entry: JSONObject = Self.acme,
        _ test: (TestBroker, _ writer: ConfigurationAdministrator, _ trusted: ConfigurationAdministrator) async throws
            ->
            Void
    ) async throws {
        try await TestBroker.run(plugins: plugins) { broker in
            _ = try await broker.core.providers.addProvider(entry, by: .host, origin: origin)
            let writer = try await ConfigurationAdministrator(of: broker, scopes: [.writeConfiguration])
            try await test(broker, writer, try await ConfigurationAdministrator(of: broker))
        }
    }

    @Test(
        arguments: [
            ["displayName": "Acme"], ["displayName": nil], ["enabled": false],
            ["options": ["scopes": ["openid", "email"]]],
        ] as [JSONValue])
    func `the name, the state and the scopes need no trust`(changes: JSONValue) async throws {
        try await Self.run { _, writer, _ in
            let answer = try await writer.run("providers.update", ["id": "oidc.acme", "changes": changes])
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test(
        arguments: [
            ["trustEmail": true], ["autoMerge": true], ["allowedScopes": ["groups"]],
            ["allowedParameters": ["audience"]],
            ["appRedirects": [["redirectUri": "com.example.app:/acme"]]],
            ["options": ["clientSecret": "another"]], ["options": ["audiences": ["app"]]],
            ["options": ["clientId": "other", "clientSecret": "another"]],
            ["options": ["issuer": "https://evil.example", "clientSecret": "another"]],
            ["options": ["algorithms": ["ES256"]]], ["options": ["requiredClaims": ["hd": "acme.example"]]],
            ["options": ["claims": ["email": "/mail"]]], ["displayName": "Acme", "trustEmail": true],
        ] as [JSONValue])
    func `every other change needs the scope, which admin implies`(changes: JSONValue) async throws {
        try await Self.run { broker, writer, trusted in
            let parameters: JSONValue = ["id": "oidc.acme", "changes": changes]
            let before = try await broker.core.store.read { try $0.providerEntries() }
            let refused = try await writer.run("providers.update", parameters)
            let after = try await broker.core.store.read { try $0.providerEntries() }
            let allowed = try await trusted.run("providers.update", parameters)
            let admin = try await ConfigurationAdministrator(of: broker, scopes: [.admin])
            let removed = try await admin.run("providers.update", ["id": "oidc.acme", "changes": ["trustEmail": nil]])

            #expect(refused.status == 403 && refused.message?.contains("providers:trust") == true, "\(refused.text)")
            #expect(before == after)
            #expect(allowed.status == 200 && removed.status == 200, "\(allowed.text) \(removed.text)")
        }
    }

    @Test func `an entry is added and removed with the scope only, and so one comes back`() async throws {
        try await Self.run { _, writer, trusted in
            var other = Self.acme
            other["id"] = "oidc.other"
            other["options"] = ["issuer": "https://id.other.example", "clientId": "broker"]
            other["enabled"] = false
            let add: JSONValue = ["entry": .object(other)]
            let remove: JSONValue = ["id": "oidc.other"]
            var refused = [try await writer.run("providers.add", add)]
            let added = try await trusted.run("providers.add", add)
            refused.append(try await writer.run("providers.remove", remove))
            let removed = try await trusted.run("providers.remove", remove)
            refused.append(try await writer.run("providers.add", add))
            let again = try await trusted.run("providers.add", add)

            #expect(refused.map(\.status) == [403, 403, 403])
            #expect([added, removed, again].map(\.status) == [200, 200, 200], "\(added.text)")
        }
    }

    @Test func `Identity Toolkit's API asks for the same scope and the same secrets`() async throws {
        try await Self.run { _, writer, trusted in
            let path = "oauthIdpConfigs/oidc.acme"
            let create = "oauthIdpConfigs?oauthIdpConfigId=oidc.new"
            let body: JSONValue = ["issuer": "https://id.new.example", "clientId": "a", "enabled": true]
            let moved: JSONValue = ["issuer": "https://evil.example"]
            let movedWithSecret: JSONValue = ["issuer": "https://evil.example", "clientSecret": "s3cret"]
            let refused = [
                try await writer.send(.POST, create, body), try await writer.send(.DELETE, path),
                try await writer.send(.PATCH, path, movedWithSecret),
                try await writer.send(.PATCH, path, ["clientSecret": "another"]),
            ]
            let renamed = try await writer.send(.PATCH, path, ["displayName": "Acme", "enabled": false])
            let kept = try await trusted.send(.PATCH, path, moved)
            let masked = try await trusted.send(.PATCH, path + "?updateMask=issuer", movedWithSecret)
            let client = try await trusted.send(.PATCH, path, ["clientId": "other"])
            let sent = try await trusted.send(.PATCH, path, movedWithSecret)

            #expect(refused.map(\.status) == [403, 403, 403, 403])
            #expect(renamed.status == 200, "\(renamed.text)")
            #expect(
                [kept.code, masked.code, client.code] == ["SECRET_REQUIRED", "SECRET_REQUIRED", "SECRET_REQUIRED"])
            #expect(kept.message?.contains("clientSecret") == true, "\(kept.text)")
            #expect(sent.status == 200 && sent["issuer"] == "https://evil.example", "\(sent.text)")
        }
    }

    /// An entry, the options that move its secrets to another party, and the secrets.
    struct Binding: Sendable, CustomTestStringConvertible {
        let use: String
        let options: JSONObject
        let moves: [JSONObject]
        let secrets: JSONObject

        var testDescription: String { use }
    }

    private static let bindings: [Binding] = [
        Binding(
            use: "github", options: ["clientId": "a"],
            moves: [["url": "https://evil.example"], ["apiUrl": "https://evil.example"], ["clientId": "b"]],
            secrets: ["clientSecret": "s"]),
        Binding(
            use: "gitlab", options: ["clientId": "a"], moves: [["url": "https://evil.example"], ["clientId": "b"]],
            secrets: ["clientSecret": "s"]),
        Binding(
            use: "1pass", options: ["clientId": "a"],
            moves: [["url": "https://evil.example"], ["issuer": "https://other.example"], ["clientId": "b"]],
            secrets: ["clientSecret": "s", "webhookKeys": ["k": "0123456789abcdef0123456789abcdef"]]),
        Binding(
            use: "apple", options: ["teamId": "ABCDE12345", "keyId": "KEYID12345", "servicesId": "web"],
            moves: [["url": "https://evil.example"], ["servicesId": "other"], ["teamId": "ZBCDE12345"]],
            secrets: ["privateKey": .string(P256.Signing.PrivateKey().pemRepresentation)]),
        Binding(
            use: "oidc", options: ["issuer": "https://id.example", "clientId": "a"],
            moves: [["issuer": "https://evil.example"], ["clientId": "b"]],
            secrets: ["privateKey": ["pem": .string(P256.Signing.PrivateKey().pemRepresentation)]]),
        Binding(
            use: "oauth2",
            options: [
                "authorizationUrl": "https://id.example/a", "tokenUrl": "https://id.example/t",
                "userinfoUrl": "https://id.example/u", "clientId": "a", "claims": ["subject": "/id"],
            ],
            moves: [
                ["tokenUrl": "https://evil.example/t"], ["userinfoUrl": "https://evil.example/u"],
                ["revocationUrl": "https://evil.example/r"], ["url": "https://other.example"], ["clientId": "b"],
            ], secrets: ["clientSecret": "s"]),
        Binding(
            use: "mapped", options: ["url": "https://id.example", "subject": "id"],
            moves: [["url": "https://evil.example"], ["apiUrl": "https://other.example"], ["clientId": "b"]],
            secrets: ["clientSecret": "s", "key": ["pem": "p"]]),
        // It declares nothing, so every option may be an endpoint.
        Binding(
            use: "silent", options: ["host": "id.example"], moves: [["host": "evil.example"]],
            secrets: ["clientSecret": "s"]),
    ]

    @Test(arguments: bindings)
    func `a secret stays with its issuer, endpoints and client, whatever the plugin`(binding: Binding) async throws {
        let id = binding.use == "oidc" || binding.use == "oauth2" ? "\(binding.use).x" : "\(binding.use)-x"
        let entry: JSONObject = [
            "id": .string(id), "use": .string(binding.use),
            "options": .object(binding.options.merging(binding.secrets)),
        ]
        try await Self.run(entry) { broker, _, trusted in
            for move in binding.moves {
                var sending = move
                for (name, value) in binding.secrets { sending[name] = value }
                var partly = sending
                if let last = binding.secrets.names.last, binding.secrets.count > 1 {
                    partly[last] = nil
                } else {
                    partly = move
                }
                let before = try await broker.core.store.read { try $0.providerEntries() }
                for change in [move, partly] {
                    let kept = try await trusted.run(
                        "providers.update", ["id": .string(id), "changes": ["options": .object(change)]])
                    #expect(kept.code == "SECRET_REQUIRED", "\(change) \(kept.text)")
                    await #expect(throws: BrokerError.self) {
                        try await broker.core.providers.updateProvider(
                            id, ["options": .object(change)], by: .host, origin: Self.origin)
                    }
                }
                #expect(try await broker.core.store.read { try $0.providerEntries() } == before)
                let sent = try await trusted.run(
                    "providers.update", ["id": .string(id), "changes": ["options": .object(sending)]])
                #expect(sent.status == 200, "\(move) \(sent.text)")
            }
            let harmless = try await trusted.run(
                "providers.update", ["id": .string(id), "changes": ["trustEmail": true]])
            #expect(harmless.status == 200, "\(harmless.text)")
        }
    }

    @Test func `a refused change sends the secret nowhere, and sign-ins go on at the old place`() async throws {
        let evil = try await GitHubSimulator.start()
        try await TestBroker.run { broker in
            let providers = broker.core.providers
            let entry = try #require(TestBroker.gitHub(broker.simulator, id: "github.work").object)
            _ = try await providers.addProvider(entry, by: .host, origin: Self.origin)
            let move: JSONObject = ["options": ["url": .string(evil.url), "apiUrl": .string(evil.apiURL)]]
            let refusal = await #expect(throws: BrokerError.self) {
                try await providers.updateProvider("github.work", move, by: .host, origin: Self.origin)
            }
            let signedIn = try await broker.signIn(broker.person("ada"), provider: "github.work")

            #expect(refusal?.message.hasPrefix("SECRET_REQUIRED") == true)
            #expect(signedIn.status == 200, "\(signedIn.text)")
            #expect(GitHubSimulator.Endpoint.allCases.allSatisfy { evil.hits($0) == 0 })
        }
        await evil.stop()
    }

    @Test func `an entry that trusts addresses needs the scope under the policy firebase too, and is audited`()
        async throws
    {
        try await TestBroker.run({ $0.policy = .firebase }, plugins: [.github, .oidc]) { broker in
            var entry = Self.acme
            entry["trustEmail"] = true
            entry["enabled"] = false
            let add: JSONValue = ["entry": .object(entry)]
            let writer = try await ConfigurationAdministrator(of: broker, scopes: [.writeConfiguration, .writeUsers])
            let refused = try await writer.run("providers.add", add)
            let trusted = try await ConfigurationAdministrator(of: broker, scopes: [.trustProviders])
            let added = try await trusted.run("providers.add", add)
            let entries = try await broker.auditOfProvider("oidc.acme")

            #expect(refused.status == 403 && added.status == 200, "\(refused.text) \(added.text)")
            #expect(entries.map(\.event) == ["provider.added"])
            #expect(entries.first?.detail.text.contains(#""trustEmail":true"#) == true, "\(entries)")
            #expect(entries.first?.actor?.hasPrefix("credential:") == true)
            #expect(entries.first?.detail.text.contains("s3cret") == false)
        }
    }
}
