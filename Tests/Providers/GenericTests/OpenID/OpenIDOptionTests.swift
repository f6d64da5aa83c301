import Crypto
import ProviderKit
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: options and the way to the provider")
struct OpenIDOptionTests {
    private static let sound: JSONObject = [
        "issuer": "https://id.example/realms/a", "clientId": "c", "clientSecret": "s",
    ]

    private static func refusal(_ changes: String, loopback: Bool = false) throws -> String? {
        var options = sound
        for (name, value) in try #require(try JSONValue(parsing: changes).object) {
            options[name] = value.isNull ? .none : .some(value)
        }
        do {
            _ = try GenericFixture.provider(
                .oidc, options, over: SimulatorUpstream(), allowsInsecureLoopback: loopback)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `the issuer, byte by byte, is the name space`() throws {
        var options = Self.sound
        options["issuer"] = "https://id.example/"
        let provider = try GenericFixture.provider(.oidc, options, over: SimulatorUpstream())
        #expect(provider.instance == "https://id.example/" && !provider.isPublicInstance)
        #expect((provider as? any RedirectSignIn)?.authorizationResponseIssuer == "https://id.example/")
    }

    @Test(arguments: [
        (#"{"issuer":"http://id.example"}"#, "https://"),
        (#"{"issuer":"http://127.0.0.1:1"}"#, "allowInsecureLoopback"),
        (#"{"issuer":"https://id.example?x=1"}"#, "query"), (#"{"issuer":null}"#, "issuer"),
        (#"{"clientId":""}"#, "clientId"), (#"{"clientId":null}"#, "clientId"),
        (#"{"clientSecret":""}"#, "clientSecret"), (#"{"scopes":["email"]}"#, "openid"),
        (#"{"algorithms":["none"]}"#, "RS256, PS256"), (#"{"algorithms":["HS256"]}"#, "32 bytes"),
        (#"{"algorithms":[]}"#, "algorithms"), (#"{"nativeNonce":"md5"}"#, "sha256 or plain"),
        (#"{"maximumAge":0}"#, "maximumAge"), (#"{"audiences":[""]}"#, "audiences"),
        (#"{"tokenEndpointAuthMethod":"basic"}"#, "client_secret_basic"),
        (#"{"tokenEndpointAuthMethod":"none"}"#, "remove them"),
        (#"{"clientSecret":null,"tokenEndpointAuthMethod":"client_secret_post"}"#, "clientSecret is needed"),
        (#"{"tokenEndpointAuthMethod":"private_key_jwt"}"#, "privateKey is needed"),
        (#"{"clientSecret":null,"privateKey":{"pem":"nonsense"}}"#, "ES256"),
        (#"{"privateKey":{"pem":"nonsense"}}"#, "clientSecret is not used"),
        (#"{"privateKey":{"pem":"nonsense"},"tokenEndpointAuthMethod":"client_secret_basic"}"#, "privateKey needs"),
        (
            #"{"clientSecret":null,"privateKey":{"pem":"nonsense"},"tokenEndpointAuthMethod":"none"}"#, "remove them"
        ),
        (#"{"requiredClaims":{"hd":null}}"#, "requiredClaims"), (#"{"requiredClaims":["hd"]}"#, "requiredClaims"),
        (#"{"claims":{"subject":"/email"}}"#, "claims.subject"), (#"{"claims":{"email":"email"}}"#, "JSON Pointer"),
        (#"{"claims":{"email":["/email","mail"]}}"#, "JSON Pointer"),
        (#"{"claims":{"email":[]}}"#, "JSON Pointer"), (#"{"claims":{"mail":"/mail"}}"#, "/options/claims/mail"),
        (#"{"authorizationParameters":{"state":"x"}}"#, "state"),
        (#"{"authorizationParameters":{"Response_Type":"token"}}"#, "Response_Type"),
        (#"{"textBooleans":"true"}"#, "textBooleans"),
        (#"{"authorizationParameters":{"request_uri":"https://x.example"}}"#, "request_uri"),
        (#"{"clientID":"x"}"#, "clientId"),
    ])
    func `an option that makes no sense is refused, and the message says which`(
        changes: String, fragment: String
    ) throws {
        let refusal = try #require(try Self.refusal(changes))
        #expect(refusal.contains(fragment), "\(refusal)")
    }

    @Test(arguments: [
        "{}", #"{"clientSecret":null}"#, #"{"claims":{"subject":"/sub"}}"#, #"{"algorithms":["RS256","ES256"]}"#,
        #"{"algorithms":["RS256","PS256","ES256","EdDSA"]}"#, #"{"nonce":false}"#,
        #"{"discovery":true,"endpoints":{}}"#,
        #"{"tokenEndpointAuthMethod":"client_secret_post"}"#, #"{"authorizationParameters":{"prompt":"login"}}"#,
    ])
    func `an option that makes sense is taken`(changes: String) throws {
        #expect(try Self.refusal(changes) == nil)
    }

    @Test func `a message about a key shows nothing of it`() throws {
        let secret = P256.Signing.PrivateKey().pemRepresentation.replacing("BEGIN", with: "BEGUN")
        let options: JSONValue = ["clientSecret": nil, "privateKey": ["pem": .string(secret)]]
        let refusal = try #require(try Self.refusal(options.serialized()))
        #expect(!refusal.contains(String(secret.dropFirst(40).prefix(20))))
    }

    @Test func `the browser's request carries what the broker made, once, and what the entry adds`() async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc(["authorizationParameters": ["prompt": "login", "hd": "corp.example"]])
            let attempt = SignInAttempt(
                state: "s", redirectURI: "https://id.example/oauth/callback/oidc.x", codeChallenge: "c", nonce: "n",
                scopes: ["groups"],
                parameters: [
                    "state": "evil", "nonce": "evil", "request": "evil", "request_uri": "evil",
                    "response_mode": "evil", "prompt": "evil", "ui_locales": "de",
                ])
            let url = try await provider.authorizationURL(for: attempt)
            let query = try #require(FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))

            #expect(url.hasPrefix(fixture.issuer.url + "/authorize?") && !url.contains("evil"))
            #expect(Set(query.map(\.name)).count == query.count)
            let values = Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
            #expect(values["state"] == "s" && values["nonce"] == "n" && values["code_challenge"] == "c")
            #expect(values["code_challenge_method"] == "S256" && values["response_type"] == "code")
            #expect(values["scope"] == "openid email profile groups" && values["hd"] == "corp.example")
            #expect(values["ui_locales"] == "de" && values["prompt"] == "login")
            #expect(!url.contains(fixture.application.clientSecret ?? "?"))
        }
    }
}
