import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: sign-in")
struct OpenIDSignInTests {
    @Test func `a code with verifier and nonce returns the identity and the grant`() async throws {
        try await GenericFixture.run { fixture in
            let identity = try await fixture.oidc().verify(fixture.code(nonce: "n-1"))

            #expect(identity.subject == fixture.ada.subject)
            #expect(identity.email == .init("ada@example.com", isVerified: true))
            #expect(identity.displayName == "Ada Example" && identity.screenName == "ada")
            #expect(identity.givenName == "Ada" && identity.familyName == "Example")
            #expect(identity.pictureURL == "https://example.com/ada.png")
            #expect(identity.profile["sub"] == .string(fixture.ada.subject))
            let grant = try #require(identity.grant)
            #expect(fixture.issuer.isLive(token: grant.accessToken))
            #expect(grant.refreshToken != nil && grant.idToken != nil && grant.scopes.contains("openid"))
            #expect(grant.expiresAt == GenericFixture.now.addingTimeInterval(3600))
        }
    }

    @Test(arguments: ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"])
    func `a client authenticates only with its registered method`(method: String) async throws {
        let (authentication, options) = try Self.registration(method)
        let application = OpenIDSimulator.Application(authentication: authentication)
        try await GenericFixture.run(
            .init(clock: .stopped(at: GenericFixture.now), application: application)
        ) { fixture in
            let identity = try await fixture.oidc(options).verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)

            let wrong: JSONObject =
                method == "none" ? ["clientSecret": "s"] : ["clientSecret": "wrong", "privateKey": nil]
            let error = await failure { try await fixture.oidc(wrong).verify(fixture.code()) }
            #expect(error?.fault == .configuration && error?.step == .redeem, "\(String(describing: error))")
        }
    }

    @Test func `an assertion is made for the configured issuer, anew for every request`() async throws {
        let (authentication, options) = try Self.registration("private_key_jwt")
        let application = OpenIDSimulator.Application(authentication: authentication)
        try await GenericFixture.run(
            .init(clock: .stopped(at: GenericFixture.now), application: application)
        ) { fixture in
            let provider = try fixture.oidc(options)
            for _ in 1...2 { _ = try await provider.verify(fixture.code()) }

            let assertions = try fixture.issuer.requests(.token).map { request in
                let form = try #require(FormEncoding.decode(request.body))
                let assertion = try #require(form.first { $0.name == "client_assertion" }?.value)
                return try CompactJWS(parsing: assertion).unverifiedClaims()
            }
            #expect(assertions.map { $0["aud"] } == [.string(fixture.issuer.url), .string(fixture.issuer.url)])
            #expect(assertions[0]["jti"] != assertions[1]["jti"])
        }
    }

    @Test(arguments: IDTokenForgery.allCases)
    func `a forged ID token from the token endpoint is refused`(forgery: IDTokenForgery) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.keys.publishUnusedKey()
            fixture.issuer.forgery = forgery
            let error = await failure { try await fixture.oidc().verify(fixture.code(nonce: "n-1")) }
            #expect(error?.fault == forgery.expectedFault, "\(String(describing: error))")
        }
    }

    @Test(arguments: IDTokenForgery.allCases)
    func `a forged ID token from a native client is refused`(forgery: IDTokenForgery) async throws {
        try await GenericFixture.run { fixture in
            let accessToken = fixture.issuer.accessToken(for: fixture.ada, application: fixture.application)
            fixture.issuer.keys.publishUnusedKey()
            fixture.issuer.forgery = forgery
            let token = fixture.issuer.idToken(
                for: fixture.ada, application: fixture.application, nonce: Self.digest("raw"),
                accessToken: accessToken)
            let credential = Credential(
                .idToken(.init(token: token, rawNonce: "raw", accessToken: accessToken)))

            let error = await failure { try await fixture.oidc().verify(credential) }
            #expect(error?.fault == forgery.expectedFault, "\(String(describing: error))")
        }
    }

    @Test(arguments: [(nil, true), ("sha256", true), ("plain", false)])
    func `a native client's nonce is hashed unless the entry says otherwise`(
        option: String?, isHashed: Bool
    ) async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc(["nativeNonce": option.map(JSONValue.string) ?? .null])
            for (nonce, fits) in [("raw", !isHashed), (Self.digest("raw"), isHashed)] {
                let token = fixture.issuer.idToken(
                    for: fixture.ada, application: fixture.application, nonce: nonce)
                let error = await failure {
                    try await provider.verify(Credential(.idToken(.init(token: token, rawNonce: "raw"))))
                }
                #expect(error?.fault == (fits ? nil : .nonce))
            }
        }
    }

    @Test func `an ID token for a further audience is accepted, one for another client is not`() async throws {
        try await GenericFixture.run { fixture in
            let app = OpenIDSimulator.Application(clientID: "ios-app")
            let credential = Credential(
                .idToken(.init(token: fixture.issuer.idToken(for: fixture.ada, application: app))))

            let error = await failure { try await fixture.oidc().verify(credential) }
            #expect(error?.fault == .credential)
            let identity = try await fixture.oidc(["audiences": ["ios-app"]]).verify(credential)
            #expect(identity.subject == fixture.ada.subject && identity.grant == nil)
        }
    }

    @Test func `an app's client requests its code and redeems it as itself, without our secret`() async throws {
        try await GenericFixture.run { fixture in
            let app = OpenIDSimulator.Application(
                clientID: "ios-app", authentication: OpenIDSimulator.Application.Authentication.none,
                redirectURIs: ["com.example.app:/callback"])
            fixture.issuer.register(app)
            let provider = try fixture.oidc(["audiences": ["ios-app"]])
            let verifier = String(repeating: "v", count: 48)
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
            let url = try await provider.authorizationURL(
                for: SignInAttempt(
                    state: "s", redirectURI: "com.example.app:/callback", codeChallenge: challenge,
                    clientID: app.clientID))
            let code = fixture.issuer.authorizationCode(
                for: fixture.ada, application: app, codeChallenge: challenge, nonce: nil)
            let identity = try await provider.verify(
                Credential(
                    .authorizationCode(
                        .init(
                            code: code, redirectURI: "com.example.app:/callback", verifier: verifier,
                            clientID: app.clientID))))

            #expect(url.contains("client_id=ios-app"))
            #expect(identity.subject == fixture.ada.subject && identity.grant?.clientID == "ios-app")
            let request = try #require(fixture.issuer.requests(.token).last)
            let form = FormEncoding.decode(request.body) ?? []
            #expect(form.contains { $0.name == "client_id" && $0.value == "ios-app" })
            #expect(request.header("authorization") == nil && !form.contains { $0.name == "client_secret" })
        }
    }

    @Test func `an access token beside an ID token is used only when at_hash binds it`() async throws {
        try await GenericFixture.run { fixture in
            let accessToken = fixture.issuer.accessToken(for: fixture.ada, application: fixture.application)
            let bound = fixture.issuer.idToken(
                for: fixture.ada, application: fixture.application, accessToken: accessToken)
            let unbound = fixture.issuer.idToken(for: fixture.ada, application: fixture.application)
            let provider = try fixture.oidc()

            let first = try await provider.verify(
                Credential(.idToken(.init(token: bound, accessToken: accessToken))))
            let second = try await provider.verify(
                Credential(.idToken(.init(token: unbound, accessToken: accessToken))))

            #expect(first.grant?.accessToken == accessToken && second.grant == nil)
            #expect(fixture.issuer.hits(.userinfo) == 1)
        }
    }

    @Test func `a bare access token is refused without a request`() async throws {
        try await GenericFixture.run { fixture in
            let token = fixture.issuer.accessToken(for: fixture.ada, application: fixture.application)
            let provider = try fixture.oidc()

            let error = await failure { try await provider.verify(Credential(.accessToken(token))) }
            #expect(error?.fault == .credential)
            #expect(!provider.accepts.contains(.accessToken) && fixture.isUntouched)
        }
    }

    @Test(arguments: [
        (JSONValue.string("corp.example"), true), (.string("other.example"), false),
        (.array(["corp.example"]), false), (nil, false),
    ])
    func `users of another organisation are refused by the ID token's claims`(
        organisation: JSONValue?, isTaken: Bool
    ) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.replaceClaim("hd", with: organisation)
            // What userinfo says counts for nothing here.
            fixture.issuer.update(subject: fixture.ada.subject) { person in
                person.userinfo = ["sub": .string(person.subject), "hd": "corp.example"]
            }
            let provider = try fixture.oidc(["requiredClaims": ["hd": "corp.example"]])
            let native = Credential(
                .idToken(.init(token: fixture.issuer.idToken(for: fixture.ada, application: fixture.application))))
            for credential in [fixture.code(), native] {
                let error = await failure { try await provider.verify(credential) }
                #expect(error?.fault == (isTaken ? nil : .credential))
            }
        }
    }

    @Test func `an ID token may leave its key unnamed only while the provider has a single one`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.forgery = .missingKeyID
            let identity = try await fixture.oidc().verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)

            fixture.issuer.keys.rotate()
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .credential)
        }
    }

    @Test func `keys the provider rotates in are followed`() async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc()
            _ = try await provider.verify(fixture.code())
            fixture.issuer.keys.rotate()
            fixture.issuer.keys.retireEarlierKeys()
            let identity = try await provider.verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)
        }
    }

    @Test func `an ES256 provider needs ES256 in the entry`() async throws {
        try await GenericFixture.run(.init(clock: .stopped(at: GenericFixture.now), algorithm: .es256)) { fixture in
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .credential)
            let identity = try await fixture.oidc(["algorithms": ["ES256"]]).verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)
        }
    }

    @Test func `an ID token older than maximumAge is refused, regardless of exp`() async throws {
        try await GenericFixture.run { fixture in
            let token = fixture.issuer.idToken(for: fixture.ada, application: fixture.application)
            let credential = Credential(.idToken(.init(token: token)))
            fixture.issuer.clock.advance(by: 600)

            let error = await failure { try await fixture.oidc(["maximumAge": 300]).verify(credential) }
            #expect(error?.fault == .credential)
            let identity = try await fixture.oidc(["maximumAge": 900]).verify(credential)
            #expect(identity.subject == fixture.ada.subject)
        }
    }

    static func digest(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A registration for a method, and the options that go with it.
    private static func registration(
        _ method: String
    ) throws -> (OpenIDSimulator.Application.Authentication, JSONObject) {
        switch method {
        case "client_secret_basic":
            let secret = "a secret: with & and ü \(Int.random(in: 0 ... .max))"
            return (.secretBasic(secret), ["clientSecret": .string(secret)])
        case "client_secret_post":
            let secret = "s\(Int.random(in: 0 ... .max))"
            return (.secretPost(secret), ["clientSecret": .string(secret), "tokenEndpointAuthMethod": .string(method)])
        case "private_key_jwt":
            let key = P256.Signing.PrivateKey()
            let published = try ClientAssertion.Key(
                pem: Secret(key.pemRepresentation), keyID: "k1", algorithm: .es256
            ).publicJWK()
            return (
                .privateKey(keys: ["keys": [published]]),
                [
                    "clientSecret": nil,
                    "privateKey": ["pem": .string(key.pemRepresentation), "keyId": "k1", "algorithm": "ES256"],
                ]
            )
        default: return (.none, ["clientSecret": nil])
        }
    }
}
