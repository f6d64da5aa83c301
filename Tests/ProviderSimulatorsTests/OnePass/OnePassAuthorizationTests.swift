import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass simulator: authorization")
struct OnePassAuthorizationTests {
    private let verifier = UUID().uuidString + UUID().uuidString

    @Test func `the user consents on the page and the code is redeemed`() async throws {
        try await OnePassSimulator.running { onePass in
            let page = try await WebClient.get(onePass.authorizeURL(verifier: verifier))
            let back = try await onePass.decide(as: onePass.named("ada"), on: page)
            let code = try #require(back.redirectQuery["code"])
            let tokens = try await onePass.redeem(code, verifier: verifier)

            #expect(page.status == 200 && page.text.contains("This is a simulator."))
            #expect(back.status == 302 && back.redirectTarget == onePass.defaultApplication.redirectURIs[0])
            #expect(back.redirectQuery["state"] == "a state")
            #expect(tokens.status == 200)
            #expect(try claims(of: tokens.json["id_token"] as? String)["nonce"] == "a nonce")
        }
    }

    @Test func `the installed app takes links to the authorization endpoint and opens the client's redirect URI`()
        async throws
    {
        try await OnePassSimulator.running { onePass in
            let ada = try #require(onePass.person(named: "ada"))
            let link = onePass.authorizeURL(verifier: verifier)
            let declined = onePass.openUniversalLink(link, deciding: .decline)
            onePass.behaviour.namesIssuerInResponses = true
            let approved = try #require(onePass.openUniversalLink(link, deciding: .approve(ada)))
            // The form encoding of a space is no space to URLComponents.
            let query = try #require(URLComponents(string: approved.replacing("+", with: "%20"))?.queryItems)
            let code = try #require(query.first { $0.name == "code" }?.value)

            #expect(approved.hasPrefix(onePass.defaultApplication.redirectURIs[0] + "?"))
            #expect(query.contains { $0.name == "state" && $0.value == "a state" })
            #expect(query.contains { $0.name == "iss" && $0.value == onePass.url })
            #expect(try await onePass.redeem(code, verifier: verifier).status == 200)
            #expect(declined?.contains("error=access_denied") == true)
            for other in ["https://other.example/oauth/authorize?x=1", onePass.url + "/oauth/token?x=1"] {
                #expect(onePass.openUniversalLink(other, deciding: .approve(ada)) == nil)
            }
            let unknown = onePass.authorizeURL(["client_id": "logi_0"])
            #expect(onePass.openUniversalLink(unknown, deciding: .approve(ada)) == nil)
        }
    }

    @Test(arguments: [
        ["code_challenge": ""], ["code_challenge_method": ""], ["code_challenge_method": "plain"],
        ["code_challenge": "tooshort"], ["response_type": "token"], ["state": ""], ["scope": ""],
    ])
    func `without PKCE by S256 and the other required fields the request goes back as invalid`(
        changes: [String: String]
    ) async throws {
        for type in [OnePassSimulator.Application.ClientType.confidential, .public] {
            let application = OnePassSimulator.Application(type: type)
            try await OnePassSimulator.running(.init(application: application)) { onePass in
                let answer = try await WebClient.get(onePass.authorizeURL(changes))

                #expect(answer.status == 302)
                #expect(answer.redirectTarget == application.redirectURIs[0])
                #expect(answer.redirectQuery["error"] == "invalid_request")
                #expect(answer.redirectQuery["state"] == (changes["state"] == nil ? "a state" : nil))
                #expect(answer.redirectQuery["code"] == nil)
            }
        }
    }

    @Test(arguments: [
        ["client_id": "logi_0"], ["redirect_uri": "https://elsewhere.example/"], ["redirect_uri": ""],
        ["redirect_uri": "http://127.0.0.1/oauth/callback/1pass.dev/"],
        ["redirect_uri": "http://127.0.0.1/oauth/callback/1Pass.dev"],
        ["redirect_uri": "http://127.0.0.1:80/oauth/callback/1pass.dev"],
    ])
    func `an unknown client or another redirect URI is not redirected`(changes: [String: String]) async throws {
        try await OnePassSimulator.running { onePass in
            let page = try await WebClient.get(onePass.authorizeURL(changes))
            let json = try await WebClient.get(
                onePass.authorizeURL(changes), headers: ["accept": "application/json"])

            #expect(page.status == 400 && page.header("location") == nil)
            #expect(page.header("content-type")?.hasPrefix("text/html") == true)
            #expect(json.status == 400 && json.header("location") == nil)
            #expect(try json.json["request_id"] is String)
        }
    }

    @Test func `blocked scopes go back as invalid, and a header names them`() async throws {
        try await OnePassSimulator.running { onePass in
            let answer = try await WebClient.get(onePass.authorizeURL(["scope": "openid phone address"]))

            #expect(answer.status == 302 && answer.redirectQuery["error"] == "invalid_scope")
            #expect(answer.header("x-logi-scope-drift") == "phone address")
        }
    }

    @Test(arguments: [OnePassSimulator.Application.ScopePolicy.logOnly, .alert])
    func `tolerated scopes are named and not granted`(policy: OnePassSimulator.Application.ScopePolicy) async throws {
        let application = OnePassSimulator.Application(scopePolicy: policy)
        try await OnePassSimulator.running(.init(application: application)) { onePass in
            let page = try await WebClient.get(
                onePass.authorizeURL(["scope": "openid profile phone"], verifier: verifier))
            let back = try await onePass.decide(
                as: onePass.named("ada"), on: page, scopes: ["openid", "profile:basic", "phone"])
            let tokens = try await onePass.redeem(try #require(back.redirectQuery["code"]), verifier: verifier)

            #expect(page.status == 200 && page.header("x-logi-scope-drift") == "phone")
            #expect(try tokens.json["scope"] as? String == "openid profile:basic")
        }
    }

    @Test func `a user who declines is redirected with an error`() async throws {
        try await OnePassSimulator.running { onePass in
            let page = try await WebClient.get(onePass.authorizeURL())
            let back = try await onePass.decide("cancel", as: onePass.named("ada"), on: page)

            #expect(back.redirectQuery["error"] == "access_denied" && back.redirectQuery["state"] == "a state")
        }
    }

    @Test(arguments: [false, true])
    func `an anonymous user may use an application only if it allows them`(isAllowed: Bool) async throws {
        let application = OnePassSimulator.Application(allowsAnonymousGrants: isAllowed)
        try await OnePassSimulator.running(.init(application: application)) { onePass in
            let page = try await WebClient.get(onePass.authorizeURL())
            let back = try await onePass.decide(as: onePass.nobody, on: page)

            #expect((back.redirectQuery["code"] != nil) == isAllowed)
            #expect(back.redirectQuery["error"] == (isAllowed ? nil : "access_denied"))
        }
    }

    @Test func `a signed-in user who has consented is not asked again unless the request requires it`() async throws {
        try await OnePassSimulator.running { onePass in
            let first = try await WebClient.get(onePass.authorizeURL())
            let back = try await onePass.decide(as: onePass.named("ada"), on: first)
            let cookie = try #require(back.header("set-cookie")?.split(separator: ";").first.map(String.init))
            func open(_ changes: [String: String]) async throws -> WebClient.Answer {
                try await WebClient.get(onePass.authorizeURL(changes), headers: ["cookie": cookie])
            }

            #expect(try await open([:]).redirectQuery["code"] != nil)
            #expect(try await open(["prompt": "none"]).redirectQuery["code"] != nil)
            #expect(try await open(["prompt": "login"]).status == 200)
            #expect(try await open(["scope": "openid identity:level"]).status == 200)
            let silent = try await open(["scope": "openid identity:level", "prompt": "none"])
            #expect(silent.redirectQuery["error"] == "consent_required")
            let stranger = try await WebClient.get(onePass.authorizeURL(["prompt": "none"]))
            #expect(stranger.redirectQuery["error"] == "login_required")
        }
    }
}
