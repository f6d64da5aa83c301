import Foundation
import ProviderSimulators
import Testing

@Suite("GitHub simulator: authorization page")
struct AuthorizationTests {
    static let callback = "http://127.0.0.1:4000/callback"

    @Test func `consent leads back with code, state and issuer`() async throws {
        try await GitHubSimulator.running(.init(application: .init(callbackURL: Self.callback))) { github in
            let state = "s &=+%\u{e9}"

            let answer = try await github.decide(
                as: try github.ada, scopes: ["read:user"],
                request: ["client_id": github.defaultApplication.clientID, "scope": "read:user", "state": state])

            #expect(answer.status == 302)
            #expect(answer.redirectTarget == Self.callback)
            #expect(answer.redirectQuery["state"] == state)
            #expect(answer.redirectQuery["iss"] == github.url + "/login/oauth")
            let code = try #require(answer.redirectQuery["code"])
            #expect(try await github.redeem(code).json["scope"] as? String == "read:user")
        }
    }

    @Test func `the user may remove scopes`() async throws {
        try await GitHubSimulator.running { github in
            let answer = try await github.decide(
                as: try github.ada, scopes: ["user:email", "repo"],
                request: ["client_id": github.defaultApplication.clientID, "scope": "read:user,user:email gist"])

            let code = try #require(answer.redirectQuery["code"])
            #expect(try await github.redeem(code).json["scope"] as? String == "user:email")
        }
    }

    @Test func `a page can be answered once`() async throws {
        try await GitHubSimulator.running { github in
            let page = try await WebClient.get(github.authorizeURL(["client_id": github.defaultApplication.clientID]))
            let consent = try #require(page.text.firstMatch(of: /name="consent" value="([0-9a-f]+)"/)?.output.1)
            let fields: KeyValuePairs = [
                "consent": String(consent), "person": "\(try github.ada.id)", "decision": "authorize",
            ]

            let first = try await WebClient.post(github.url + "/login/oauth/authorize", fields)
            let second = try await WebClient.post(github.url + "/login/oauth/authorize", fields)

            #expect(first.status == 302)
            #expect(second.status == 422)
        }
    }

    @Test func `a request without scopes reuses what was granted before, unseen`() async throws {
        try await GitHubSimulator.running { github in
            let client = github.defaultApplication.clientID
            _ = github.accessToken(for: try github.ada, application: github.defaultApplication, scopes: ["gist"])
            let first = try await github.decide(
                as: try github.ada, scopes: ["user:email"], request: ["client_id": client, "scope": "user:email"])
            let cookie = try #require(first.header("set-cookie")?.split(separator: ";").first.map(String.init))

            let silent = try await WebClient.get(
                github.authorizeURL(["client_id": client]), headers: ["cookie": cookie])
            let chosen = try await WebClient.get(
                github.authorizeURL(["client_id": client, "prompt": "select_account"]), headers: ["cookie": cookie])
            let scoped = try await WebClient.get(
                github.authorizeURL(["client_id": client, "scope": "repo"]), headers: ["cookie": cookie])
            let stranger = try await WebClient.get(github.authorizeURL(["client_id": client]))

            let code = try #require(silent.redirectQuery["code"])
            #expect(try await github.redeem(code).json["scope"] as? String == "gist,user:email")
            #expect(chosen.status == 200)
            #expect(scoped.status == 200)
            #expect(stranger.status == 200)
        }
    }

    @Test(arguments: [
        ("http://example.com/path", "http://example.com/path", true),
        ("http://example.com/path", "http://example.com/path/sub/directory", true),
        ("http://example.com/path", "http://oauth.example.com/path", true),
        ("http://example.com/path", "http://oauth.example.com:8080/path", false),
        ("http://example.com/path", "http://notexample.com/path", false),
        ("http://example.com/path", "http://example.com.example.test/path", false),
        ("http://example.com/path", "https://example.com/path", false),
        ("http://example.com/path", "http://example.com/bar", false),
        ("http://example.com/path", "http://example.com/pathology", false),
        ("http://example.com/path", "http://example.com/path/../bar", false),
        ("http://example.com/path", "http://example.com/path/%2E%2e/bar", false),
        ("http://example.com/path", "http://example.com/", false),
        ("http://example.com/path", "http://example.com:8080/path", false),
        ("http://example.com/path", "http://example.com@example.test/path", false),
        ("http://example.com/path", "http://example.com\\@example.test/path", false),
        ("https://example.com/", "https://example.com:443/anything", true),
        ("http://127.0.0.1/path", "http://127.0.0.1:1234/path", true),
        ("http://127.0.0.1:99/path", "http://127.0.0.1:1234/path/sub", true),
        ("http://[::1]/path", "http://[::1]:1234/path", true),
        ("http://localhost/path", "http://localhost:1234/path", true),
        ("http://127.0.0.1/path", "http://localhost:1234/path", false),
        ("http://127.0.0.1/path", "http://a.127.0.0.1:1234/path", false),
    ])
    func `a redirect URI is the callback or below it`(
        callback: String, redirect: String, isCovered: Bool
    ) async throws {
        try await GitHubSimulator.running(.init(application: .init(callbackURL: callback))) { github in
            let request: KeyValuePairs = [
                "client_id": github.defaultApplication.clientID, "redirect_uri": redirect, "state": "s",
            ]

            if isCovered {
                let answer = try await github.decide(as: try github.ada, request: request)
                #expect(answer.redirectTarget == redirect)
                #expect(answer.redirectQuery["code"]?.isEmpty == false)
            } else {
                let answer = try await WebClient.get(github.authorizeURL(request))
                #expect(answer.status == 302)
                #expect(answer.redirectTarget == callback)
                #expect(answer.redirectQuery["error"] == "redirect_uri_mismatch")
            }
        }
    }

    @Test func `a GitHub App takes its registered callbacks and nothing else`() async throws {
        let application = GitHubSimulator.Application(
            kind: .gitHubApp(), callbackURL: "https://a.example.com/cb",
            additionalCallbackURLs: ["https://b.example.com/cb"])
        try await GitHubSimulator.running(.init(application: application)) { github in
            func attempt(_ redirect: String) async throws -> Int {
                try await WebClient.get(
                    github.authorizeURL(["client_id": application.clientID, "redirect_uri": redirect])
                ).status
            }

            let (first, second) = try await (attempt("https://a.example.com/cb"), attempt("https://b.example.com/cb"))
            let below = try await attempt("https://a.example.com/cb/sub")

            #expect(first == 200)
            #expect(second == 200)
            #expect(below == 302)
        }
    }

    @Test func `errors go to the registered callback with a page that explains them`() async throws {
        let application = GitHubSimulator.Application(callbackURL: Self.callback)
        try await GitHubSimulator.running(.init(application: application)) { github in
            let denied = try await github.decide(
                "cancel", as: try github.ada,
                request: ["client_id": application.clientID, "redirect_uri": Self.callback + "/sub", "state": "s 1"])
            let mismatch = try await WebClient.get(
                github.authorizeURL(["client_id": application.clientID, "redirect_uri": "https://example.test/"]))
            github.register(
                .init(clientID: "Ov23liSuspended", callbackURL: Self.callback, isSuspended: true))
            let suspended = try await WebClient.get(github.authorizeURL(["client_id": "Ov23liSuspended"]))

            #expect(denied.redirectQuery["error"] == "access_denied")
            #expect(denied.redirectQuery["state"] == "s 1")
            #expect(denied.header("location")?.contains("The+user+has+denied+your+application+access.") == true)
            #expect(mismatch.redirectQuery["error"] == "redirect_uri_mismatch")
            #expect(mismatch.redirectQuery["state"] == nil)
            #expect(suspended.redirectQuery["error"] == "application_suspended")
            for answer in [denied, mismatch, suspended] {
                #expect(answer.redirectTarget == Self.callback)
                #expect(answer.redirectQuery["error_uri"]?.hasPrefix("https://docs.github.com/") == true)
                #expect(answer.redirectQuery["iss"] == github.url + "/login/oauth")
            }
        }
    }

    @Test func `an unknown client gets a page, not a redirect`() async throws {
        try await GitHubSimulator.running { github in
            for query in ["", "?client_id=nobody&redirect_uri=https%3A%2F%2Fexample.com%2F"] {
                let answer = try await WebClient.get(github.url + "/login/oauth/authorize" + query)
                #expect(answer.status == 404)
                #expect(answer.header("content-type")?.hasPrefix("text/html") == true)
                #expect(answer.header("location") == nil)
            }
        }
    }

    @Test func `only S256 challenges are taken`() async throws {
        try await GitHubSimulator.running { github in
            let client = github.defaultApplication.clientID
            let challenge = codeChallenge(of: UUID().uuidString)

            let plain = try await WebClient.get(
                github.authorizeURL([
                    "client_id": client, "code_challenge": challenge, "code_challenge_method": "plain",
                ]))
            let hashed = try await WebClient.get(
                github.authorizeURL([
                    "client_id": client, "code_challenge": challenge, "code_challenge_method": "S256",
                ]))

            #expect(plain.redirectQuery["error"] == "invalid_request")
            #expect(hashed.status == 200)
        }
    }

    @Test func `the challenge of the request is the one the verifier must answer`() async throws {
        try await GitHubSimulator.running { github in
            let application = github.defaultApplication
            let answer = try await github.decide(
                as: try github.ada,
                request: [
                    "client_id": application.clientID, "code_challenge": codeChallenge(of: "right"),
                    "code_challenge_method": "S256",
                ])
            let code = try #require(answer.redirectQuery["code"])
            func redeem(_ verifier: String) async throws -> String? {
                try await WebClient.post(
                    github.tokenURL,
                    [
                        "client_id": application.clientID, "client_secret": application.clientSecret, "code": code,
                        "code_verifier": verifier,
                    ]
                ).json["error"] as? String
            }

            #expect(try await redeem("wrong") == "bad_verification_code")
            #expect(try await redeem("right") == nil)
        }
    }

    @Test func `the issuer can be right, wrong or missing, while running`() async throws {
        try await GitHubSimulator.running(.init(issuerParameter: .off)) { github in
            func issuer() async throws -> String? {
                try await github.decide(
                    as: try github.ada, request: ["client_id": github.defaultApplication.clientID]
                ).redirectQuery["iss"]
            }

            #expect(try await issuer() == nil)
            github.issuerParameter = .right
            #expect(try await issuer() == github.url + "/login/oauth")
            github.issuerParameter = .wrong
            let wrong = try await issuer()
            #expect(wrong != nil && wrong != github.url + "/login/oauth")
        }
    }
}
