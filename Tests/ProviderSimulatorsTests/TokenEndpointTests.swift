import Foundation
import ProviderSimulators
import Testing

@Suite("GitHub simulator: token endpoint")
struct TokenEndpointTests {
    @Test func `answers a form unless the client asks for something else`() async throws {
        try await GitHubSimulator.running { github in
            let ada = try github.ada
            let codes = (0..<4).map { _ in github.authorizationCode(for: ada, application: github.defaultApplication) }

            let form = try await github.redeem(codes[0], accept: nil)
            let any = try await github.redeem(codes[1], accept: "*/*")
            let json = try await github.redeem(codes[2])
            let xml = try await github.redeem(codes[3], accept: "application/xml")

            #expect(form.header("content-type") == "application/x-www-form-urlencoded; charset=utf-8")
            #expect(form.text.contains("scope=read%3Auser%2Cuser%3Aemail&token_type=bearer"))
            #expect(any.form["access_token"]?.hasPrefix("gho_") == true)
            #expect(json.header("content-type") == "application/json; charset=utf-8")
            #expect(xml.text.contains("<OAuth><access_token>gho_"))
            #expect(xml.text.hasSuffix("<token_type>bearer</token_type></OAuth>"))
        }
    }

    @Test func `an OAuth app's token has comma scopes, a lower case type and no expiry`() async throws {
        try await GitHubSimulator.running { github in
            let code = github.authorizationCode(for: try github.ada, application: github.defaultApplication)

            let answer = try await github.redeem(code)

            let json = try answer.json
            #expect(answer.status == 200)
            #expect(Set(json.keys) == ["access_token", "scope", "token_type"])
            #expect(json["scope"] as? String == "read:user,user:email")
            #expect(json["token_type"] as? String == "bearer")
            #expect((json["access_token"] as? String)?.count == 40)
        }
    }

    @Test func `implied and repeated scopes vanish from the granted list`() async throws {
        try await GitHubSimulator.running { github in
            let code = github.authorizationCode(
                for: try github.ada, application: github.defaultApplication,
                scopes: ["user:email", "user", "gist", "read:user", "gist"])

            let json = try await github.redeem(code).json

            #expect(json["scope"] as? String == "user,gist")
        }
    }

    @Test func `a code works once`() async throws {
        try await GitHubSimulator.running { github in
            let code = github.authorizationCode(for: try github.ada, application: github.defaultApplication)

            let first = try await github.redeem(code).json
            let second = try await github.redeem(code).json

            #expect(first["error"] == nil)
            #expect(second["error"] as? String == "bad_verification_code")
            #expect(code.wholeMatch(of: /[0-9a-f]{20}/) != nil)
        }
    }

    @Test(arguments: [(599, nil), (600, "bad_verification_code")])
    func `a code lives ten minutes`(seconds: TimeInterval, error: String?) async throws {
        let clock = SimulatorClock.stopped(at: .epoch)
        try await GitHubSimulator.running(.init(clock: clock)) { github in
            let code = github.authorizationCode(for: try github.ada, application: github.defaultApplication)

            clock.advance(by: seconds)

            #expect(try await github.redeem(code).json["error"] as? String == error)
        }
    }

    @Test func `PKCE is checked when a challenge was used`() async throws {
        try await GitHubSimulator.running { github in
            let ada = try github.ada
            let verifier = UUID().uuidString + UUID().uuidString
            let application = github.defaultApplication
            func attempt(_ verifier: String?, challenge: String?) async throws -> String? {
                let code = github.authorizationCode(for: ada, application: application, codeChallenge: challenge)
                var fields: KeyValuePairs = [
                    "client_id": application.clientID, "client_secret": application.clientSecret, "code": code,
                ]
                if let verifier {
                    fields = [
                        "client_id": application.clientID, "client_secret": application.clientSecret, "code": code,
                        "code_verifier": verifier,
                    ]
                }
                return try await WebClient.post(github.tokenURL, fields).json["error"] as? String
            }
            let challenge = codeChallenge(of: verifier)

            #expect(try await attempt(verifier, challenge: challenge) == nil)
            #expect(try await attempt(nil, challenge: nil) == nil)
            #expect(try await attempt(nil, challenge: challenge) == "bad_verification_code")
            #expect(try await attempt(verifier + "x", challenge: challenge) == "bad_verification_code")
        }
    }

    @Test func `a server that does not know PKCE ignores it`() async throws {
        try await GitHubSimulator.running(.init(checksCodeChallenge: false)) { github in
            let code = github.authorizationCode(
                for: try github.ada, application: github.defaultApplication, codeChallenge: "unanswerable")

            #expect(try await github.redeem(code).json["access_token"] != nil)
        }
    }

    /// Requests that fail, each with the error it is told.
    private func failures(
        _ github: GitHubSimulator
    ) throws -> [(fields: KeyValuePairs<String, String>, error: String)] {
        let application = github.defaultApplication
        let (id, secret) = (application.clientID, application.clientSecret)
        let foreign = github.authorizationCode(for: try github.ada, application: github.register(.init()))
        let asked = github.authorizationCode(
            for: try github.ada, application: application, redirectURI: application.callbackURL + "/a")
        let unverified = github.authorizationCode(for: try github.person("cleo"), application: application)
        return [
            (["client_id": id, "client_secret": "wrong", "code": asked], "incorrect_client_credentials"),
            (["client_id": id, "code": asked], "incorrect_client_credentials"),
            (["client_id": id, "client_secret": secret, "code": foreign], "bad_verification_code"),
            (["client_id": id, "client_secret": secret], "bad_verification_code"),
            (
                [
                    "client_id": id, "client_secret": secret, "code": asked,
                    "redirect_uri": application.callbackURL + "/b",
                ], "redirect_uri_mismatch"
            ),
            (["client_id": id, "client_secret": secret, "code": unverified], "unverified_user_email"),
            (["client_id": id, "client_secret": secret, "grant_type": "refresh_token"], "bad_refresh_token"),
            (["client_id": id, "client_secret": secret, "grant_type": "password"], "unsupported_grant_type"),
        ]
    }

    @Test func `errors come with status 200 and a page that explains them`() async throws {
        try await GitHubSimulator.running { github in
            for (fields, error) in try failures(github) {
                let answer = try await WebClient.post(github.tokenURL, fields)
                #expect(answer.status == 200)
                #expect(try answer.json["error"] as? String == error)
                #expect((try answer.json["error_description"] as? String)?.isEmpty == false)
                #expect((try answer.json["error_uri"] as? String)?.hasPrefix("https://docs.github.com/") == true)
                let form = try await WebClient.post(github.tokenURL, fields, accept: nil)
                #expect(form.form["error"] == error)
            }
        }
    }

    @Test func `an unknown client and a wrong method are not found`() async throws {
        try await GitHubSimulator.running { github in
            let unknown = try await WebClient.post(
                github.tokenURL, ["client_id": "Ov23liNobody", "client_secret": "x", "code": "y"], accept: nil)
            let wrongMethod = try await WebClient.get(
                github.tokenURL + "?client_id=\(github.defaultApplication.clientID)")

            for answer in [unknown, wrongMethod] {
                #expect(answer.status == 404)
                #expect(answer.text == #"{"error":"Not Found"}"#)
            }
        }
    }

    @Test func `the client may use Basic or send JSON`() async throws {
        try await GitHubSimulator.running { github in
            let application = github.defaultApplication
            let basic = Data("\(application.clientID):\(application.clientSecret)".utf8).base64EncodedString()
            let (first, second) = (
                github.authorizationCode(for: try github.ada, application: application),
                github.authorizationCode(for: try github.ada, application: application)
            )

            let byBasic = try await WebClient.send(
                "POST", github.tokenURL,
                headers: ["authorization": "Basic \(basic)", "content-type": "application/x-www-form-urlencoded"],
                body: "code=\(first)")
            let byJSON = try await WebClient.json(
                "POST", github.tokenURL,
                """
                {"client_id":"\(application.clientID)","client_secret":"\(application.clientSecret)","code":"\(second)"}
                """)

            #expect(byBasic.form["access_token"]?.isEmpty == false)
            #expect(byJSON.form["access_token"]?.isEmpty == false)
        }
    }

    @Test func `a malformed form is a bad request`() async throws {
        try await GitHubSimulator.running { github in
            for body in ["client_id=%zz", "client_id=%f", "client_id=%ff"] {
                let answer = try await WebClient.send(
                    "POST", github.tokenURL, headers: ["content-type": "application/x-www-form-urlencoded"], body: body)
                #expect(answer.status == 400)
            }
        }
    }

    @Test func `the eleventh token of a kind removes the oldest`() async throws {
        try await GitHubSimulator.running { github in
            let ada = try github.ada
            let other = github.accessToken(for: ada, application: github.defaultApplication, scopes: ["gist"])
            let tokens = (0..<11).map { _ in github.accessToken(for: ada, application: github.defaultApplication) }

            #expect(try await github.api("/user", token: tokens[0]).status == 401)
            #expect(try await github.api("/user", token: tokens[1]).status == 200)
            #expect(try await github.api("/user", token: tokens[10]).status == 200)
            #expect(try await github.api("/user", token: other).status == 200)
        }
    }

    @Test func `a token dies after a year without use`() async throws {
        let clock = SimulatorClock.stopped(at: .epoch)
        try await GitHubSimulator.running(.init(clock: clock)) { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)

            clock.advance(by: .seconds(364 * 86_400))
            #expect(try await github.api("/user", token: token).status == 200)
            clock.advance(by: .seconds(364 * 86_400))
            #expect(try await github.api("/user", token: token).status == 200)
            clock.advance(by: .seconds(366 * 86_400))
            #expect(try await github.api("/user", token: token).status == 401)
        }
    }
}
