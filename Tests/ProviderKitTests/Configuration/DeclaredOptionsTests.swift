import Foundation
import ProviderKit
import Synchronization
import Testing

@Suite("declared options")
struct DeclaredOptionsTests {
    private struct Options: DeclaredOptions {
        var clientId = ""
        var clientSecret: Secret?
        var scopes: [String] = []
        var seconds = 0
        var interval: Int?
        var region = Region.europe
        var keys: [String: Secret] = [:]
        var inner: Inner?

        static let declaration = DeclaredObject<Options>(
            "A client.",
            [
                .key("clientId", \.clientId, "the client ID").required().narrowed(by: ["minLength": 1]),
                .key("clientSecret", \.clientSecret, "its secret"),
                .key("scopes", \.scopes, "the scopes").initially(["profile"]).example(["profile", "email"]),
                .key("seconds", \.seconds, "the seconds").range(1...60).initially(10),
                .key("interval", \.interval, "the interval").range(10...60, orZero: "for none")
                    .initially(inWords: "`seconds`"),
                .key("region", \.region, "the region").initially("america"),
                .key("keys", \.keys, "the keys"),
                .key("inner", \.inner, "the key pair"),
            ])
    }

    private struct Inner: DeclaredOptions {
        var pem = Secret("")
        var name: String?

        static let declaration = DeclaredObject<Inner>(
            "A key.", [.key("pem", \.pem, "the key").required(), .key("name", \.name, "its name")])
    }

    private enum Region: String, CaseIterable, DeclaredValue {
        case europe, america
    }

    private static func decode(
        _ text: String, secrets: SecretSource = SecretSource(environment: ["KEY": "k3y"]),
        unknownNames: JSONValueDecoder.UnknownNames = .refused
    ) throws -> Options {
        let decoder = JSONValueDecoder(unknownNames: unknownNames, userInfo: [.secretSource: secrets])
        return try decoder.decode(Options.self, from: JSONValue(parsing: text), at: "/providers/0/options")
    }

    @Test func `each member is read, and what is absent or null has its initial value`() throws {
        let least = try Self.decode(#"{"clientId":"a","inner":null}"#)
        let full = try Self.decode(
            """
            {"clientId":"a","clientSecret":{"env":"KEY"},"scopes":[],"seconds":60,"interval":0,"region":"europe",
             "keys":{"k":"text"},"inner":{"pem":{"env":"KEY"},"name":"n"}}
            """)

        #expect(least.scopes == ["profile"] && least.seconds == 10 && least.region == .america)
        #expect(least.clientSecret == nil && least.interval == nil && least.keys.isEmpty && least.inner == nil)
        #expect(full.clientSecret?.reveal() == "k3y" && full.scopes.isEmpty && full.seconds == 60)
        #expect(full.interval == 0 && full.region == .europe && full.keys["k"]?.reveal() == "text")
        #expect(full.inner?.pem.reveal() == "k3y" && full.inner?.name == "n")
    }

    @Test(
        arguments: [
            ("{}", "/clientId", .missing), (#"{"clientID":"a"}"#, "/clientID", .unknownName(nearest: "clientId")),
            (#"{"clientId":"a","a/b":1}"#, "/a~1b", .unknownName(nearest: nil)),
            (#"{"clientId":"a","inner":{"pm":"x"}}"#, "/inner/pm", .unknownName(nearest: "pem")),
            (#"{"clientId":"a","inner":{}}"#, "/inner/pem", .missing),
            (
                #"{"clientId":"a","keys":{"k":{"envv":"x"}}}"#, "/keys/k",
                .invalid(reason: #"expected "text", {"env": "NAME"} or {"file": "path"}"#)
            ),
            (#"{"clientId":null}"#, "/clientId", .wrongType(expected: "string", found: "null")),
            (#"{"clientId":"a","scopes":"b"}"#, "/scopes", .wrongType(expected: "array", found: "string")),
            (#"{"clientId":"a","seconds":0}"#, "/seconds", .invalid(reason: "must be between 1 and 60")),
            (#"{"clientId":"a","seconds":"1"}"#, "/seconds", .wrongType(expected: "integer", found: "string")),
            (
                #"{"clientId":"a","interval":9}"#, "/interval",
                .invalid(reason: "must be between 10 and 60. Write 0 for none")
            ),
            (
                #"{"clientId":"a","inner":{"pem":{"env":"NO"}}}"#, "/inner/pem",
                .invalid(reason: "environment variable NO is not set")
            ),
            ("[]", "", .wrongType(expected: "object", found: "array")),
        ] as [(String, String, JSONDecodingError.Kind)])
    func `a mistake is refused with its place`(text: String, place: String, kind: JSONDecodingError.Kind) throws {
        let error = #expect(throws: JSONDecodingError.self) { try Self.decode(text) }
        #expect(error == JSONDecodingError(path: "/providers/0/options" + place, kind: kind))
    }

    @Test func `a decoder that ignores unknown names ignores them here as well`() throws {
        let text = #"{"clientId":"a","b":1,"inner":{"pem":"p","c":2}}"#
        #expect(try Self.decode(text, unknownNames: .ignored).clientId == "a")
    }

    @Test func `the places of secrets are told from the options on`() throws {
        let places = Mutex<[[String]]>([])
        let source = SecretSource.textOnly.reportingPaths { path in places.withLock { $0.append(path) } }
        _ = try Self.decode(
            #"{"clientId":"a","clientSecret":"s","keys":{"k":"t"},"inner":{"pem":"p"}}"#, secrets: source)

        #expect(places.withLock { $0 } == [["clientSecret"], ["keys", "k"], ["inner", "pem"]])
    }

    @Test func `the schema has each key with its text, default and example`() throws {
        let properties = try #require(Options.declaration.schema["properties"])

        #expect(Options.declaration.schema["required"] == ["clientId"])
        #expect(Options.declaration.schema["description"] == "A client.")
        #expect(
            properties["clientId"] == ["description": "the client ID", "type": "string", "minLength": 1])
        #expect(
            properties["scopes"] == [
                "description": "the scopes", "type": "array", "items": ["type": "string"], "default": ["profile"],
                "examples": [["profile", "email"]],
            ])
        #expect(
            properties["interval"] == [
                "description": "the interval. When absent: `seconds`",
                "anyOf": [["const": 0], ["type": "integer", "minimum": 10, "maximum": 60]],
            ])
        #expect(properties["region"]?["enum"] == ["europe", "america"])
        #expect(properties["inner"]?["properties"]?["pem"]?["anyOf"]?.array?.count == 3)
    }

    @Test func `the text of no secret is shown, nor what nothing declares`() throws {
        let text = """
            {"clientId":"a","clientSecret":"s3cret","keys":{"k":"s3cret","l":{"env":"KEY"}},
             "inner":{"pem":{"file":"key.pem"},"other":"s3cret"},"another":["s3cret"]}
            """
        let shown = Options.hidingSecrets(in: try JSONValue(parsing: text))

        #expect(!shown.serialized().contains("s3cret"))
        #expect(shown["clientId"] == "a" && shown["keys"]?["l"] == ["env": "KEY"])
        #expect(shown["inner"]?["pem"] == ["file": "key.pem"])
    }

    private struct Undeclared: IdentityProvider {
        struct Options: Decodable, Sendable { let clientId: String }
        static let kind: ProviderKind = "undeclared"
        let accepts: Set<Credential.Kind> = []
        let instance = "https://id.example"
        let clientID: String

        init(_ options: Options, in context: ProviderContext) throws(ProviderError) { clientID = options.clientId }

        func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
            throw ProviderError(.credential, at: .redeem, "none is accepted")
        }
    }

    @Test func `a plugin whose options are only decodable declares nothing`() {
        #expect(ProviderPlugin(Undeclared.self).options == nil)
    }
}
