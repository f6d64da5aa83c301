import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("The OpenID simulator, honest")
struct OpenIDHonestyTests {
    @Test func `discovery names the issuer, its endpoints and what it signs with`() async throws {
        try await OpenIDSimulator.running { issuer in
            let document = try JSONValue(
                parsing: await WebClient.get(issuer.url + "/.well-known/openid-configuration").bytes)
            #expect(document["issuer"] == .string(issuer.url))
            #expect(document["id_token_signing_alg_values_supported"] == ["RS256"])
            for name in ["token", "authorization", "userinfo", "revocation", "device_authorization"] {
                #expect(document[name + "_endpoint"]?.string?.hasPrefix(issuer.url) == true)
            }
        }
    }

    @Test func `the user consents in the browser, and the code is redeemed for tokens that verify`() async throws {
        try await OpenIDSimulator.running { issuer in
            let page = try await issuer.authorize()
            let returned = try await issuer.decide(on: page)
            #expect(returned.status == 302 && returned.redirectTarget == OpenIDSimulator.callback)
            #expect(returned.redirectQuery["state"] == "s-1" && returned.redirectQuery["iss"] == issuer.url)

            let answer = try await issuer.redeem(try #require(returned.redirectQuery["code"]))
            let accessToken = try #require(answer.body["access_token"]?.string)
            let verified = try await StandaloneTokens(upstream: SimulatorUpstream(), now: { Date() }).verify(
                try #require(answer.body["id_token"]?.string),
                by: IDTokenPolicy(
                    issuers: [issuer.url], audiences: [issuer.defaultApplication.clientID],
                    keySetURL: issuer.url + "/keys"), nonce: .sent("n-1"), accessToken: accessToken)
            #expect(verified.subject == issuer.ada.subject && verified.bindsAccessToken)

            let userinfo = try JSONValue(parsing: await issuer.userinfo(accessToken).bytes)
            #expect(userinfo["sub"] == .string(issuer.ada.subject) && userinfo["email"] == "ada@example.com")
        }
    }

    @Test func `a user who declines is redirected without a code`() async throws {
        try await OpenIDSimulator.running { issuer in
            let returned = try await issuer.decide(on: try await issuer.authorize(), "cancel")
            #expect(returned.redirectQuery["error"] == "access_denied" && returned.redirectQuery["code"] == nil)
        }
    }

    @Test(arguments: [
        (["response_type": "token"], "unsupported_response_type"), (["scope": "email"], "invalid_scope"),
        (["code_challenge": "c", "code_challenge_method": "plain"], "invalid_request"),
    ])
    func `a request that is wrong goes back to the application`(
        changes: [String: String], error: String
    ) async throws {
        try await OpenIDSimulator.running { issuer in
            let answer = try await issuer.authorize(changes)
            #expect(answer.redirectQuery["error"] == error && answer.redirectQuery["state"] == "s-1")
        }
    }

    @Test(arguments: [["client_id": "nobody"], ["redirect_uri": "http://evil.example/"], ["redirect_uri": ""]])
    func `the browser is not redirected to an unregistered URI`(changes: [String: String]) async throws {
        try await OpenIDSimulator.running { issuer in
            let answer = try await issuer.authorize(changes)
            #expect(answer.status == 400 && answer.header("location") == nil)
        }
    }

    @Test func `a code is single-use and valid for its verifier, its redirect URI and a minute`() async throws {
        let clock = SimulatorClock.system
        try await OpenIDSimulator.running(.init(clock: clock)) { issuer in
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Data("verifier".utf8))))
            func code(_ challenge: String?) -> String {
                issuer.authorizationCode(
                    for: issuer.ada, application: issuer.defaultApplication, codeChallenge: challenge)
            }
            let good = code(challenge)
            let first = try await issuer.redeem(good, verifier: "verifier")
            let second = try await issuer.redeem(good, verifier: "verifier")
            let guessed = try await issuer.redeem(code(challenge), verifier: "other")
            let bare = try await issuer.redeem(code(challenge))
            let unasked = try await issuer.redeem(code(nil), verifier: "verifier")
            let elsewhere = try await issuer.redeem(code(nil), redirectURI: "http://127.0.0.1/other")
            let late = code(nil)
            clock.advance(by: 61)
            let tooLate = try await issuer.redeem(late)

            #expect(first.status == 200)
            for answer in [second, guessed, bare, unasked, elsewhere, tooLate] {
                #expect(answer.status == 400 && answer.body["error"] == "invalid_grant")
            }
            let token = try #require(first.body["access_token"]?.string)
            #expect(!issuer.isLive(token: token), "a code that comes twice ends what it brought")
        }
    }

    @Test func `refresh tokens rotate, and one that comes twice ends the grant`() async throws {
        try await OpenIDSimulator.running { issuer in
            let code = issuer.authorizationCode(
                for: issuer.ada, application: issuer.defaultApplication, nonce: "n-1")
            let first = try await issuer.redeem(code)
            let old = try #require(first.body["refresh_token"]?.string)
            let second = try await issuer.refresh(old)
            let token = try #require(second.body["access_token"]?.string)

            #expect(second.body["refresh_token"] != first.body["refresh_token"] && issuer.isLive(token: token))
            #expect(try issuer.claims(of: try #require(second.body["id_token"]?.string))["nonce"] == nil)
            let replayed = try await issuer.refresh(old)
            #expect(replayed.body["error"] == "invalid_grant" && !issuer.isLive(token: token))
        }
    }

    @Test func `an access token is valid for an hour, and no longer than its user's account`() async throws {
        let clock = SimulatorClock.system
        try await OpenIDSimulator.running(.init(clock: clock)) { issuer in
            let token = issuer.accessToken(for: issuer.ada, application: issuer.defaultApplication)
            let before = try await issuer.userinfo(token)
            clock.advance(by: 3601)
            let after = try await issuer.userinfo(token)
            let fresh = issuer.accessToken(for: issuer.ada, application: issuer.defaultApplication)
            issuer.remove(subject: issuer.ada.subject)
            let gone = try await issuer.userinfo(fresh)

            #expect(before.status == 200 && after.status == 401 && gone.status == 401)
            #expect(after.header("www-authenticate")?.contains("invalid_token") == true)
        }
    }

    @Test func `an assertion is single-use and valid only for its own client`() async throws {
        let key = P256.Signing.PrivateKey()
        let signing = ClientAssertion.Key(pem: Secret(key.pemRepresentation), keyID: "k", algorithm: .es256)
        let application = OpenIDSimulator.Application(
            authentication: .privateKey(keys: ["keys": [try signing.publicJWK()]]))
        try await OpenIDSimulator.running(.init(application: application)) { issuer in
            func ask(_ assertion: String) async throws -> JSONValue? {
                let code = issuer.authorizationCode(for: issuer.ada, application: application)
                let answer = try await WebClient.post(
                    issuer.url + "/token",
                    [
                        "grant_type": "authorization_code", "code": code, "redirect_uri": OpenIDSimulator.callback,
                        "client_id": application.clientID, "client_assertion": assertion,
                        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                    ])
                return try JSONValue(parsing: answer.bytes)["error"]
            }
            func assertion(_ subject: String, for audience: String, key: ClientAssertion.Key) throws -> String {
                try ClientAssertion(key: key, issuer: subject, subject: subject, audience: audience).signed(now: Date())
            }
            let other = ClientAssertion.Key(
                pem: Secret(P256.Signing.PrivateKey().pemRepresentation), keyID: "k", algorithm: .es256)
            let good = try assertion(application.clientID, for: issuer.url, key: signing)

            let first = try await ask(good)
            let second = try await ask(good)
            let foreign = try await ask(try assertion(application.clientID, for: issuer.url, key: other))
            let stranger = try await ask(try assertion("nobody", for: issuer.url, key: signing))
            let elsewhere = try await ask(try assertion(application.clientID, for: "https://x.example", key: signing))

            #expect(first == nil)
            for error in [second, foreign, stranger, elsewhere] { #expect(error == "invalid_client") }
        }
    }
}
