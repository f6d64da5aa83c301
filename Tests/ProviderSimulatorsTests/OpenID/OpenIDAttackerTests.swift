import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("The OpenID simulator, configured to send false values")
struct OpenIDAttackerTests {
    @Test func `discovery and keys are any JSON until it is to tell the truth again`() async throws {
        try await OpenIDSimulator.running { issuer in
            issuer.replaceDiscoveryMember("issuer", with: "https://accounts.example")
            let patched = try JSONValue(
                parsing: await WebClient.get(issuer.url + "/.well-known/openid-configuration").bytes)
            issuer.discoveryOverride = ["nonsense": true]
            issuer.keySetOverride = []
            let replaced = try JSONValue(
                parsing: await WebClient.get(issuer.url + "/.well-known/openid-configuration").bytes)
            let keys = try JSONValue(parsing: await WebClient.get(issuer.url + "/keys").bytes)
            issuer.tellTheTruth()
            let honest = try JSONValue(
                parsing: await WebClient.get(issuer.url + "/.well-known/openid-configuration").bytes)

            #expect(patched["issuer"] == "https://accounts.example" && patched["jwks_uri"] != nil)
            #expect(replaced == ["nonsense": true] && keys == [])
            #expect(honest["issuer"] == .string(issuer.url))
        }
    }

    @Test(arguments: [
        (OpenIDSimulator.IssuerParameter.off, String?.none),
        (.other("https://honest.example"), "https://honest.example"),
    ])
    func `a redirect says nothing about the issuer, or names another one`(
        parameter: OpenIDSimulator.IssuerParameter, expected: String?
    ) async throws {
        try await OpenIDSimulator.running { issuer in
            issuer.issuerParameter = parameter
            let returned = try await issuer.decide(on: try await issuer.authorize())
            #expect(returned.redirectQuery["iss"] == expected && returned.redirectQuery["code"] != nil)
        }
    }

    @Test func `an error comes back with whatever text the attacker likes`() async throws {
        try await OpenIDSimulator.running { issuer in
            let hostile = "<script>alert(1)</script>\r\nSet-Cookie: x=y\u{202E}"
            issuer.refuseAuthorizations(code: "server_error", description: hostile)
            let answer = try await issuer.authorize()
            #expect(answer.redirectQuery["error_description"] == hostile && answer.header("set-cookie") == nil)
        }
    }

    @Test func `userinfo describes another user, and ID tokens have the configured claims`() async throws {
        try await OpenIDSimulator.running { issuer in
            let token = issuer.accessToken(for: issuer.ada, application: issuer.defaultApplication)
            issuer.userinfoOverride = ["sub": "victim"]
            issuer.replaceClaim("iss", with: "https://honest.example")
            issuer.replaceClaim("nonce", with: nil)
            let userinfo = try JSONValue(parsing: await issuer.userinfo(token).bytes)
            let claims = try issuer.claims(
                of: issuer.idToken(for: issuer.ada, application: issuer.defaultApplication, nonce: "n"))

            #expect(userinfo == ["sub": "victim"])
            #expect(claims["iss"] == "https://honest.example" && claims["nonce"] == nil)
        }
    }

    @Test func `forged tokens come from the token endpoint too`() async throws {
        try await OpenIDSimulator.running { issuer in
            issuer.forgery = .wrongAudience
            let code = issuer.authorizationCode(for: issuer.ada, application: issuer.defaultApplication)
            let answer = try await issuer.redeem(code)
            let claims = try issuer.claims(of: try #require(answer.body["id_token"]?.string))
            #expect(claims["aud"] != .string(issuer.defaultApplication.clientID))
        }
    }

    @Test func `keys rotate, and nonsense lies beside them`() async throws {
        try await OpenIDSimulator.running { issuer in
            let first = issuer.keys.currentKeyID
            issuer.keys.rotate()
            issuer.keys.publish(["kty": "RSA", "n": "AQ"])
            let keys = try JSONValue(parsing: await WebClient.get(issuer.url + "/keys").bytes)["keys"]?.array
            #expect(keys?.count == 3 && issuer.keys.currentKeyID != first)
        }
    }

    @Test func `a plain OAuth 2 server has neither discovery nor ID tokens, and any userinfo`() async throws {
        try await OpenIDSimulator.running(
            .init(mode: .oauth2, quirks: [.errorsWithStatus200, .numbersAsText, .scopesAsList, .refusesCodeChallenge])
        ) { issuer in
            issuer.update(subject: issuer.ada.subject) { $0.userinfo = ["response": ["id": 7]] }
            let discovery = try await WebClient.get(issuer.url + "/.well-known/openid-configuration")
            let code = issuer.authorizationCode(for: issuer.ada, application: issuer.defaultApplication)
            let answer = try await issuer.redeem(code)
            let replay = try await issuer.redeem(code)
            let challenged = try await issuer.authorize(["code_challenge": "c", "code_challenge_method": "S256"])

            #expect(discovery.status == 404 && answer.body["id_token"] == nil)
            #expect(answer.body["expires_in"] == "3600" && answer.body["scope"]?.array?.isEmpty == false)
            #expect(replay.status == 200 && replay.body["error"] == "invalid_grant")
            #expect(challenged.redirectQuery["error"] == "invalid_request")

            let token = issuer.accessToken(for: issuer.ada, application: issuer.defaultApplication)
            let userinfo = try JSONValue(parsing: await issuer.userinfo(token).bytes)
            #expect(userinfo == ["response": ["id": 7]])
        }
    }

    @Test func `a forbidden listener counts every request`() async throws {
        let forbidden = try await ForbiddenListener.start()
        #expect(forbidden.hits == 0)
        _ = try await WebClient.get(forbidden.url + "/latest/meta-data?x=1")
        _ = try await WebClient.post(forbidden.url, ["a": "b"])
        #expect(forbidden.hits == 2)
        await forbidden.stop()
    }
}
