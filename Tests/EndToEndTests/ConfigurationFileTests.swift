import Foundation
import ProviderSimulators
import Testing

@Suite("A wrong configuration file is refused with the place, the nearest name and a fix", .timeLimit(.minutes(20)))
struct ConfigurationFileTests {
    static let brokerFile: [Mistake] = [
        Mistake(
            "misspelt name", in: "broker.json", #""publicURL""#, #""publicUrl""#,
            says: "/publicUrl", "\"publicURL\""),
        Mistake(
            "misspelt name deeper down", in: "broker.json", #""anonymous""#, #""anonymus""#,
            says: "/signIn/anonymus", "\"anonymous\""),
        Mistake(
            "misspelt name in a list", in: "broker.json", #""origins""#, #""orgins""#,
            says: "/apiKeys/0/orgins", "\"origins\""),
        Mistake(
            "unknown name", in: "broker.json", #"{"publicURL""#, #"{"colour":1,"publicURL""#,
            says: "/colour", "Remove it"),
        Mistake(
            "missing name", in: "broker.json", #""number":"123456789012","#, "",
            says: "/project/number", "missing"),
        Mistake(
            "wrong type", in: "broker.json", #""anonymous":false"#, #""anonymous":"no""#,
            says: "/signIn/anonymous", "boolean"),
        Mistake("null", in: "broker.json", #""id":"my-app""#, #""id":null"#, says: "/project/id"),
        Mistake(
            "unknown preset", in: "broker.json", #""strict""#, #""lax""#,
            says: "/policy", "strict", "firebase"),
        Mistake(
            "unknown kind of refresh tokens", in: "broker.json", #""strict""#,
            #"{"preset":"firebase","refreshTokens":"strict"}"#, says: "/policy/refreshTokens"),
        Mistake(
            "no sessions at all", in: "broker.json", #""policy""#, #""sessions":{"perUser":0},"policy""#,
            says: "/sessions/perUser", "between 1 and"),
        Mistake(
            "records that go too early", in: "broker.json", #""policy""#,
            #""retention":{"auditDays":7},"policy""#, says: "/retention/auditDays", "30", "0 to keep"),
        Mistake(
            "limit of no use", in: "broker.json", #""policy""#, #""limits":{"openSignIns":1},"policy""#,
            says: "/limits/openSignIns", "between 1000"),
        Mistake(
            "name written twice", in: "broker.json", #""policy":"strict""#, #""policy":"strict","policy":"firebase""#,
            says: "line 1", "same name"),
        Mistake("comma at the end", in: "broker.json", #""master.key"}"#, #""master.key"},"#, says: "line 1"),
        Mistake("no JSON", in: "broker.json", "{", "", says: "line 1"),
        Mistake(
            "plain http to the world", in: "broker.json", "http://127.0.0.1:9099", "http://id.example",
            says: "/publicURL", "https"),
        Mistake(
            "path in the public URL", in: "broker.json", "http://127.0.0.1:9099", "https://id.example/auth",
            says: "/publicURL", "https://id.example"),
        Mistake(
            "open to the network without TLS", in: "broker.json", #""policy""#, #""listen":"0.0.0.0:0","policy""#,
            says: "/listen", "0.0.0.0", "trustedProxies"),
        Mistake(
            "address that is none", in: "broker.json", #""policy""#, #""listen":"127.0.0.1:http","policy""#,
            says: "/listen", "127.0.0.1:http", "127.0.0.1:9099"),
        Mistake(
            "address range that is none", in: "broker.json", #""policy""#,
            #""trustedProxies":["10.0.0.0/33"],"policy""#,
            says: "/trustedProxies/0", "10.0.0.0/8"),
        Mistake(
            "project id", in: "broker.json", #""id":"my-app""#, #""id":"My App""#,
            says: "/project/id", "my-app"),
        Mistake(
            "short API key", in: "broker.json", #""apiKeys":["#, #""apiKeys":[{"key":"abc"},"#,
            says: "/apiKeys/0/key"),
        Mistake(
            "master key from nowhere", in: "broker.json", #"{"file":"master.key"}"#, "{}", says: "/masterKey", "file",
            "env"),
    ]

    static let pluginsFile: [Mistake] = [
        Mistake(
            "misspelt name", in: "plugins.json", #""trustEmail""#, #""trustMail""#,
            says: "/providers/0/trustMail", "\"trustEmail\""),
        Mistake(
            "misspelt option", in: "plugins.json", #""clientSecret""#, #""clientSecrte""#,
            says: "/providers/0/options/clientSecrte", "\"clientSecret\""),
        Mistake(
            "option of the wrong type", in: "plugins.json", #""clientId":"#, #""scopes":"user","clientId":"#,
            says: "/providers/0/options/scopes"),
        Mistake(
            "unknown plugin", in: "plugins.json", #""use":"github""#, #""use":"githab""#,
            says: "/providers/0/use", "githab", "github"),
        Mistake(
            "one id twice", in: "plugins.json", #"{"providers":["#,
            #"{"providers":[{"use":"github","options":{"clientId":"a","clientSecret":"b"}},"#,
            says: "/providers/1/id", "github.com"),
        Mistake(
            "id with a space", in: "plugins.json", #""id":"github.com""#, #""id":"git hub""#,
            says: "/providers/0/id"),
        Mistake(
            "provider without code under a name of its own", in: "plugins.json", #""use":"github""#, #""use":"oidc""#,
            says: "/providers/0/id", "oidc.<name>"),
        Mistake(
            "loopback without permission", in: "plugins.json", #""allowInsecureLoopback":true"#,
            #""allowInsecureLoopback":false"#, says: "/providers/0", "url"),
        Mistake("comma at the end", in: "plugins.json", "]}", "],}", says: "line 1"),
        Mistake(
            "name written twice", in: "plugins.json", #""id":"github.com","#, #""id":"a","id":"github.com","#,
            says: "line 1", "same name"),
    ]

    @Test(arguments: brokerFile + pluginsFile)
    func `serve refuses it, and no secret is shown`(_ mistake: Mistake) async throws {
        try await Installation.run { broker in
            let text = try broker.folder.text(of: mistake.file)
            let wrong = text.replacing(mistake.text, with: mistake.replacement, maxReplacements: 1)
            try #require(wrong != text, "the file does not contain \(mistake.text)")
            try broker.folder.write(wrong, to: mistake.file)

            let result = try await broker.refusal()

            for part in mistake.says { #expect(result.errors.contains(part), "\(part) is not in: \(result)") }
            #expect(result.errors.contains(mistake.file), "\(result)")
        }
    }

    @Test(arguments: [
        (#"{"env":"BROKER_NOBODY_HAS_SET_THIS"}"#, "BROKER_NOBODY_HAS_SET_THIS"),
        (#"{"file":"secrets/missing"}"#, "secrets/missing"), (#"{"file":"."}"#, "."), (#""""#, "clientSecret"),
        ("{}", "/providers/0/options/clientSecret"),
    ])
    func `a client secret that is not there is named by its source`(entry: String, says: String) async throws {
        try await Installation.run { broker in
            let secret = #""\#(broker.github.defaultApplication.clientSecret)""#
            let text = try broker.folder.text(of: "plugins.json").replacing(secret, with: entry)
            try broker.folder.write(text, to: "plugins.json")

            let result = try await broker.refusal()

            #expect(result.errors.contains(says), "\(result)")
            #expect(result.errors.contains("/providers/0"), "\(result)")
        }
    }

    @Test(arguments: ["broker.json", "plugins.json"])
    func `a file that is not there is named, with the command that writes one`(name: String) async throws {
        try await Installation.run { broker in
            try FileManager.default.removeItem(atPath: broker.folder.file(name))

            let result = try await broker.refusal()

            #expect(result.errors.contains(name), "\(result)")
            #expect(result.errors.contains("broker init"), "\(result)")
        }
    }
}
