import Apple
import Broker
import Crypto
import Foundation
import Generic
import GitHub
import GitLab
import JOSE
import OnePass
import ProviderKit
import ProviderKitTesting
import Testing

@Suite("The entries in Docs/Providers.md")
struct ProviderPageTests {
    private static let plugins: [ProviderPlugin] = [.apple, .github, .gitlab, .oidc, .oauth2, .onePass]

    @Test func `every entry is one the broker takes, and every provider that is promised has one`() throws {
        let folder = try TestFolder()
        let entries = try Self.entries()

        for (position, entry) in entries.enumerated() {
            let name = "plugins-\(position).json"
            try folder.write(name, JSONValue.object(["providers": [entry]]).serialized())
            let file = try PluginsFile.load(path: folder.path + "/" + name, plugins: Self.plugins)
            let provider = try Self.provider(try #require(file.entries.first))
            #expect(!provider.clientID.isEmpty && provider.instance.hasPrefix("https://"))
        }

        let names = ["google", "microsoft", "slack", "keycloak", "dex"].map { "oidc." + $0 }
        let ids = Set(entries.compactMap { $0["id"]?.string })
        #expect(ids.isSuperset(of: names + ["discord", "kakao", "naver"].map { "oauth2." + $0 }))
        #expect(ids.isSuperset(of: ["github.com", "github.acme", "gitlab.acme", "apple.com", "1pass.dev"]))
    }

    @Test(arguments: ["sign-in.google", "oidc", "oidc.", "google", "oauth2.google"])
    func `an entry of a kind that is many providers says so in its id`(id: String) throws {
        let folder = try TestFolder()
        let entry: JSONValue = [
            "id": .string(id), "use": "oidc",
            "options": ["issuer": "https://id.example", "clientId": "c"],
        ]
        try folder.write("plugins.json", JSONValue.object(["providers": [entry]]).serialized())

        let error = #expect(throws: ConfigurationError.self) {
            try PluginsFile.load(path: folder.path + "/plugins.json", plugins: Self.plugins)
        }
        #expect("\(String(describing: error))".contains("oidc.<name>"))
    }

    /// What stands in the page's JSON blocks, each secret replaced by one that is at hand.
    private static func entries() throws -> [JSONValue] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Providers.md")
        let blocks = try String(contentsOf: page, encoding: .utf8)
            .matches(of: /```json\n(.*?)```/.dotMatchesNewlines()).map { String($0.1) }
        return try blocks.flatMap { block in
            let value = withSecrets(try JSONValue(parsing: block), named: "")
            return value["providers"]?.array ?? (value["use"] == nil ? [] : [value])
        }
    }

    private static func provider(_ entry: ProviderEntry) throws -> any IdentityProvider {
        let plugin = try #require(plugins.first { $0.kind == entry.use })
        let upstream = ScriptedUpstream([ScriptedEndpoint]())
        return try plugin.provider(
            options: entry.options, decoder: JSONValueDecoder(unknownNames: .refused), path: "/options",
            in: ProviderContext(
                id: entry.id, upstream: upstream,
                tokens: StandaloneTokens(upstream: upstream, now: { Date.distantPast }),
                now: { Date.distantPast }))
    }

    private static func withSecrets(_ value: JSONValue, named name: String) -> JSONValue {
        if let elements = value.array { return .array(elements.map { withSecrets($0, named: name) }) }
        guard let members = value.object else { return value }
        if members.count == 1, members["file"] != nil || members["env"] != nil {
            let isKey = name == "pem" || name == "privateKey"
            return .string(isKey ? P256.Signing.PrivateKey().pemRepresentation : "a secret that is at hand")
        }
        return .object(JSONObject(members.map { ($0.name, withSecrets($0.value, named: $0.name)) }))
    }
}
