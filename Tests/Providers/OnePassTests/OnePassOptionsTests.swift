import Foundation
import OnePass
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass: options, authorization and check")
struct OnePassOptionsTests {
    private static func problem(_ options: JSONObject) -> String? {
        let error = #expect(throws: ProviderError.self) { _ = try OnePassFixture.provider(options) }
        #expect(error?.fault == .configuration)
        return error?.reason
    }

    private static func attempt(_ redirectURI: String) -> SignInAttempt {
        SignInAttempt(
            state: "s", redirectURI: redirectURI, codeChallenge: "c", nonce: "n",
            parameters: ["state": "evil", "client_id": "evil", "nonce": "evil", "prompt": "login"])
    }

    @Test func `events are off until webhooks or logout are configured`() throws {
        let keys: JSONObject = ["whk_1": .string(String(repeating: "k", count: 32))]
        func provider(_ options: JSONObject) throws -> OnePassProvider {
            try #require(try OnePassFixture.provider(options) as? OnePassProvider)
        }
        let none = try provider(["clientId": "a", "clientSecret": "s"])
        let `public` = try provider(["clientId": "a", "webhookKeys": .object(keys)])
        let confidential = try provider(["clientId": "a", "clientSecret": "s", "webhookKeys": .object(keys)])
        let logout = try provider(["clientId": "a", "backChannelLogout": true])
        let without = try provider([
            "clientId": "a", "clientSecret": "s", "webhookKeys": .object(keys), "eventPollInterval": 0,
        ])
        let older = try provider(["clientId": "a", "webhookSecret": .string(String(repeating: "k", count: 16))])

        #expect(!none.acceptsNotifications && none.eventPollInterval == nil)
        #expect(`public`.acceptsNotifications && `public`.eventPollInterval == nil)
        #expect(confidential.acceptsNotifications && confidential.eventPollInterval == 300)
        #expect(logout.acceptsNotifications && logout.eventPollInterval == nil)
        #expect(without.acceptsNotifications && without.eventPollInterval == nil && older.acceptsNotifications)
    }

    @Test func `an entry with a client ID alone is the public service's public client`() throws {
        let provider = try OnePassFixture.provider(["clientId": "logi_1"])

        #expect(provider.instance == "https://api.1pass.dev" && provider.isPublicInstance)
        #expect(OnePassProvider.kind == "1pass" && OnePassProvider.publicInstance?.id == "1pass.dev")
        #expect(provider.clientID == "logi_1")
        #expect(provider.accepts == [.authorizationCode, .idToken, .accessToken])
    }

    @Test(
        arguments: [
            (["clientId": ""], "clientId"), (["clientId": "a", "additionalClientIds": [""]], "additionalClientIds"),
            (["clientId": "a", "clientSecret": ""], "leave it out"),
            (["clientId": "a", "scopes": ["email"]], "openid"),
            (["clientId": "a", "url": "http://1pass.example"], "url"),
            (["clientId": "a", "webhookKeys": ["k": "short"]], "webhookKeys"),
            (["clientId": "a", "webhookKeys": ["": "a key of more than sixteen bytes"]], "webhookKeys"),
            (["clientId": "a", "webhookSecret": "short"], "webhookSecret"),
            (["clientId": "a", "eventPollInterval": 60], "clientSecret"),
        ] as [(JSONObject, String)])
    func `options that cannot work are refused with what to write`(options: JSONObject, hint: String) {
        #expect(Self.problem(options)?.contains(hint) == true)
    }

    @Test(arguments: [("webhookTolerance", 0), ("eventPollInterval", 9), ("deletedAccountDays", 0)])
    func `a number out of its range is refused with its place`(option: String, number: Int) {
        let options: JSONObject = ["clientId": "a", "clientSecret": "s", option: .integer(number)]
        let error = #expect(throws: JSONDecodingError.self) { _ = try OnePassFixture.provider(options) }
        #expect(error?.path == "/\(option)")
    }

    @Test(arguments: [
        ("my_app://callback", "register myapp:// or com.example.myapp:// instead"),
        ("my_app:/callback", "underscore"), ("MY_APP://callback", "underscore"),
        ("http://app.example/callback", "https"), ("http://127.0.0.1.example/", "https"),
        ("https://app.example/callback#x", "fragment"), ("https://open.1pass.dev/callback", "private scheme"),
        ("https://api.1pass.dev/callback", "private scheme"), ("https://ada@app.example/", "host"),
        ("javascript:alert(1)", "no app can own"), ("1app://x", "no app can own"), ("/callback", "absolute"),
        ("https://app.example/ä", "absolute"), ("https://app.example\\@evil.example/", "absolute"), ("", "absolute"),
    ])
    func `a redirect URI that cannot work is refused with what to use instead`(uri: String, hint: String) {
        let reason = Self.problem(["clientId": "a", "redirectUris": [.string(uri)]])
        #expect(reason?.contains(hint) == true)
    }

    @Test(arguments: [
        "https://app.example/callback", "http://localhost:8080/callback", "http://127.0.0.1/", "http://[::1]:1/",
        "myapp://callback", "com.example.my-app:/callback",
    ])
    func `a redirect URI that works is taken`(uri: String) throws {
        _ = try OnePassFixture.provider(["clientId": "a", "redirectUris": [.string(uri)]])
    }

    @Test func `a sign-in that would come back elsewhere is the operator's concern`() async throws {
        let registered: JSONValue = .string(OnePassFixture.redirectURI)
        try await OnePassFixture.running(options: ["redirectUris": [registered]]) { fixture in
            let provider = try #require(fixture.provider as? any RedirectSignIn)
            let otherCase = OnePassFixture.redirectURI.replacing("callback", with: "Callback")
            for uri in [
                "my_app://callback", OnePassFixture.redirectURI + "/", "https://ID.example/oauth/callback", otherCase,
            ] {
                let error = await #expect(throws: ProviderError.self) {
                    _ = try await provider.authorizationURL(for: Self.attempt(uri))
                }
                #expect(error?.fault == .configuration)
            }
            #expect(fixture.onePass.hits(.discovery) == 0)
            _ = try await provider.authorizationURL(for: Self.attempt(OnePassFixture.redirectURI))
        }
        try await OnePassFixture.running { fixture in
            let provider = try #require(fixture.provider as? any RedirectSignIn)
            await #expect(throws: ProviderError.self) {
                try await provider.authorizationURL(for: Self.attempt("my_app://callback"))
            }
        }
    }

    @Test func `the authorization URL carries exactly what the broker prepared, whatever the app adds`() async throws {
        try await OnePassFixture.running { fixture in
            let provider = try #require(fixture.provider as? any RedirectSignIn)
            let url = try await provider.authorizationURL(for: Self.attempt(OnePassFixture.redirectURI))
            let query = try #require(FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
            func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

            #expect(url.hasPrefix(fixture.onePass.url + "/oauth/authorize?"))
            #expect(values("state") == ["s"] && values("nonce") == ["n"] && values("response_type") == ["code"])
            #expect(values("code_challenge") == ["c"] && values("code_challenge_method") == ["S256"])
            #expect(values("client_id") == [fixture.application.clientID] && values("prompt") == ["login"])
            #expect(values("scope") == ["openid profile:basic email"])
            #expect(!url.contains("evil") && !url.contains(fixture.application.clientSecret ?? "?"))
            #expect(provider.authorizationResponseIssuer == fixture.onePass.url)
        }
    }

    @Test func `the check finds nothing where everything is right`() async throws {
        for type in [OnePassSimulator.Application.ClientType.confidential, .public] {
            try await OnePassFixture.running(type) { fixture in
                let provider = try #require(fixture.provider as? any ConfigurationCheck)
                #expect(await provider.checkConfiguration() == [])
                #expect(fixture.onePass.hits(.token) == 1 && fixture.onePass.hits(.keys) == 1)
            }
        }
    }

    @Test(
        arguments: [
            (["clientSecret": "wrong"], "client-refused"), (["clientId": "logi_0"], "client-refused"),
            (["issuer": "https://elsewhere.example"], "discovery-issuer-mismatch"),
        ] as [(JSONObject, String)])
    func `the check says what is wrong with the entry`(options: JSONObject, code: String) async throws {
        try await OnePassFixture.running(options: options) { fixture in
            let provider = try #require(fixture.provider as? any ConfigurationCheck)
            let findings = await provider.checkConfiguration()
            #expect(findings.map(\.code) == [code])
            #expect(findings.allSatisfy { !$0.fix.isEmpty && !$0.text.contains("wrong") })
        }
    }

    @Test(arguments: [
        (OnePassSimulator.Endpoint.discovery, "provider-unavailable"), (.keys, "keys-unavailable"),
        (.token, "provider-unavailable"),
    ])
    func `the check says which part of 1Pass does not answer`(
        endpoint: OnePassSimulator.Endpoint, code: String
    ) async throws {
        try await OnePassFixture.running { fixture in
            fixture.onePass.fail(endpoint, with: .status(503))
            let provider = try #require(fixture.provider as? any ConfigurationCheck)
            #expect(await provider.checkConfiguration().map(\.code) == [code])
        }
    }

    @Test func `a secret sent for a public registration is found by the check`() async throws {
        try await OnePassFixture.running(.public, options: ["clientSecret": "superfluous"]) { fixture in
            let provider = try #require(fixture.provider as? any ConfigurationCheck)
            let findings = await provider.checkConfiguration()
            #expect(findings.map(\.code) == ["client-refused"])
            #expect(findings.first?.fix.contains("public client") == true)
        }
    }
}
