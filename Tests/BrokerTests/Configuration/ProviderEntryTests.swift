import BrokerStore
import Generic
import GitHub
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("entries of plugins.json")
struct ProviderEntryTests {
    private static func gitHub(_ simulator: GitHubSimulator, _ id: String, _ changes: JSONObject) -> JSONValue {
        var entry = TestBroker.gitHub(simulator, id: id).object ?? JSONObject()
        for (name, value) in changes { entry[name] = value }
        return .object(entry)
    }

    private static func refusal(_ entries: @escaping (GitHubSimulator) -> JSONValue) async -> String? {
        do {
            try await TestBroker.run(plugins: [.github, .oidc, .oauth2], entries: entries) { _ in }
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        (#"{"displayName":""}"#, "/providers/0/displayName"), (#"{"displayName":" x"}"#, "/providers/0/displayName"),
        (#"{"displayName":"a\u202Eb"}"#, "/providers/0/displayName"),
        (#"{"displayName":"a\u0007"}"#, "/providers/0/displayName"),
        (#"{"displayName":5}"#, "/providers/0/displayName"),
        (##"{"button":{"background":"#123456"}}"##, "/providers/0/button/foreground"),
        (##"{"button":{"background":"blue","foreground":"#ffffff"}}"##, "/providers/0/button/background"),
        (##"{"button":{"background":"#5865f2","foreground":"#fff"}}"##, "/providers/0/button/foreground"),
        (##"{"button":{"background":"#1da1f2","foreground":"#ffffff"}}"##, "contrast of at least 4.5"),
        (#"{"displayName":"\#(String(repeating: "x", count: 65))"}"#, "/providers/0/displayName"),
        (#"{"allowedScopes":["a","b c"]}"#, "/providers/0/allowedScopes/1"),
        (#"{"allowedScopes":[""]}"#, "/providers/0/allowedScopes/0"),
        (#"{"allowedParameters":["hl","Client_ID"]}"#, "/providers/0/allowedParameters/1"),
        (#"{"allowedParameters":["a b"]}"#, "/providers/0/allowedParameters/0"),
        (#"{"allowedParameters":"hl"}"#, "/providers/0/allowedParameters"),
        (#"{"allowedScope":["a"]}"#, "allowedScopes"),
        (#"{"appRedirects":[{"redirectUri":"/there"}]}"#, "/providers/0/appRedirects/0/redirectUri"),
        (#"{"appRedirects":[{"redirectUri":"a.b:/c#d"}]}"#, "/providers/0/appRedirects/0/redirectUri"),
        (#"{"appRedirects":[{"redirectUri":"a.b:/c?d"}]}"#, "/providers/0/appRedirects/0/redirectUri"),
        (#"{"appRedirects":[{"redirectUri":"http://app.example/c"}]}"#, "/providers/0/appRedirects/0/redirectUri"),
        (
            #"{"appRedirects":[{"redirectUri":"a.b:/c"},{"redirectUri":"a.b:/c"}]}"#,
            "/providers/0/appRedirects/1/redirectUri"
        ),
        (#"{"appRedirects":[{"redirectUri":"a.b:/c","clientId":""}]}"#, "/providers/0/appRedirects/0/clientId"),
        (#"{"appRedirects":[{"redirectUri":"a.b:/c","clientId":"x"}]}"#, "/providers/0/appRedirects/0/clientId"),
    ])
    func `a mistake is refused with its place`(changes: String, fragment: String) async throws {
        let changes = try #require(try JSONValue(parsing: changes).object)
        let refusal = await Self.refusal { [Self.gitHub($0, "github.com", changes)] }
        #expect(refusal?.contains(fragment) == true, "\(refusal ?? "none")")
    }

    @Test(arguments: [(true, true, nil), (true, false, "options/trustUnverifiedEmails"), (false, false, nil)])
    func `unverified addresses count for an entry that trusts the provider`(
        isSet: Bool, trustsEmail: Bool, fragment: String?
    ) async throws {
        let refusal = await Self.refusal { simulator in
            [Self.gitHub(simulator, "github.com", Self.trusting(simulator, isSet, trustEmail: trustsEmail))]
        }
        #expect(
            (refusal == nil) == (fragment == nil) && refusal?.contains(fragment ?? "") ?? true, "\(refusal ?? "none")")
    }

    @Test func `unverified addresses never count on the public service`() async throws {
        let refusal = await Self.refusal { _ in
            [
                [
                    "id": "github.com", "use": "github", "trustEmail": true,
                    "options": ["clientId": "a", "clientSecret": "s", "trustUnverifiedEmails": true],
                ]
            ]
        }
        #expect(refusal?.contains("one organisation") == true, "\(refusal ?? "none")")
    }

    @Test func `unverified addresses count in the host's file only`() async throws {
        try await TestBroker.run { broker in
            let entry = Self.gitHub(
                broker.simulator, "github.work", Self.trusting(broker.simulator, true, trustEmail: true))
            let error = await #expect(throws: (any Error).self) {
                _ = try await broker.core.providers.addProvider(
                    try #require(entry.object), by: .host, origin: Origin(.admin, actor: "test"))
            }
            #expect("\(String(describing: error))".contains("plugins.json only"))
        }
    }

    private static func trusting(_ simulator: GitHubSimulator, _ isSet: Bool, trustEmail: Bool) -> JSONObject {
        var options = TestBroker.gitHub(simulator)["options"]?.object ?? [:]
        options["trustUnverifiedEmails"] = .bool(isSet)
        return ["trustEmail": .bool(trustEmail), "options": .object(options)]
    }

    @Test func `two entries are never one client of one provider`() async throws {
        let both = await Self.refusal { simulator in
            [
                TestBroker.gitHub(simulator),
                TestBroker.gitHub(simulator, id: "github.work", application: simulator.defaultApplication),
            ]
        }
        let oneIsOff = await Self.refusal { simulator in
            var twin =
                TestBroker.gitHub(
                    simulator, id: "github.work", application: simulator.defaultApplication
                ).object ?? JSONObject()
            twin["enabled"] = false
            return [TestBroker.gitHub(simulator), .object(twin)]
        }

        #expect(both?.contains("/providers/1/options/clientId") == true, "\(both ?? "none")")
        #expect(both?.contains("github.com") == true && oneIsOff == nil)
    }

    @Test(arguments: [
        ("https://id.example/11111111-aaaa-4bbb-8ccc-222222222222/v2.0", true), ("https://id.example/x/v1.0", false),
        ("https://other.example/11111111-aaaa-4bbb-8ccc-222222222222/v2.0", false),
    ])
    func `an entry of all tenants and one of a single tenant are never one client`(
        issuer: String, isRefused: Bool
    ) async throws {
        func entry(_ id: String, _ issuer: String) -> JSONValue {
            ["id": .string(id), "use": "oidc", "options": ["issuer": .string(issuer), "clientId": "app"]]
        }
        for isReversed in [false, true] {
            let entries = [entry("oidc.all", "https://id.example/{tid}/v2.0"), entry("oidc.one", issuer)]
            let refusal = await Self.refusal { _ in .array(isReversed ? entries.reversed() : entries) }

            #expect((refusal?.contains("/providers/1/options/clientId") == true) == isRefused, "\(refusal ?? "none")")
        }
    }

    @Test func `a redirect URI of an app belongs to one entry, and never to the broker or to a provider that posts`()
        async throws
    {
        let shared: JSONObject = ["appRedirects": [["redirectUri": "com.example.app:/callback"]]]
        let both = await Self.refusal { simulator in
            [
                Self.gitHub(simulator, "github.com", shared),
                Self.gitHub(simulator, "github.work", shared),
            ]
        }
        let own = await Self.refusal {
            [
                Self.gitHub(
                    $0, "github.com",
                    ["appRedirects": [["redirectUri": "http://127.0.0.1:9099/oauth/callback/github.com"]]])
            ]
        }

        #expect(both?.contains("/providers/1/appRedirects/0/redirectUri") == true, "\(both ?? "none")")
        #expect(own?.contains("/providers/0/appRedirects/0/redirectUri") == true, "\(own ?? "none")")
    }

    @Test func `users see the plugin's own name, the entry's name where it has one, and never one name twice`()
        async throws
    {
        func generic(_ id: String, _ kind: String, _ changes: JSONObject = [:]) -> JSONValue {
            let address = "https://line.example"
            let oauth2: JSONObject = [
                "authorizationUrl": .string(address + "/a"), "tokenUrl": .string(address + "/t"),
                "userinfoUrl": .string(address + "/u"), "clientId": .string(id), "claims": ["subject": "/id"],
            ]
            let oidc: JSONObject = ["issuer": .string(address), "clientId": .string(id)]
            var entry: JSONObject = [
                "id": .string(id), "use": .string(kind), "options": .object(kind == "oidc" ? oidc : oauth2),
            ]
            for (name, value) in changes { entry[name] = value }
            return .object(entry)
        }
        try await TestBroker.run(
            { $0.publicURL = TestBrowser.publicURL }, plugins: [.github, .oidc, .oauth2],
            entries: { simulator in
                [
                    TestBroker.gitHub(simulator), TestBroker.gitHub(simulator, id: "github.work"),
                    generic("oidc.line", "oidc"), generic("oauth2.line", "oauth2"), generic("google.com", "oidc"),
                    generic("oidc.intranet", "oidc", ["displayName": "Example Intranet"]),
                ]
            }
        ) { broker in
            let names = broker.core.providers.current.providers.map(\.displayName)
            let chooser = try await TestBrowser(broker).visit("/sign-in").html

            #expect(
                names == [
                    "GitHub", "GitHub (work)", "line (oidc.line)", "line (oauth2.line)", "Google", "Example Intranet",
                ])
            for name in names { #expect(chooser.contains("Continue with \(name)"), "\(name)") }
        }
    }

    @Test func `a new name or allowance counts without a restart`() async throws {
        try await TestBroker.run { broker in
            let entry = Self.gitHub(
                broker.simulator, "github.com", ["displayName": "Work", "allowedScopes": ["gist"]])
            try broker.folder.write("plugins.json", JSONValue.object(["providers": [entry]]).serialized())
            let before = try await AppSignIn.start(broker, "github.com", extra: ["oauthScope": "gist"])
            _ = broker.core.providers.configured.reload()
            _ = broker.core.providers.configured.reload()
            let after = try await AppSignIn.start(broker, "github.com", extra: ["oauthScope": "gist"])

            #expect(before.code == "OPERATION_NOT_ALLOWED" && after.status == 200, "\(after.text)")
            #expect(broker.core.providers.current.displayName(of: "github.com") == "Work")
        }
    }
}
