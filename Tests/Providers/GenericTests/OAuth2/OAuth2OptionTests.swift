import ProviderKit
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oauth2: options, grants and the way to the provider")
struct OAuth2OptionTests {
    private static let sound: JSONObject = [
        "authorizationUrl": "https://id.example/authorize", "tokenUrl": "https://Token.Example:443/oauth/token",
        "userinfoUrl": "https://api.example/me", "clientId": "c", "clientSecret": "s", "claims": ["subject": "/id"],
    ]

    private static func provider(_ changes: String) throws -> any IdentityProvider {
        var options = sound
        for (name, value) in try #require(try JSONValue(parsing: changes).object) {
            options[name] = value.isNull ? .none : .some(value)
        }
        return try GenericFixture.provider(
            .oauth2, options, over: SimulatorUpstream(), allowsInsecureLoopback: false)
    }

    @Test(arguments: [
        (#"{"authorizationUrl":"http://id.example"}"#, "authorizationUrl"), (#"{"tokenUrl":"token"}"#, "tokenUrl"),
        (#"{"userinfoUrl":"http://127.0.0.1/me"}"#, "userinfoUrl"), (#"{"revocationUrl":"ftp://x"}"#, "revocationUrl"),
        (#"{"url":"id.example"}"#, "url"), (#"{"clientId":""}"#, "clientId"), (#"{"claims":null}"#, "claims"),
        (#"{"claims":{"email":"/email"}}"#, "/options/claims/subject"),
        (#"{"claims":{"subject":"id"}}"#, "JSON Pointer"),
        (#"{"claims":{"subject":"/email"}}"#, "is never reassigned"),
        (#"{"claims":{"subject":"/user/Login"}}"#, "is never reassigned"),
        (#"{"claims":{"subject":["/id","/username"]}}"#, "is never reassigned"),
        (#"{"claims":{"subject":""}}"#, "is never reassigned"),
        (#"{"claims":{"subject":"/E-Mail"}}"#, "is never reassigned"),
        (#"{"claims":{"subject":"/emails/0/value"}}"#, "is never reassigned"),
        (#"{"claims":{"subject":"/userPrincipalName"}}"#, "is never reassigned"),
        (#"{"claims":{"subject":"/user/Phone Number"}}"#, "is never reassigned"),
        (#"{"claims":{"subject":["/1","/2","/3","/4","/5","/6","/7","/8","/9"]}}"#, "at most 8"),
        (#"{"claims":{"subject":"/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a"}}"#, "16 names"),
        (#"{"claims":{"subject":"/\#(String(repeating: "x", count: 256))"}}"#, "256 bytes"),
        (#"{"userinfoHeaders":{"Authorization":"x"}}"#, "Authorization"),
        (#"{"userinfoHeaders":{"X-A":"a\r\nb"}}"#, "X-A"), (#"{"userinfoHeaders":{"a b":"x"}}"#, "a b"),
        (#"{"authorizationParameters":{"redirect_uri":"x"}}"#, "redirect_uri"),
        (#"{"authorizationParameters":{"REDIRECT_URI":"x"}}"#, "REDIRECT_URI"),
        (#"{"tokenURL":"https://x.example"}"#, "tokenUrl"),
        (#"{"userinfoUrl":"https://{/host}/me"}"#, "userinfoHosts"),
        (#"{"userinfoUrl":"https://{/host}/me","userinfoHosts":["a.example/b"]}"#, "userinfoHosts"),
        (#"{"userinfoUrl":"https://{/host}/me","userinfoHosts":["u@a.example"]}"#, "userinfoHosts"),
        (#"{"userinfoUrl":"https://{/host}/me","userinfoHosts":["a.example","b.example"]}"#, "subjectNamespace"),
        (#"{"userinfoUrl":"https://{callback/host}/me","userinfoHosts":["a.example"]}"#, "the callback"),
        (#"{"userinfoUrl":"http://{/host}/me","userinfoHosts":["a.example"]}"#, "userinfoUrl"),
        (#"{"userinfoUrl":"https://{/host}.example/me","userinfoHosts":["a.example"]}"#, "path and query only"),
        (#"{"userinfoUrl":"https://api{/host}/me"}"#, "path and query only"),
        (#"{"userinfoUrl":"https://api.example{/path}"}"#, "path and query only"),
        (#"{"userinfoUrl":"{/url}","userinfoHosts":[]}"#, "userinfoHosts"),
        (#"{"userinfoHosts":["api.example"]}"#, "remove userinfoHosts"),
        (#"{"userinfoUrl":null,"userinfoHosts":["api.example"]}"#, "userinfoHosts"),
        (#"{"userinfoUrl":"https://api.example/{/access_token}/me"}"#, "userinfoToken"),
        (#"{"userinfoUrl":"https://api.example/me?token={/access_token}"}"#, "userinfoToken"),
        (#"{"userinfoUrl":"https://api.example/{/data/refresh_token}"}"#, "userinfoToken"),
        (#"{"userinfoUrl":"https://api.example/{id}"}"#, "not {id}"),
        (#"{"userinfoUrl":"https://api.example/{callback/a/b}"}"#, "not {callback/a/b}"),
        (#"{"userinfoUrl":"https://api.example/{/id"}"#, "in braces"),
        (#"{"userinfoUrl":"https://api.example/}{/id}"}"#, "in braces"),
        (#"{"userinfoUrl":"https://api.example/{/id}#x"}"#, "userinfoUrl"),
        (#"{"userinfoToken":{"in":"cookie"}}"#, "in"), (#"{"userinfoToken":{"name":"Host"}}"#, "Host"),
        (#"{"userinfoToken":{"name":"Cookie"}}"#, "Cookie"), (#"{"userinfoToken":{"name":"X\r\nA"}}"#, "name"),
        (#"{"userinfoToken":{"scheme":"Bearer x"}}"#, "scheme"),
        (#"{"userinfoToken":{"in":"query","name":"a=b"}}"#, "name"),
        (#"{"userinfoToken":{"in":"query","scheme":"Bearer"}}"#, "scheme"),
        (#"{"userinfoToken":{"name":"X-Key"},"userinfoHeaders":{"x-key":"1"}}"#, "x-key"),
        (#"{"userinfoRequest":{"body":{}}}"#, "POST"), (#"{"userinfoRequest":{"method":"PUT"}}"#, "method"),
        (#"{"userinfoRequest":{"method":"POST","body":[]}}"#, "object"),
        (#"{"userinfoRequest":{"method":"POST","format":"form","body":{"a":1}}}"#, "texts"),
        (#"{"tokenRequest":{"method":"GET","format":"json"}}"#, "format"),
        (#"{"tokenRequest":{"clientIdName":"code"}}"#, "clientIdName"),
        (#"{"tokenRequest":{"clientIdName":"Client_Secret"}}"#, "clientIdName"),
        (#"{"tokenRequest":{"clientSecretName":"client id"}}"#, "clientSecretName"),
        (#"{"tokenRequest":{"clientIdName":"key","clientSecretName":"KEY"}}"#, "must differ"),
        (#"{"tokenRequest":{"parameters":{"Grant_Type":"password"}}}"#, "Grant_Type"),
        (#"{"tokenRequest":{"parameters":{"":"x"}}}"#, "parameters"),
        (#"{"tokenRequest":{"clientIdName":"key","parameters":{"Key":"x"}}}"#, "Key"),
        (#"{"tokenRequest":{"callbackParameters":["Redirect_Uri"]}}"#, "Redirect_Uri"),
        (#"{"tokenRequest":{"callbackParameters":["device"],"parameters":{"device":"x"}}}"#, "device"),
        (#"{"tokenRequest":{"parameters":{"a":"b\u0001"}}}"#, "parameters"),
        (#"{"tokenRequest":{"callbackParameters":["a b"]}}"#, "a b"),
        (#"{"tokenRequest":{"clientIdName":"key","callbackParameters":["Key"]}}"#, "Key"),
        (#"{"tokenResponse":{"accessToken":"access_token"}}"#, "JSON Pointer"),
        (#"{"authorizationRequest":{"clientIdName":"a b"}}"#, "clientIdName"),
        (#"{"authorizationRequest":{"clientIdName":"x","scopeName":"X"}}"#, "must differ"),
        (#"{"requiredClaims":{"":true}}"#, "JSON Pointers"),
        (#"{"subjectNamespace":["a"]}"#, "one name for each place"),
        (#"{"userinfoUrl":"https://api.example/{/a}{/b}{/c}{/d}{/e}{/f}{/g}{/h}{/i}"}"#, "at most 8"),
        (#"{"authorizationRequest":{"clientIdName":"state"}}"#, "clientIdName"),
        (#"{"authorizationRequest":{"scopeName":"client_id"}}"#, "scopeName"),
        (#"{"authorizationRequest":{"fragment":"a#b"}}"#, "fragment"),
        (
            #"{"authorizationRequest":{"scopeName":"user_scope"},"authorizationParameters":{"User_Scope":"x"}}"#,
            "scopeName"
        ),
        (#"{"claims":{"subject":["/a","/b"]}}"#, "subjectNamespace"),
        (#"{"claims":{"subject":["/a","/b"]},"subjectNamespace":["a"]}"#, "one name for each place"),
        (#"{"claims":{"subject":["/a","/b"]},"subjectNamespace":["a","a"]}"#, "different names"),
        (#"{"claims":{"subject":["/a","/b"]},"subjectNamespace":["a","b:"]}"#, "different names"),
        (#"{"claims":{"subject":{"join":["/a"]}}}"#, "two parts"),
        (#"{"claims":{"subject":{"join":["/a","/b"],"separator":"::"}}}"#, "separator"),
        (#"{"claims":{"subject":{"join":["/a","/b"],"separator":"1"}}}"#, "separator"),
        (#"{"claims":{"subject":{"join":["/team/id","/user/email"]}}}"#, "is never reassigned"),
        (#"{"claims":{"subject":{"in":"callback","pointer":"/id"}}}"#, "the browser"),
        (#"{"claims":{"subject":{"join":["/id",{"in":"callback","pointer":"/realm"}]}}}"#, "the browser"),
        (#"{"claims":{"subject":{"in":"id_token","pointer":"/sub"}}}"#, "in"),
        (#"{"claims":{"subject":{"pointer":"/sub"}}}"#, "in"),
        (#"{"claims":{"subject":"/id","email":{"in":"callback","pointer":"/email"}}}"#, "the browser"),
        (#"{"claims":{"subject":"/id","emailVerified":{"in":"callback","pointer":"/a","equals":1}}}"#, "the browser"),
        (#"{"claims":{"subject":"/id","emailVerified":{"pointer":"/a","equals":[1]}}}"#, "equals"),
        (#"{"userinfoUrl":null,"claims":{"subject":{"in":"userinfo","pointer":"/id"}}}"#, "no userinfoUrl"),
        (#"{"requiredClaims":{"team":"T1"}}"#, "JSON Pointers"), (#"{"requiredClaims":{"/team":null}}"#, "Boolean"),
        (#"{"emails":{"url":"http://api.example/emails"}}"#, "emails.url"), (#"{"emails":{}}"#, "/options/emails/url"),
        (#"{"emails":{"url":"https://a.example","verified":{"in":"token","pointer":"/v"}}}"#, "remove in"),
        (#"{"emails":{"url":"https://a.example"},"claims":{"subject":"/id","email":"/email"}}"#, "claims.email"),
    ])
    func `an option that makes no sense is refused, and the message says which`(
        changes: String, fragment: String
    ) throws {
        let error = #expect(throws: (any Error).self) { try Self.provider(changes) }
        #expect("\(String(describing: error))".contains(fragment), "\(String(describing: error))")
    }

    @Test(arguments: [
        ("{}", "https://token.example"), (#"{"url":"https://ID.example/"}"#, "https://id.example"),
        (#"{"tokenUrl":"https://a.example:8443/t?x=1"}"#, "https://a.example:8443"),
    ])
    func `the name space is the token endpoint's origin unless the entry names one`(
        changes: String, instance: String
    ) throws {
        #expect(try Self.provider(changes).instance == instance)
    }

    @Test(arguments: [
        ("{}", "/id"),
        (#"{"claims":{"subject":["/user/id","/a~1b"]},"subjectNamespace":"shared"}"#, "/user/id, /a~1b"),
        (#"{"claims":{"subject":["/union","/id"]},"subjectNamespace":["u","i"]}"#, "/union, /id as u, i"),
        (#"{"claims":{"subject":{"join":["/team/id","/id"]}}}"#, "join : /team/id, /id"),
        (#"{"claims":{"subject":{"in":"token","pointer":"/id"}}}"#, "token:/id"),
        (#"{"requiredClaims":{"/ok":true,"/team/id":"T1"}}"#, #"/id, where /team/id is "T1""#),
        (#"{"claims":{"subject":"/id","displayName":"/name"}}"#, "/id"), (#"{"userinfoUrl":null}"#, "/id"),
    ])
    func `the subject rule is whatever tells another user by another subject`(changes: String, rule: String) throws {
        #expect(try Self.provider(changes).subjectRule == rule)
    }

    @Test(arguments: [
        ("{}", "a b", true), (#"{"scopeSeparator":","}"#, "a,b", true), (#"{"pkce":false}"#, "a b", false),
        (#"{"authorizationParameters":{"access_type":"offline"}}"#, "a b", true),
    ])
    func `the browser's request speaks the server's dialect`(changes: String, scope: String, hasPKCE: Bool) async throws
    {
        let provider = try #require(try Self.provider(changes) as? any RedirectSignIn)
        let attempt = SignInAttempt(
            state: "s", redirectURI: "https://id.example/cb", codeChallenge: "c", scopes: ["a", "b"],
            parameters: ["code_challenge": "evil", "scope": "evil", "Scope": "evil", "STATE": "evil"])
        let url = try await provider.authorizationURL(for: attempt)
        let query = try #require(FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))

        #expect(query.filter { $0.name == "scope" }.map(\.value) == [scope])
        let added = query.filter { $0.name == "access_type" }.map(\.value)
        #expect(added == (changes.contains("offline") ? ["offline"] : []))
        #expect(query.filter { $0.name == "code_challenge" }.map(\.value) == (hasPKCE ? ["c"] : []))
        #expect(query.filter { $0.name == "state" }.map(\.value) == ["s"] && !url.contains("evil"))
    }

    @Test func `without PKCE no verifier is sent either`() async throws {
        try await GenericFixture.run(OAuth2SignInTests.options()) { fixture in
            let code = fixture.issuer.authorizationCode(for: fixture.ada, application: fixture.application)
            let credential = Credential(
                .authorizationCode(
                    .init(code: code, redirectURI: GenericFixture.redirectURI, verifier: "of-the-broker")))
            let options: JSONObject = ["claims": ["subject": "/sub"]]

            let strict = await failure { try await fixture.oauth2(options).verify(credential) }
            #expect(strict?.fault == .credential)
            let identity = try await fixture.oauth2(options.adding("pkce", false)).verify(credential)
            #expect(identity.subject == fixture.ada.subject)
        }
    }

    @Test func `userinfo is asked with the entry's own fields and our token`() async throws {
        try await GenericFixture.run(OAuth2SignInTests.options()) { fixture in
            let identity = try await fixture.oauth2([
                "claims": ["subject": "/sub"],
                "userinfoHeaders": ["Client-Id": "c-1", "Accept": "application/vnd.x+json"],
            ]).verify(fixture.code())

            let request = try #require(fixture.issuer.requests(.userinfo).first)
            #expect(request.header("client-id") == "c-1" && request.header("accept") == "application/vnd.x+json")
            #expect(request.header("authorization") == "Bearer \(identity.grant?.accessToken ?? "")")
        }
    }

    @Test func `grants are refreshed, and withdrawn where the entry says how`() async throws {
        try await GenericFixture.run(OAuth2SignInTests.options()) { fixture in
            let options: JSONObject = ["claims": ["subject": "/sub"]]
            let provider = try fixture.oauth2(
                options.adding("revocationUrl", .string(fixture.issuer.url + "/revoke")))
            let grant = try #require(try await provider.verify(fixture.code()).grant)
            let fresh = try await provider.refresh(grant)
            try await provider.revoke(fresh)
            #expect(!fixture.issuer.isLive(token: fresh.accessToken))

            let error = await failure { try await fixture.oauth2(options).revoke(fresh) }
            #expect(error?.fault == .configuration)
        }
    }

    @Test func `the check distinguishes a known client, an unknown one and an outage`() async throws {
        try await GenericFixture.run(OAuth2SignInTests.options()) { fixture in
            let sound = try await fixture.oauth2().checkConfiguration()
            let wrong = try await fixture.oauth2(["clientSecret": "wrong"]).checkConfiguration()
            fixture.issuer.fail(.token, with: .status(502))
            let outage = try await fixture.oauth2().checkConfiguration()

            #expect(sound.isEmpty, "\(sound)")
            #expect(wrong.map(\.code) == ["client-refused"] && outage.map(\.code) == ["provider-unavailable"])
        }
    }
}

extension JSONObject {
    /// The object with one member more.
    fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
