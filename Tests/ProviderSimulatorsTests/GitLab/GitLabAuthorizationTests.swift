import Foundation
import ProviderSimulators
import Testing

@Suite("GitLab simulator: authorization page")
struct GitLabAuthorizationTests {
    @Test func `a user who consents is redirected with code and state, and without issuer`() async throws {
        try await GitLabSimulator.running { gitlab in
            let page = try await WebClient.get(gitlab.authorizeURL())
            #expect(page.status == 200 && page.text.contains("This is a simulator."))
            #expect(page.text.contains("Read your primary address"))
            let back = try await gitlab.decide(page, as: gitlab.ada)

            #expect(back.status == 302 && back.redirectTarget == GitLabSimulator.redirectURI)
            #expect(back.redirectQuery["state"] == "s&t" && back.redirectQuery["iss"] == nil)
            #expect((43...64).contains(back.redirectQuery["code"]?.utf8.count ?? 0))
        }
    }

    @Test func `a user who declines is redirected with access_denied`() async throws {
        try await GitLabSimulator.running { gitlab in
            let page = try await WebClient.get(gitlab.authorizeURL())
            let back = try await gitlab.decide(page, as: gitlab.ada, decision: "cancel")
            #expect(back.redirectQuery["error"] == "access_denied" && back.redirectQuery["state"] == "s&t")
            #expect(
                back.redirectQuery["error_description"]
                    == "The resource owner or authorization server denied the request.")
        }
    }

    @Test func `an unknown client and an unregistered redirect URI are reported to the user alone`() async throws {
        try await GitLabSimulator.running { gitlab in
            for changes in [
                ["client_id": "nobody"], ["redirect_uri": "https://elsewhere.example/cb"],
                ["redirect_uri": GitLabSimulator.redirectURI + "/more"],
                ["redirect_uri": "http://localhost:4321/oauth/callback/gitlab.com"],
            ] {
                let page = try await WebClient.get(gitlab.authorizeURL(changes))
                #expect((400..<500).contains(page.status) && page.header("location") == nil)
            }
        }
    }

    @Test(arguments: [
        (["response_type": "token"], "unsupported_response_type"), (["scope": "openid api"], "invalid_scope"),
        (["scope": ""], "invalid_scope"), (["code_challenge": "c"], "invalid_code_challenge_method"),
        (["code_challenge": "c", "code_challenge_method": "S512"], "invalid_code_challenge_method"),
        (["response_mode": "form"], "unsupported_response_mode"), (["prompt": "none"], "login_required"),
    ])
    func `what else is wrong goes to the client`(changes: [String: String], error: String) async throws {
        try await GitLabSimulator.running { gitlab in
            let back = try await WebClient.get(gitlab.authorizeURL(changes))
            #expect(back.status == 302 && back.redirectQuery["error"] == error)
            #expect(back.redirectQuery["state"] == "s&t")
        }
    }

    @Test func `a request without response type is malformed`() async throws {
        try await GitLabSimulator.running { gitlab in
            let back = try await WebClient.get(gitlab.authorizeURL(without: "response_type"))
            #expect(back.redirectQuery["error"] == "invalid_request")
        }
    }

    @Test func `an answer may come in the fragment`() async throws {
        try await GitLabSimulator.running { gitlab in
            let page = try await WebClient.get(gitlab.authorizeURL(["response_mode": "fragment"]))
            let back = try await gitlab.decide(page, as: gitlab.ada)
            #expect(back.header("location")?.hasPrefix(GitLabSimulator.redirectURI + "#code=") == true)
        }
    }

    @Test(arguments: [true, false])
    func `a user who consented before is redirected without a question, by a page with status 200`(
        showsPage: Bool
    ) async throws {
        try await GitLabSimulator.running(.init(showsRedirectPage: showsPage)) { gitlab in
            let first = try await gitlab.decide(try await WebClient.get(gitlab.authorizeURL()), as: gitlab.ada)
            let cookie = try #require(first.header("set-cookie")?.split(separator: ";").first)
            let again = try await WebClient.get(gitlab.authorizeURL(), headers: ["cookie": String(cookie)])
            let more = try await WebClient.get(
                gitlab.authorizeURL(["scope": "openid read_user"]), headers: ["cookie": String(cookie)])

            #expect(again.status == (showsPage ? 200 : 302))
            let address = showsPage ? again.text : again.header("location") ?? ""
            #expect(address.contains(GitLabSimulator.redirectURI + "?code="))
            #expect(again.text.contains("<form") == false)
            #expect(more.text.contains("<form"))
        }
    }

    @Test func `a trusted application requires no consent`() async throws {
        let application = GitLabSimulator.Application(isTrusted: true)
        try await GitLabSimulator.running(.init(application: application)) { gitlab in
            let other = gitlab.register(.init(redirectURIs: [GitLabSimulator.redirectURI]))
            let page = try await WebClient.get(gitlab.authorizeURL(["client_id": other.clientID]))
            let cookie = try #require(
                try await gitlab.decide(page, as: gitlab.ada).header("set-cookie")?.split(separator: ";").first)
            let back = try await WebClient.get(gitlab.authorizeURL(), headers: ["cookie": String(cookie)])
            #expect(back.text.contains(GitLabSimulator.redirectURI + "?code="))
        }
    }

    @Test func `an unconfirmed, blocked or locked user sees a page and is not redirected`() async throws {
        try await GitLabSimulator.running { gitlab in
            let ada = try gitlab.ada
            var (unconfirmed, blocked, locked) = (ada, ada, ada)
            unconfirmed.confirmedAt = nil
            blocked.state = .blocked
            locked.isLocked = true
            for person in [unconfirmed, blocked, locked] {
                gitlab.add(person)
                let page = try await gitlab.decide(try await WebClient.get(gitlab.authorizeURL()), as: ada)
                #expect(page.status == 403 && page.header("location") == nil)
            }
        }
    }

    @Test func `gl_auth_type=login asks for the profile and nothing else`() async throws {
        try await GitLabSimulator.running { gitlab in
            let page = try await WebClient.get(gitlab.authorizeURL(["gl_auth_type": "login"]))
            let back = try await gitlab.decide(page, as: gitlab.ada)
            let answer = try await gitlab.tokens([
                "grant_type": "authorization_code", "code": try #require(back.redirectQuery["code"]),
                "redirect_uri": GitLabSimulator.redirectURI,
            ])
            #expect(try answer.json["scope"] as? String == "read_user")
        }
    }

    @Test(arguments: [GitLabSimulator.IssuerParameter.right, .wrong])
    func `a later GitLab's issuer parameter can be had`(issuer: GitLabSimulator.IssuerParameter) async throws {
        try await GitLabSimulator.running(.init(issuerParameter: issuer)) { gitlab in
            let back = try await gitlab.decide(try await WebClient.get(gitlab.authorizeURL()), as: gitlab.ada)
            let iss = try #require(back.redirectQuery["iss"])
            #expect((iss == gitlab.url) == (issuer == .right))
        }
    }
}
