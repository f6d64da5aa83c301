import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: algorithms of ID tokens, and tokens without a nonce")
struct OpenIDAlgorithmTests {
    @Test(arguments: [IDTokenPolicy.Algorithm.rs256, .ps256, .es256, .eddsa])
    func `the entry's algorithm signs in, any other is refused by name`(algorithm: IDTokenPolicy.Algorithm) async throws
    {
        try await GenericFixture.run(.init(clock: .stopped(at: GenericFixture.now), algorithm: algorithm)) { fixture in
            for accepted in IDTokenPolicy.Algorithm.allCases {
                let provider = try fixture.oidc(["algorithms": [.string(accepted.rawValue)]])
                let error = await failure { try await provider.verify(fixture.code(nonce: "n-1")) }
                let findings = await provider.checkConfiguration()
                if accepted == algorithm {
                    #expect(error == nil && findings.isEmpty)
                } else {
                    #expect(error?.fault == .credential)
                    #expect(
                        error?.reason.contains("alg is \(algorithm.rawValue), and accepted is \(accepted.rawValue)")
                            == true)
                    #expect(findings.map(\.code) == ["algorithm-unsupported"])
                    #expect(
                        findings[0].text.contains(algorithm.rawValue) && findings[0].fix.contains(algorithm.rawValue))
                }
            }
        }
    }

    private static func symmetric<Value>(_ body: (GenericFixture) async throws -> Value) async throws -> Value {
        try await GenericFixture.run(
            .init(clock: .stopped(at: GenericFixture.now), quirks: .signsWithClientSecret), body)
    }

    @Test func `HS256 signs in with the secret, without a key set`() async throws {
        try await Self.symmetric { fixture in
            let provider = try fixture.oidc(["algorithms": ["HS256"]])
            let identity = try await provider.verify(fixture.code(nonce: "n-1"))

            #expect(identity.subject == fixture.ada.subject && fixture.issuer.hits(.keys) == 0)
            #expect(await provider.checkConfiguration() == [])
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(
                error?.fault == .credential && error?.reason.contains("alg is HS256, and accepted is RS256") == true)
        }
    }

    @Test(arguments: IDTokenForgery.allCases.filter { $0 != .missingKeyID })
    func `a forged token is refused where the secret verifies`(forgery: IDTokenForgery) async throws {
        try await Self.symmetric { fixture in
            fixture.issuer.forgery = forgery
            let error = await failure {
                try await fixture.oidc(["algorithms": ["HS256"]]).verify(fixture.code(nonce: "n-1"))
            }
            #expect(error?.fault == forgery.expectedFault, "\(String(describing: error))")
        }
    }

    @Test(arguments: [(590, true), (700, false)])
    func `a token that the secret verifies is older than maximumAge at no time`(age: Int64, isTaken: Bool) async throws
    {
        try await Self.symmetric { fixture in
            let now = Int64(GenericFixture.now.timeIntervalSince1970)
            fixture.issuer.replaceClaim("iat", with: .integer(now - age))
            let error = await failure {
                try await fixture.oidc(["algorithms": ["HS256"], "maximumAge": 600]).verify(fixture.code(nonce: "n-1"))
            }
            #expect((error == nil) == isTaken)
        }
    }

    @Test func `a token signed with a published key does not pass where the secret verifies`() async throws {
        try await GenericFixture.run { fixture in
            let error = await failure {
                try await fixture.oidc(["algorithms": ["HS256"]]).verify(fixture.code(nonce: "n-1"))
            }
            #expect(
                error?.fault == .credential && error?.reason.contains("alg is RS256, and accepted is HS256") == true)
        }
    }

    @Test func `an app's ID token is refused where the secret verifies, and where no nonce binds it`() async throws {
        try await Self.symmetric { fixture in
            let token = fixture.issuer.idToken(for: fixture.ada, application: fixture.application)
            let credential = Credential(.idToken(.init(token: token)))
            let provider = try fixture.oidc(["algorithms": ["HS256"]])
            #expect(provider.accepts == [.authorizationCode] && provider.repeatsNonce)
            #expect(await failure { try await provider.verify(credential) }?.fault == .credential)
        }
        try await GenericFixture.run { fixture in
            let token = fixture.issuer.idToken(for: fixture.ada, application: fixture.application)
            let credential = Credential(.idToken(.init(token: token)))
            let provider = try fixture.oidc(["nonce": false])
            #expect(provider.accepts == [.authorizationCode] && !provider.repeatsNonce)
            #expect(await failure { try await provider.verify(credential) }?.fault == .credential)
            #expect(fixture.isUntouched)
        }
    }

    @Test func `without a nonce a code signs in, and a nonce that was sent is compared`() async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc(["nonce": false])
            let identity = try await provider.verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)

            // An app that sends one of its own gets what it asked for.
            _ = try await provider.verify(fixture.code(nonce: "n-1"))
            fixture.issuer.replaceClaim("nonce", with: nil)
            #expect(await failure { try await provider.verify(fixture.code(nonce: "n-1")) }?.fault == .nonce)
            fixture.issuer.replaceClaim("nonce", with: "of-another-request")
            #expect(await failure { try await provider.verify(fixture.code()) }?.fault == .nonce)
        }
    }

    @Test func `a provider with neither nonce nor PKCE is hinted at, and so is an unlisted client authentication`()
        async throws
    {
        try await GenericFixture.run { fixture in
            var document = try #require(try OpenIDProfileTests.discovery(of: fixture, without: "").object)
            document["code_challenge_methods_supported"] = ["plain"]
            fixture.issuer.discoveryOverride = .object(document)
            let nonce = try await fixture.oidc(["nonce": false]).checkConfiguration()
            #expect(nonce.map(\.code) == ["code-not-bound"] && nonce.allSatisfy(\.isHint))
            let plain = try await fixture.oidc().checkConfiguration()
            #expect(plain == [])
        }
        let application = OpenIDSimulator.Application(authentication: .secretPost("s"))
        try await GenericFixture.run(.init(clock: .stopped(at: GenericFixture.now), application: application)) {
            fixture in
            fixture.issuer.discoveryOverride = try OpenIDProfileTests.discovery(of: fixture, without: "")
            let post = try await fixture.oidc(["tokenEndpointAuthMethod": "client_secret_post"]).checkConfiguration()
            #expect(post.map(\.code) == ["auth-method-unlisted"] && post.allSatisfy(\.isHint))
        }
    }

    @Test(arguments: [
        (#"{"algorithms":["HS256","RS256"]}"#, "HS256 alone"), (#"{"clientSecret":null}"#, "32 bytes"),
        (#"{"clientSecret":"1234567890123456789012345678901"}"#, "32 bytes"), (#"{"audiences":["app"]}"#, "audiences"),
        (#"{"endpoints":{"jwks":"https://id.example/keys"}}"#, "endpoints.jwks"),
        (#"{"backChannelLogout":true}"#, "backChannelLogout"), (#"{"algorithms":["HS512"]}"#, "RS256, PS256"),
    ])
    func `HS256 with what contradicts it is refused`(changes: String, fragment: String) throws {
        var options: JSONObject = [
            "issuer": "https://id.example", "clientId": "c", "clientSecret": "12345678901234567890123456789012",
            "algorithms": ["HS256"],
        ]
        _ = try GenericFixture.provider(.oidc, options, over: SimulatorUpstream())
        for (name, value) in try #require(try JSONValue(parsing: changes).object) {
            options[name] = value.isNull ? .none : .some(value)
        }
        let error = #expect(throws: (any Error).self) {
            try GenericFixture.provider(.oidc, options, over: SimulatorUpstream())
        }
        #expect("\(String(describing: error))".contains(fragment))
    }
}
