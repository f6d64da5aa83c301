import Foundation
import ProviderKit
import Subprocess
import Testing

/// What an editor says about `plugins.json`, by a validator of JSON Schema nobody here wrote.
@Suite("plugins.schema.json", .timeLimit(.minutes(3)))
struct PluginsSchemaTests {
    /// Reads the schema's path as an argument and documents from standard input, one a line; says yes or no to each.
    private static let validate = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for line in sys.stdin:
            errors = sorted(validator.iter_errors(json.loads(line)), key=lambda error: list(error.path))
            print("no " + errors[0].message.replace("\n", " ")[:200] if errors else "yes")
        """

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    @Test func `it takes the example and every entry of the page about providers`() async throws {
        let example = try String(contentsOf: Self.root.appending(path: "plugins.json"), encoding: .utf8)
        let page = try String(contentsOf: Self.root.appending(path: "Docs/Providers.md"), encoding: .utf8)
        let entries = try page.matches(of: /```json\n(.*?)```/.dotMatchesNewlines())
            .map { try JSONValue(parsing: String($0.1)) }
            .filter { $0["use"] != nil }
        let documents = [try JSONValue(parsing: example)] + entries.map { ["providers": [$0]] }

        let verdicts = try await Self.verdicts(on: documents)

        #expect(documents.count > 10 && verdicts == documents.map { _ in "yes" }, "\(verdicts)")
    }

    @Test func `it refuses what the broker refuses`() async throws {
        let verdicts = try await Self.verdicts(on: try Self.mistakes.map { try JSONValue(parsing: $0) })

        for (mistake, verdict) in zip(Self.mistakes, verdicts) { #expect(verdict.hasPrefix("no "), "\(mistake)") }
        #expect(verdicts.count == Self.mistakes.count)
    }

    private static let mistakes: [String] = [
        #"{"providers":[{"id":"oidc.x"}]}"#, #"{"providers":[{"use":"github","trustMail":true}]}"#,
        #"{"providers":[{"id":"git hub","use":"acme"}]}"#, #"{"providers":{}}"#, #"{"provider":[]}"#,
        entry("github", #"{"clientId":"a"}"#), entry("github", #"{"clientId":"a","clientSecret":{"envv":"X"}}"#),
        entry("gitlab", #"{"clientId":"a","clientSecret":""}"#), entry("gitlab", #"{"clientId":"a","apiUrl":"https://x.example"}"#),
        entry("apple", #"{"teamId":"ABCDE12345","keyId":"ABCDE12345","privateKey":"p"}"#),
        entry("apple", #"{"teamId":"abc","keyId":"ABCDE12345","privateKey":"p","servicesId":"s"}"#),
        entry("1pass", #"{"clientId":"a","allowAnonymous":"yes"}"#),
        #"{"providers":[{"use":"oidc","options":{"issuer":"https://id.example","clientId":"c"}}]}"#,
        #"{"providers":[{"id":"google","use":"oidc","options":{"issuer":"https://id.example","clientId":"c"}}]}"#,
    ] + [
        #""clientId":"""#, #""issuer":"id.example""#, #""algorithms":["none"]"#, #""algorithms":[]"#,
        #""scopes":["email"]"#, #""tokenEndpointAuthMethod":"basic""#, #""claims":{"subject":"/email"}"#,
        #""claims":{"email":"email"}"#, #""claims":{"mail":"/mail"}"#, #""nativeNonce":"md5""#, #""maximumAge":0"#,
        #""authorizationParameters":{"state":"x"}"#, #""requiredClaims":{"hd":null}"#, #""privateKey":{"keyId":"k"}"#,
    ].map { entry("oidc", #"{"issuer":"https://id.example","clientId":"c",\#($0)}"#, over: $0) } + [
        #""claims":{}"#, #""claims":{"subject":"id"}"#, #""claims":{"subject":[]}"#, #""tokenUrl":"token""#,
        #""userinfoHeaders":{"Authorization":"x"}"#, #""pkce":"no""#, #""userinfo":true"#,
    ].map { entry("oauth2", oauth2(changing: $0)) }

    private static func entry(_ use: String, _ options: String, over change: String = "") -> String {
        // A change of something that is there already takes its place: names stand once.
        let options = change.hasPrefix(#""clientId""#)
            ? #"{"issuer":"https://id.example",\#(change)}"#
            : change.hasPrefix(#""issuer""#) ? #"{"clientId":"c",\#(change)}"# : options
        let id = use == "oidc" || use == "oauth2" ? #""id":"\#(use).x","# : ""
        return #"{"providers":[{\#(id)"use":"\#(use)","options":\#(options)}]}"#
    }

    private static func oauth2(changing change: String) -> String {
        let members = [
            #""authorizationUrl":"https://id.example/a""#, #""tokenUrl":"https://id.example/t""#,
            #""userinfoUrl":"https://id.example/u""#, #""clientId":"c""#, #""claims":{"subject":"/id"}"#,
        ]
        let name = change.prefix { $0 != ":" }
        return "{" + (members.filter { !$0.hasPrefix(name + ":") } + [change]).joined(separator: ",") + "}"
    }

    private static func verdicts(on documents: [JSONValue]) async throws -> [String] {
        let schema = root.appending(path: "plugins.schema.json").standardizedFileURL.path
        let lines = documents.map { $0.serialized() + "\n" }.joined()
        let result = try await Subprocess.run(
            .name("env"), arguments: [try TestPython.path(), "-c", validate, schema], input: .string(lines),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 16))
        let output = try #require(result.standardOutput)
        #expect(result.terminationStatus.exitCode == 0, "\(result.standardError)")
        return output.split(separator: "\n").map(String.init)
    }
}
