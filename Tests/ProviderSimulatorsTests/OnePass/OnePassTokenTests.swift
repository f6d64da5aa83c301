import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass simulator: tokens")
struct OnePassTokenTests {
    private let clock = SimulatorClock.stopped(at: .epoch)
    private let verifier = UUID().uuidString + UUID().uuidString

    private func code(_ onePass: OnePassSimulator, _ application: OnePassSimulator.Application? = nil) throws -> String
    {
        onePass.authorizationCode(
            for: try onePass.named("ada"), application: application ?? onePass.defaultApplication,
            codeChallenge: codeChallenge(of: verifier), nonce: "n")
    }

    @Test func `the token endpoint redeems a code for tokens whose claims name the user and the audience`()
        async throws
    {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let answer = try await onePass.redeem(try code(onePass), verifier: verifier)
            let tokens = try answer.json
            let access = try claims(of: tokens["access_token"] as? String)
            let id = try claims(of: tokens["id_token"] as? String)

            #expect(answer.header("cache-control") == "no-store")
            #expect(tokens["token_type"] as? String == "Bearer" && tokens["expires_in"] as? Int == 900)
            #expect(tokens["scope"] as? String == "openid profile:basic email")
            for claims in [access, id] {
                #expect(claims["iss"] == .string(onePass.url))
                #expect(claims["aud"] == .string(onePass.defaultApplication.clientID))
                #expect(claims["sub"] == .string(try onePass.named("ada").subject))
                #expect(claims["exp"]?.integer == Int64(Date.epoch.timeIntervalSince1970) + 900)
            }
            #expect(access["scope"] == "openid profile:basic email" && access["nonce"] == nil)
            #expect(id["nonce"] == "n" && id["email"] == nil)
            #expect(id["at_hash"]?.string?.count == 22)
        }
    }

    @Test func `codes and refresh tokens carry what a careless form changes`() async throws {
        try await OnePassSimulator.running { onePass in
            let code = try code(onePass)
            let careless = try await WebClient.send(
                "POST", onePass.tokenURL, headers: ["content-type": "application/x-www-form-urlencoded"],
                body: "grant_type=authorization_code&code=\(code)&"
                    + WebClient.encode([
                        "redirect_uri": onePass.defaultApplication.redirectURIs[0], "code_verifier": verifier,
                        "client_id": onePass.defaultApplication.clientID,
                        "client_secret": onePass.defaultApplication.clientSecret ?? "",
                    ]))
            let careful = try await onePass.redeem(code, verifier: verifier)

            #expect(code.contains("+") && code.contains("/") && code.contains("="))
            #expect(try careless.json["error"] as? String == "invalid_grant")
            #expect(try (careful.json["refresh_token"] as? String)?.contains("+") == true)
        }
    }

    @Test func `a wrong verifier, redirect URI or client gets nothing`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let other = onePass.register(.init())
            let code = try code(onePass)
            let refused = [
                try await onePass.redeem(code, verifier: verifier + "x"),
                try await onePass.redeem(code, verifier: verifier, redirectURI: "http://127.0.0.1/"),
                try await onePass.redeem(code, verifier: verifier, for: other),
            ]
            let missing = try await onePass.post(
                onePass.tokenURL, as: onePass.defaultApplication, ["grant_type": "authorization_code", "code": code])
            clock.advance(by: 600)
            let late = try await onePass.redeem(code, verifier: verifier)

            for answer in refused + [late] {
                #expect(answer.status == 400)
                #expect(try answer.json["error"] as? String == "invalid_grant")
            }
            #expect(try missing.json["error"] as? String == "invalid_request")
        }
    }

    @Test func `a code redeemed twice ends what it was redeemed for`() async throws {
        try await OnePassSimulator.running { onePass in
            let code = try code(onePass)
            let token = try #require(try await onePass.redeem(code, verifier: verifier).json["access_token"] as? String)
            #expect(onePass.isLive(token: token))

            let again = try await onePass.redeem(code, verifier: verifier)

            #expect(try again.json["error"] as? String == "invalid_grant")
            #expect(!onePass.isLive(token: token))
        }
    }

    @Test func `a public client that sends a secret is refused, a confidential one without as well`() async throws {
        try await OnePassSimulator.running { onePass in
            var pretender = onePass.register(.init(type: .public))
            let honest = try await onePass.redeem(try code(onePass, pretender), verifier: verifier, for: pretender)
            let code = try code(onePass, pretender)
            pretender.clientSecret = "downgraded"
            var forgetful = onePass.defaultApplication
            forgetful.clientSecret = nil
            let refused = [
                try await onePass.redeem(code, verifier: verifier, for: pretender),
                try await onePass.redeem(try self.code(onePass), verifier: verifier, for: forgetful),
            ]

            #expect(honest.status == 200)
            for answer in refused {
                #expect(answer.status == 401)
                #expect(try answer.json["error"] as? String == "invalid_client")
            }
        }
    }

    @Test func `a secret in the header is as good as one in the body, both together are not`() async throws {
        try await OnePassSimulator.running { onePass in
            let application = onePass.defaultApplication
            let basic = Data("\(application.clientID):\(application.clientSecret ?? "")".utf8).base64EncodedString()
            func redeem(_ extra: String) async throws -> WebClient.Answer {
                try await WebClient.send(
                    "POST", onePass.tokenURL,
                    headers: [
                        "content-type": "application/x-www-form-urlencoded", "authorization": "Basic \(basic)",
                    ],
                    body: WebClient.encode([
                        "grant_type": "authorization_code", "code": try code(onePass), "code_verifier": verifier,
                        "redirect_uri": application.redirectURIs[0],
                    ]) + extra)
            }

            let both = try await redeem("&client_secret=x")
            let foreign = try await redeem("&client_id=logi_0")

            #expect(try await redeem("").status == 200)
            #expect(try both.json["error"] as? String == "invalid_request")
            #expect(try foreign.json["error"] as? String == "invalid_client")
        }
    }

    @Test func `every error names its request and a page about it`() async throws {
        try await OnePassSimulator.running { onePass in
            let answer = try await onePass.redeem("nothing", verifier: verifier)
            let json = try answer.json

            #expect(json["error_description"] is String)
            #expect(json["error_uri"] as? String == "https://docs.1pass.dev/oauth/errors#invalid_grant")
            #expect(json["request_id"] as? String == answer.header("x-logi-request-id"))
            #expect(answer.header("x-logi-console-url") != nil)
        }
    }

    @Test func `a refresh token is good once, and using it again ends the family`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let first = onePass.tokens(for: try onePass.named("ada"), application: onePass.defaultApplication)
            let second = try await onePass.refresh(first.refreshToken).json
            let successor = try #require(second["refresh_token"] as? String)
            let replay = try await onePass.refresh(first.refreshToken)
            let afterwards = try await onePass.refresh(successor)

            #expect(successor != first.refreshToken)
            #expect(try claims(of: second["id_token"] as? String)["nonce"] == nil)
            for answer in [replay, afterwards] {
                #expect(answer.status == 400)
                #expect(try answer.json["error"] as? String == "invalid_grant")
            }
            #expect(!onePass.isLive(token: try #require(second["access_token"] as? String)))
        }
    }

    @Test func `refresh tokens live thirty days and may be told to stay`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            onePass.behaviour.rotatesRefreshTokens = false
            onePass.behaviour.refreshesIDTokens = false
            let token = onePass.tokens(for: try onePass.named("ada"), application: onePass.defaultApplication)
            clock.advance(by: 30 * 86_400 - 1)
            let answer = try await onePass.refresh(token.refreshToken).json
            let again = try await onePass.refresh(token.refreshToken)
            clock.advance(by: 1)

            #expect(answer["refresh_token"] == nil && answer["id_token"] == nil)
            #expect(again.status == 200)
            #expect(try await onePass.refresh(token.refreshToken).status == 400)
        }
    }

    @Test func `revoking is always answered and ends only one's own tokens`() async throws {
        try await OnePassSimulator.running { onePass in
            let mine = onePass.defaultApplication
            let other = onePass.register(.init(type: .public))
            let tokens = onePass.tokens(for: try onePass.named("ada"), application: mine)
            func revoke(_ token: String, _ application: OnePassSimulator.Application) async throws -> Int {
                try await onePass.post(onePass.url + "/oauth/revoke", as: application, ["token": token]).status
            }

            #expect(try await revoke(tokens.refreshToken, other) == 200)
            #expect(onePass.isLive(token: tokens.accessToken))
            #expect(try await revoke("unknown", mine) == 200)
            #expect(try await revoke(tokens.refreshToken, mine) == 200)
            #expect(!onePass.isLive(token: tokens.accessToken))
            #expect(try await onePass.refresh(tokens.refreshToken).status == 400)
        }
    }
}
