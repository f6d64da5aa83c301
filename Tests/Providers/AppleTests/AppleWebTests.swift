import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Apple: web sites")
struct AppleWebTests {
    static let attempt = SignInAttempt(
        state: "s&", redirectURI: "https://id.example/oauth/callback/apple.com", codeChallenge: "c", nonce: "n",
        parameters: ["response_mode": "query", "state": "evil", "client_id": "evil", "locale": "de_DE"])

    @Test func `a code is redeemed with its redirect URI, and its ID token says who it is`() async throws {
        try await AppleSimulator.running { apple in
            let identity = try await apple.provider().verify(apple.code(try apple.ada, nonce: "n"))

            let form = try #require(apple.forms(.token).first)
            #expect(identity.subject == apple.subject(of: try apple.ada, for: apple.defaultApplication))
            #expect(identity.grant?.clientID == apple.defaultApplication.clientID)
            #expect(identity.grant?.refreshToken != nil && identity.grant?.idToken != nil)
            #expect(identity.grant?.expiresAt == apple.clock.now.addingTimeInterval(3600))
            #expect(form["redirect_uri"] == apple.defaultApplication.returnURLs[0])
            #expect(form["client_id"] == apple.defaultApplication.clientID)
            #expect(form["grant_type"] == "authorization_code")
        }
    }

    @Test func `a user signs in at Apple's page`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any RedirectSignIn)
            let redirectURI = "http://127.0.0.1:4000/oauth/callback/apple.com"
            let attempt = SignInAttempt(state: "s", redirectURI: redirectURI, codeChallenge: "c", nonce: "n")
            let browser = SimulatorUpstream()

            let page = try await browser.send(
                UpstreamRequest(.get, try await provider.authorizationURL(for: attempt), at: .redeem))
            let text = String(decoding: page.body, as: UTF8.self)
            let consent = try #require(text.firstMatch(of: /name="consent" value="([0-9a-f]+)"/)?.output.1)
            let decision = [("consent", String(consent)), ("person", try apple.ada.id), ("decision", "authorize")]
            let answer = try await browser.send(
                UpstreamRequest(.post, apple.url + "/auth/authorize", at: .redeem).sending(form: decision))
            let posted = String(decoding: answer.body, as: UTF8.self)
            let code = try #require(posted.firstMatch(of: /name="code" value="([^"]+)"/)?.output.1)
            let identity = try await provider.verify(
                Credential(
                    .authorizationCode(
                        .init(code: String(code), redirectURI: redirectURI, verifier: "v", expectedNonce: "n"))))

            #expect(posted.contains(#"action="\#(redirectURI)""#) && posted.contains(#"name="state" value="s""#))
            #expect(identity.subject == apple.subject(of: try apple.ada, for: apple.defaultApplication))
        }
    }

    @Test func `every request has its own client secret, valid for five minutes at most`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try apple.provider()
            _ = try await provider.verify(apple.code(try apple.ada))
            _ = try await provider.verify(apple.native(try apple.ada, sendsCode: true))

            let secrets = apple.forms(.token).compactMap { $0["client_secret"] }
            #expect(Set(secrets).count == 2)
            for secret in secrets {
                let claims = try CompactJWS(parsing: secret).unverifiedClaims()
                let lifetime = try #require(claims["exp"]?.integer) - #require(claims["iat"]?.integer)
                #expect((1...300).contains(lifetime))
                #expect(claims["aud"]?.string == apple.url && claims["iss"]?.string == apple.teamID)
            }
            #expect(apple.clientRefusals.isEmpty)
        }
    }

    @Test func `the nonce of the attempt has to come back`() async throws {
        try await AppleSimulator.running { apple in
            let wrong = try await apple.refusal(apple.code(try apple.ada, nonce: "n", expecting: "other"))
            let missing = try await apple.refusal(apple.code(try apple.ada, expecting: "n"))

            #expect(wrong.fault == .nonce && missing.fault == .nonce)
        }
    }

    @Test(arguments: IDTokenForgery.allCases)
    func `a forged token from the token endpoint is refused`(forgery: IDTokenForgery) async throws {
        try await AppleSimulator.running { apple in
            apple.forgery = forgery

            let error = try await apple.refusal(apple.code(try apple.ada, nonce: "n"))

            #expect(error.fault == forgery.expectedFault)
        }
    }

    @Test func `a token for the app is not one for the web site's code`() async throws {
        try await AppleSimulator.running { apple in
            apple.replaceClaim("aud", with: .string(apple.nativeApplication.clientID))

            let error = try await apple.refusal(apple.code(try apple.ada))

            #expect(error.fault == .credential)
        }
    }

    @Test func `a response without ID token is refused`() async throws {
        try await AppleSimulator.running { apple in
            let body = #"{"access_token":"a","token_type":"Bearer"}"#
            apple.fail(.token, with: .status(200, body: body, contentType: "application/json"))

            let error = try await apple.refusal(apple.code(try apple.ada))

            #expect(error.fault == .upstream)
        }
    }

    @Test func `a used code is a credential fault, a refused client a configuration fault`() async throws {
        try await AppleSimulator.running { apple in
            let credential = apple.code(try apple.ada)
            _ = try await apple.provider().verify(credential)

            #expect(try await apple.refusal(credential).fault == .credential)
            apple.revoke(keyID: apple.key.keyID)
            #expect(try await apple.refusal(apple.code(try apple.ada)).fault == .configuration)
        }
    }

    @Test func `the browser is asked to post its answer, and nothing the app adds changes that`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any RedirectSignIn)

            let url = try await provider.authorizationURL(for: Self.attempt)

            let query = try #require(FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
            func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
            #expect(url.hasPrefix("\(apple.url)/auth/authorize?") && !url.contains("evil"))
            #expect(values("response_mode") == ["form_post"] && values("response_type") == ["code"])
            #expect(values("client_id") == [apple.defaultApplication.clientID])
            #expect(values("scope") == ["name email"] && values("nonce") == ["n"] && values("state") == ["s&"])
            #expect(values("redirect_uri") == [Self.attempt.redirectURI] && values("locale") == ["de_DE"])
            #expect(provider.authorizationResponseIssuer == nil)
        }
    }

    @Test func `without a Services ID there is no browser sign-in`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider(["servicesId": nil]) as? any RedirectSignIn)

            let error = await #expect(throws: ProviderError.self) {
                _ = try await provider.authorizationURL(for: Self.attempt)
            }

            #expect(provider.accepts == [.idToken])
            #expect(error?.fault == .configuration)
            #expect(error?.reason.contains("servicesId") == true)
        }
    }

    @Test func `no error repeats a code, a token or the key`() async throws {
        try await AppleSimulator.running { apple in
            let faults: [SimulatorFault] = [
                .status(500), .status(400, body: #"{"error":"raw-secret"}"#, contentType: "application/json"),
                .htmlInsteadOfJSON, .garbage(), .emptyBody,
            ]
            for fault in faults {
                apple.fail(.token, with: fault, times: 1)
                let credential = apple.code(try apple.ada)
                let error = try await apple.refusal(credential)
                guard case .authorizationCode(let code) = credential.proof else { return }
                #expect(error.fault == .upstream)
                #expect(!"\(error)".contains(code.code) && !"\(error)".contains("raw-secret"))
            }
        }
    }
}
