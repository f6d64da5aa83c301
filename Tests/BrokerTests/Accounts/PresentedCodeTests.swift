import Broker
import Foundation
import Generic
import GitHub
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("codes that clients present without an attempt of the broker's")
struct PresentedCodeTests {
    @Test(arguments: ["right", "missing", "another"])
    func `Apple's code is taken with the nonce of its ID token only`(nonce: String) async throws {
        try await TestProviders.run { broker, providers in
            let (apple, asked) = (providers.apple, RandomText.alphanumeric(32))
            let code = apple.authorizationCode(
                for: apple.people()[0], application: apple.defaultApplication, nonce: asked)
            var fields = Self.fields(code, "apple.com", redirectURI: apple.defaultApplication.returnURLs[0])
            if nonce != "missing" { fields.append(("nonce", nonce == "right" ? asked : "another")) }

            let answer = try await broker.signIn(postBody: fields)

            #expect((answer.status == 200) == (nonce == "right"), "\(answer.text)")
            if nonce == "missing" {
                #expect(answer.code == "INVALID_IDP_RESPONSE")
                // The code stays valid for its client.
                #expect(apple.hits(.token) == 0)
            }
        }
    }

    @Test func `a code whose ID token carries a nonce is refused without that nonce`() async throws {
        try await TestProviders.run { broker, providers in
            let (gitLab, challenge) = (providers.gitLab, PKCE())
            let application = gitLab.defaultApplication
            let code = gitLab.authorizationCode(
                for: gitLab.people()[0], application: application, codeChallenge: challenge.value,
                nonce: RandomText.alphanumeric(32))

            let answer = try await broker.signIn(
                postBody: Self.fields(
                    code, "gitlab.com", redirectURI: application.redirectURIs[0], verifier: challenge.verifier))

            #expect(answer.code == "MISSING_OR_INVALID_NONCE", "\(answer.text)")
        }
    }

    @Test(arguments: [
        "/oauth/callback/apple.com", "/oauth/callback/github.com", "/OAuth/c%61llback/github.com", "/__/auth/handler",
        "/emulator/auth/handler",
    ])
    func `a code for the broker's own callback is redeemed by its own attempt only`(path: String) async throws {
        try await TestProviders.run { broker, providers in
            let callback = broker.core.configuration.publicURL + path
            providers.allow(callback)
            let (apple, challenge, nonce) = (providers.apple, PKCE(), RandomText.alphanumeric(32))
            let appleCode = apple.authorizationCode(
                for: apple.people()[0], application: apple.defaultApplication, redirectURI: callback, nonce: nonce)
            let gitHub = broker.simulator
            let gitHubCode = gitHub.authorizationCode(
                for: try broker.person("ada"), application: gitHub.defaultApplication,
                codeChallenge: challenge.value)

            let answers = [
                try await broker.signIn(
                    postBody: Self.fields(appleCode, "apple.com", redirectURI: callback) + [("nonce", nonce)]),
                try await broker.signIn(
                    postBody: Self.fields(
                        gitHubCode, "github.com", redirectURI: callback, verifier: challenge.verifier)),
            ]

            #expect(answers.allSatisfy { $0.code == "INVALID_IDP_RESPONSE" }, "\(answers.map(\.text))")
            #expect(apple.hits(.token) == 0 && gitHub.hits(.accessToken) == 0)
        }
    }

    @Test(arguments: [true, false])
    func `an Enterprise Server that does not check PKCE gives no code to clients`(checks: Bool) async throws {
        let gitHub = try await GitHubSimulator.start(.init(checksCodeChallenge: checks))
        try await TestBroker.run(entries: { _ in [TestBroker.gitHub(gitHub)] }) { broker in
            let person = try #require(gitHub.person(login: "ada"))
            let code = gitHub.authorizationCode(
                for: person, application: gitHub.defaultApplication, codeChallenge: PKCE().value)

            let stolen = try await broker.signIn(
                postBody: Self.fields(
                    code, "github.com", redirectURI: gitHub.defaultApplication.callbackURL, verifier: PKCE().verifier))

            #expect(stolen.code == "INVALID_IDP_RESPONSE", "\(stolen.text)")
            #expect((gitHub.hits(.accessToken) == 1) == checks)
        }
        await gitHub.stop()
    }

    @Test func `a server without PKCE gives no code to clients`() async throws {
        let issuer = try await OpenIDSimulator.start(.init(clock: .stopped(at: TestClock().now), mode: .oauth2))
        let application = issuer.defaultApplication
        let entry: JSONValue = [
            "id": "oauth2.plain", "use": "oauth2", "allowInsecureLoopback": true,
            "options": [
                "authorizationUrl": .string(issuer.url + "/authorize"), "tokenUrl": .string(issuer.url + "/token"),
                "userinfoUrl": .string(issuer.url + "/userinfo"), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""), "claims": ["subject": "/id"], "pkce": false,
            ],
        ]
        try await TestBroker.run(plugins: [.oauth2], entries: { _ in [entry] }) { broker in
            let person = issuer.add(.init(userinfo: ["id": "42"]))
            let code = issuer.authorizationCode(for: person, application: application)

            let stolen = try await broker.signIn(
                postBody: Self.fields(
                    code, "oauth2.plain", redirectURI: application.redirectURIs[0], verifier: PKCE().verifier)
                    + [("nonce", "any")])

            #expect(stolen.code == "MISSING_OR_INVALID_NONCE" || stolen.code == "INVALID_IDP_RESPONSE")
            #expect(stolen["localId"] == nil, "\(stolen.text)")
        }
        await issuer.stop()
    }

    @Test(arguments: [true, false], [true, false])
    func `an OpenID provider's code is bound by PKCE where discovery promises it, else by nonce`(
        promises: Bool, hasNonce: Bool
    ) async throws {
        let issuer = try await OpenIDSimulator.start(.init(clock: .stopped(at: TestClock().now)))
        if !promises { issuer.replaceDiscoveryMember("code_challenge_methods_supported", with: ["plain"]) }
        let application = issuer.defaultApplication
        let entry: JSONValue = [
            "id": "oidc.example", "use": "oidc", "allowInsecureLoopback": true,
            "options": [
                "issuer": .string(issuer.url), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""),
            ],
        ]
        try await TestBroker.run(plugins: [.oidc], entries: { _ in [entry] }) { broker in
            let (challenge, nonce) = (PKCE(), hasNonce ? RandomText.alphanumeric(32) : nil)
            let code = issuer.authorizationCode(
                for: issuer.people()[0], application: application, codeChallenge: challenge.value, nonce: nonce)

            let answer = try await broker.signIn(
                postBody: Self.fields(
                    code, "oidc.example", redirectURI: application.redirectURIs[0], verifier: challenge.verifier)
                    + (nonce.map { [("nonce", $0)] } ?? []))

            #expect((answer.status == 200) == (promises || hasNonce), "\(answer.text)")
        }
        await issuer.stop()
    }

    @Test func `a used authorization code has a text of its own`() async throws {
        try await TestProviders.run { broker, providers in
            let apple = providers.apple
            let nonce = RandomText.alphanumeric(32)
            let native = apple.nativeCredential(
                for: apple.people()[0], application: apple.nativeApplication, rawNonce: nonce)
            let fields = [
                ("id_token", native.idToken), ("code", native.authorizationCode), ("nonce", nonce),
                ("providerId", "apple.com"),
            ]
            let first = try await broker.signIn(postBody: fields)

            let second = try await broker.signIn(postBody: fields)

            #expect(first.status == 200, "\(first.text)")
            #expect(
                second.message
                    == "INVALID_IDP_RESPONSE : The provider refused the authorization code. It was used before, has "
                    + "expired, or belongs to another client or redirect URI. Request a new one.")
        }
    }

    @Test func `the text for a wrong nonce says which form goes where`() async throws {
        try await TestProviders.run { broker, providers in
            var credential = try providers.idTokenCredential(at: "apple.com", forging: nil)
            credential.removeAll { $0.0 == "nonce" }

            let answer = try await broker.signIn(postBody: credential)

            let message = try #require(answer.message)
            #expect(message.hasPrefix("MISSING_OR_INVALID_NONCE : "))
            #expect(message.contains("raw nonce") && message.contains("lower-case hexadecimal SHA-256"))
            #expect(message.components(separatedBy: " : ").count == 2)
        }
    }

    private static func fields(
        _ code: String, _ provider: String, redirectURI: String, verifier: String = RandomText.alphanumeric(64)
    ) -> [(String, String)] {
        [
            ("code", code), ("redirect_uri", redirectURI), ("code_verifier", verifier), ("providerId", provider),
        ]
    }
}

/// A verifier and its challenge (RFC 7636 §4.2).
private struct PKCE {
    let verifier = RandomText.alphanumeric(64)

    var value: String { CodeChallenge(of: verifier).text }
}
