import Foundation
import ProviderKit
import Subprocess
import Testing

/// An editor's findings for `plugins.json` and `broker.json`, by a third party's JSON Schema validator.
@Suite("plugins.schema.json and broker.schema.json", .timeLimit(.minutes(20)))
struct PluginsSchemaTests {
    /// Reads the paths of the schema and of a file with documents, one a line; says yes or no to each.
    private static let validate = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for line in open(sys.argv[2]):
            errors = sorted(validator.iter_errors(json.loads(line)), key=lambda error: list(error.path))
            print("no " + errors[0].message.replace("\\n", " ")[:200] if errors else "yes")
        """

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    @Test func `it accepts the example and every entry of the page about providers`() async throws {
        let example = try String(contentsOf: Self.root.appending(path: "plugins.json"), encoding: .utf8)
        let page = try String(contentsOf: Self.root.appending(path: "Docs/Providers.md"), encoding: .utf8)
        let entries = try page.matches(of: /```json\n(.*?)```/.dotMatchesNewlines())
            .map { try JSONValue(parsing: String($0.1)) }
            .filter { $0["use"] != nil }
        let documents = [try JSONValue(parsing: example)] + entries.map { ["providers": [$0]] }

        let results = try await Self.results(on: documents)

        #expect(documents.count > 10 && results == documents.map { _ in "yes" }, "\(results)")
    }

    @Test func `it refuses what the broker refuses`() async throws {
        let documents =
            try Self.entryMistakes.map { try JSONValue(parsing: $0) } + Self.optionMistakes.map(Self.document)

        let results = try await Self.results(on: documents)

        #expect(results.count == documents.count)
        for (document, result) in zip(documents, results) {
            #expect(result.hasPrefix("no "), "\(document.serialized())")
        }
    }

    private static let entryMistakes: [String] = [
        #"{"providers":[{"id":"oidc.x"}]}"#, #"{"providers":[{"use":"acme","trustMail":true}]}"#,
        #"{"providers":[{"id":"git hub","use":"acme"}]}"#, #"{"providers":{}}"#, #"{"provider":[]}"#,
        #"{"providers":[{"use":"github"}]}"#, #"{"providers":[{"use":"acme","privateNetworks":["10.0.0.0/8"]}]}"#,
        #"{"providers":[{"use":"acme","privateNetworks":[{"range":"10.0.0.0/8","ports":[]}]}]}"#,
        #"{"providers":[{"use":"oidc","options":{"issuer":"https://id.example","clientId":"c"}}]}"#,
        #"{"providers":[{"id":"google","use":"oidc","options":{"issuer":"https://id.example","clientId":"c"}}]}"#,
        #"{"providers":[{"id":"amazon.com","use":"oidc","options":{"issuer":"https://id.example","clientId":"c"}}]}"#,
        #"{"providers":[{"use":"acme","displayName":" x"}]}"#, #"{"providers":[{"use":"acme","displayName":""}]}"#,
        #"{"providers":[{"use":"acme","allowedScopes":["a b"]}]}"#,
        #"{"providers":[{"use":"acme","allowedScopes":"a"}]}"#,
        #"{"providers":[{"use":"acme","allowedParameters":["Client_ID"]}]}"#,
        #"{"providers":[{"use":"acme","allowedParameters":[""]}]}"#,
        #"{"providers":[{"id":"google","use":"oidc","enabled":false}]}"#,
        #"{"providers":[{"use":"oidc","enabled":false}]}"#,
        #"{"providers":[{"use":"github","enabled":false,"option":{}}]}"#,
        #"{"providers":[{"id":"email","use":"github","options":{"clientId":"c","clientSecret":"s"}}]}"#,
        #"{"providers":[{"use":"github","enabled":true}]}"#,
    ]

    /// Entries that are off and not filled in, and an id that is the operator's choice.
    private static let takenEntries: [String] = [
        #"{"use":"github","enabled":false}"#, #"{"use":"gitlab","enabled":false,"options":{}}"#,
        #"{"use":"apple","enabled":false,"options":{"teamId":"","later":true}}"#,
        #"{"id":"oidc.x","use":"oidc","enabled":false,"options":{"clientSecret":{"env":"NOT_SET_HERE"}}}"#,
        #"{"id":"oauth2.x","use":"oauth2","enabled":false}"#,
        #"{"id":"acme","use":"1pass","options":{"clientId":"c"}}"#,
    ]

    @Test func `it accepts and refuses disabled entries and ids as the broker does`() async throws {
        try await Installation.run { broker in
            let taken: JSONValue = ["providers": .array(try Self.takenEntries.map { try JSONValue(parsing: $0) })]
            let refused = try Self.entryMistakes.suffix(5).map { try JSONValue(parsing: $0) }
            for (document, isTaken) in [(taken, true)] + refused.map({ ($0, false) }) {
                try broker.folder.write(document.serialized(), to: "plugins.json")
                let listed = try await broker.command("providers", "list", "--json")

                #expect(listed.exitCode == (isTaken ? 0 : 78), "\(document.serialized()): \(listed)")
                #expect(try await Self.results(on: [document]).first?.hasPrefix("yes") == isTaken)
            }
        }
    }

    /// The members of one option, wrong in themselves, by the plugin they are for.
    private static let optionMistakes: [(use: String, change: String)] = [
        ("github", #"{"clientSecret":{"envv":"X"}}"#), ("github", #"{"clientID":"a"}"#),
        ("gitlab", #"{"clientSecret":""}"#), ("gitlab", #"{"apiUrl":"https://x.example"}"#),
        ("apple", #"{"teamId":"abc"}"#), ("apple", #"{"clientIds":"com.example"}"#),
        ("1pass", #"{"allowAnonymous":"yes"}"#), ("1pass", #"{"redirectUris":[5]}"#),
        ("oidc", #"{"clientId":""}"#), ("oidc", #"{"issuer":"id.example"}"#), ("oidc", #"{"algorithms":["none"]}"#),
        ("oidc", #"{"algorithms":[]}"#), ("oidc", #"{"scopes":["email"]}"#),
        ("oidc", #"{"tokenEndpointAuthMethod":"basic"}"#), ("oidc", #"{"claims":{"subject":"/email"}}"#),
        ("oidc", #"{"claims":{"email":"email"}}"#), ("oidc", #"{"claims":{"mail":"/mail"}}"#),
        ("oidc", #"{"nativeNonce":"md5"}"#), ("oidc", #"{"maximumAge":0}"#),
        ("oidc", #"{"authorizationParameters":{"state":"x"}}"#), ("oidc", #"{"requiredClaims":{"hd":null}}"#),
        ("oidc", #"{"authorizationParameters":{"Response_Type":"x"}}"#), ("oidc", #"{"textBooleans":"true"}"#),
        ("oauth2", #"{"claims":{"subject":["/1","/2","/3","/4","/5","/6","/7","/8","/9"]}}"#),
        ("oauth2", #"{"claims":{"subject":"/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a"}}"#),
        ("oidc", #"{"privateKey":{"keyId":"k"}}"#), ("oauth2", #"{"claims":{}}"#),
        ("oauth2", #"{"claims":{"subject":"id"}}"#), ("oauth2", #"{"claims":{"subject":[]}}"#),
        ("oauth2", #"{"tokenUrl":"token"}"#), ("oauth2", #"{"userinfoHeaders":{"Authorization":"x"}}"#),
        ("oauth2", #"{"pkce":"no"}"#), ("oauth2", #"{"userinfo":true}"#),
    ]

    private static let soundOptions: [String: JSONObject] = [
        "github": ["clientId": "c", "clientSecret": "s"], "gitlab": ["clientId": "c"], "1pass": ["clientId": "c"],
        "apple": ["teamId": "ABCDE12345", "keyId": "ABCDE12345", "privateKey": "p", "servicesId": "s"],
        "oidc": ["issuer": "https://id.example", "clientId": "c"],
        "oauth2": [
            "authorizationUrl": "https://id.example/a", "tokenUrl": "https://id.example/t",
            "userinfoUrl": "https://id.example/u", "clientId": "c", "claims": ["subject": "/id"],
        ],
    ]

    @Test func `it accepts the options before those mistakes`() async throws {
        let results = try await Self.results(on: try Self.soundOptions.keys.map { try Self.document($0, "{}") })
        #expect(results == Self.soundOptions.map { _ in "yes" })
    }

    @Test func `it accepts the ids of Firebase's SDKs, a name and an allowance`() async throws {
        let ids = ["google.com", "microsoft.com", "yahoo.com", "facebook.com", "twitter.com"]
        let documents: [JSONValue] = try ["oidc", "oauth2"].flatMap { use in
            try ids.map { id in
                [
                    "providers": [
                        [
                            "id": .string(id), "use": .string(use), "displayName": "A name 이름",
                            "allowedScopes": ["https://www.googleapis.com/auth/calendar"],
                            "allowedParameters": ["access_type"],
                            "options": .object(try #require(Self.soundOptions[use])),
                        ]
                    ]
                ]
            }
        }
        #expect(try await Self.results(on: documents) == documents.map { _ in "yes" })
    }

    private static func document(_ use: String, _ change: String) throws -> JSONValue {
        var options = soundOptions[use] ?? [:]
        for (name, value) in try #require(try JSONValue(parsing: change).object) { options[name] = value }
        return ["providers": [["id": .string(use + ".x"), "use": .string(use), "options": .object(options)]]]
    }

    @Test func `that of broker.json accepts what the broker takes and refuses what it refuses`() async throws {
        try await Installation.run { broker in
            let sound = try broker.folder.text(of: "broker.json")
            var documents = [try JSONValue(parsing: sound)]
            // Those that the reading of one key finds; the others concern several keys, or what no schema can say.
            let found: Set<String> = [
                "misspelt name", "misspelt name deeper down", "misspelt name in a list", "unknown name", "missing name",
                "wrong type", "null", "unknown preset", "unknown kind of refresh tokens", "no sessions at all",
                "records that go too early", "limit of no use", "master key from nowhere",
            ]
            for mistake in ConfigurationFileTests.brokerFile where found.contains(mistake.testDescription) {
                let wrong = sound.replacing(mistake.text, with: mistake.replacement, maxReplacements: 1)
                documents.append(try JSONValue(parsing: wrong))
            }

            let results = try await Self.results(on: documents, of: "broker.schema.json")

            #expect(results.count == found.count + 1)
            for (index, result) in results.enumerated() {
                #expect(result.hasPrefix(index == 0 ? "yes" : "no "), "\(documents[index].serialized()): \(result)")
            }
        }
    }

    private static func results(
        on documents: [JSONValue], of schema: String = "plugins.schema.json"
    ) async throws -> [String] {
        let schema = root.appending(path: schema).standardizedFileURL.path
        let lines = documents.map { $0.serialized() + "\n" }.joined()
        let folder = try TestFolder()
        try Data(lines.utf8).write(to: URL(filePath: folder.file("documents")))
        let result = try await Subprocess.run(
            .name("env"), arguments: [try TestPython.path(), "-c", validate, schema, folder.file("documents")],
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 16))
        let output = result.standardOutput
        #expect(result.terminationStatus.exitCode == 0, "\(result.standardError)")
        return output.split(separator: "\n").map(String.init)
    }
}
