import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Apple simulator: authorization page")
struct AppleAuthorizationTests {
    @Test func `consent is posted to the web site by a page that submits itself`() async throws {
        try await AppleSimulator.running { apple in
            let page = try await apple.decide(as: try apple.ada, request: apple.webRequest())

            #expect(page.status == 200 && page.header("location") == nil)
            let target = "http://127.0.0.1:4000/oauth/callback/apple.com"
            #expect(page.text.contains(#"<form method="post" action="\#(target)">"#))
            #expect(page.text.contains("document.forms[0].submit()") && page.text.contains("<noscript>"))
            let policy = try #require(page.header("content-security-policy"))
            #expect(policy.contains("default-src 'none'; script-src 'sha256-"))
            let fields = page.hiddenFields
            #expect(Set(fields.keys) == ["state", "code", "user"] && fields["state"] == "s")
            let tokens = try await apple.redeem(try #require(fields["code"]), redirectURI: target)
            #expect(try await apple.claims(of: try tokens.string("id_token"))["nonce"] == "n")
        }
    }

    @Test func `Apple sends the user's name the first time only, and again after the grant was revoked`() async throws {
        try await AppleSimulator.running { apple in
            let user: JSONValue = [
                "name": ["firstName": "Ada", "lastName": "Example"], "email": "ada@example.com",
            ]

            let first = try await apple.decide(as: try apple.ada, request: apple.webRequest()).hiddenFields
            let second = try await apple.decide(as: try apple.ada, request: apple.webRequest()).hiddenFields
            apple.revokeGrant(of: try apple.ada, application: apple.nativeApplication)
            let third = try await apple.decide(as: try apple.ada, request: apple.webRequest()).hiddenFields

            #expect(try JSONValue(parsing: try #require(first["user"])) == user)
            #expect(second["user"] == nil && second["code"] != nil)
            #expect(third["user"] == first["user"])
        }
    }

    @Test func `Apple sends the user's name to a team once, whichever of its clients asks`() async throws {
        try await AppleSimulator.running { apple in
            let foreign = apple.register(.init(kind: .native, teamID: "OTHERTEAM1"))

            let native = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication)
            let web = try await apple.decide(as: try apple.ada, request: apple.webRequest()).hiddenFields
            let other = apple.nativeCredential(for: try apple.ada, application: foreign)

            #expect(native.givenName == "Ada" && native.email == "ada@example.com")
            #expect(web["user"] == nil)
            #expect(other.givenName == "Ada")
        }
    }

    @Test(arguments: [
        ("name email", "query", "code", "response_mode must be form_post when name or email scope is requested."),
        ("email", "fragment", "code", "response_mode must be form_post when name or email scope is requested."),
        ("", "query", "code id_token", "Invalid response mode."), ("", "web", "code", "Invalid response mode."),
        ("", "form_post", "id_token", "unsupported_response_type"), ("", "form_post", "", "unsupported_response_type"),
        ("phone", "form_post", "code", "invalid_scope"),
    ])
    func `a request that does not fit together is refused on a page, not at the web site`(
        scope: String, mode: String, type: String, problem: String
    ) async throws {
        try await AppleSimulator.running { apple in
            let page = try await WebClient.get(
                apple.authorizeURL([
                    "client_id": apple.defaultApplication.clientID,
                    "redirect_uri": apple.defaultApplication.returnURLs[0], "response_type": type, "scope": scope,
                    "response_mode": mode,
                ]))

            #expect(page.status == 400 && page.header("location") == nil)
            #expect(page.text.contains(problem))
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:4000/other", "https://127.0.0.1/oauth/callback/apple.com", "https://example.com",
        "http://127.0.0.1/oauth/callback/apple.com/", "http://localhost/oauth/callback/apple.com", "",
    ])
    func `only registered return URLs get an answer`(redirectURI: String) async throws {
        try await AppleSimulator.running { apple in
            let page = try await WebClient.get(
                apple.authorizeURL([
                    "client_id": apple.defaultApplication.clientID, "redirect_uri": redirectURI,
                    "response_type": "code",
                ]))

            #expect(page.status == 400)
            #expect(page.text.contains("Invalid web redirect url."))
        }
    }

    @Test func `an app's bundle id opens no page`() async throws {
        try await AppleSimulator.running { apple in
            let page = try await WebClient.get(
                apple.authorizeURL([
                    "client_id": apple.nativeApplication.clientID,
                    "redirect_uri": apple.nativeApplication.returnURLs[0], "response_type": "code",
                ]))

            #expect(page.status == 400 && page.text.contains("invalid_client"))
        }
    }

    @Test func `without scopes the answer may come in the query or the fragment`() async throws {
        try await AppleSimulator.running { apple in
            let query = try await apple.decide(as: try apple.ada, request: apple.webRequest(scope: "", mode: "query"))
            let fragment = try await apple.decide(
                as: try apple.ada,
                request: [
                    "client_id": apple.defaultApplication.clientID,
                    "redirect_uri": apple.defaultApplication.returnURLs[0], "response_type": "code id_token",
                    "response_mode": "fragment", "nonce": "n",
                ])

            #expect(query.status == 302 && query.redirectQuery["state"] == "s")
            #expect(query.redirectQuery["code"] != nil && query.redirectQuery["user"] == nil)
            let parts = try #require(fragment.header("location")).split(separator: "#")
            let fields = WebClient.fields(of: String(try #require(parts.last)))
            let claims = try await apple.claims(of: try #require(fields["id_token"]))
            #expect(parts.count == 2 && claims["nonce"] == "n" && claims["c_hash"] != nil)
            #expect(claims["email"] == nil)
        }
    }

    @Test(arguments: ["form_post", "query"])
    func `a user who cancels is redirected with an error`(mode: String) async throws {
        try await AppleSimulator.running { apple in
            let answer = try await apple.decide(
                "cancel", as: try apple.ada,
                request: apple.webRequest(scope: mode == "query" ? "" : "name email", mode: mode))

            let fields = mode == "query" ? answer.redirectQuery : answer.hiddenFields
            #expect(fields == ["state": "s", "error": "user_cancelled_authorize"])
        }
    }

    @Test func `a user may hide the address`() async throws {
        try await AppleSimulator.running { apple in
            let fields = try await apple.decide(
                as: try apple.ada, email: "hide", request: apple.webRequest()
            ).hiddenFields
            let tokens = try await apple.redeem(
                try #require(fields["code"]), redirectURI: "http://127.0.0.1:4000/oauth/callback/apple.com")

            let claims = try await apple.claims(of: try tokens.string("id_token"))
            let relay = apple.relayAddress(of: try apple.ada, for: apple.defaultApplication)
            #expect(claims["email"]?.string == relay && relay.hasSuffix("@privaterelay.appleid.com"))
            #expect(try JSONValue(parsing: try #require(fields["user"]))["email"]?.string == relay)
        }
    }

    @Test func `a page can be answered once, and not for ever`() async throws {
        try await AppleSimulator.running { apple in
            func consent() async throws -> KeyValuePairs<String, String> {
                let page = try await WebClient.get(apple.authorizeURL(apple.webRequest()))
                let id = try #require(page.text.firstMatch(of: /name="consent" value="([0-9a-f]+)"/)?.output.1)
                return ["consent": String(id), "person": try apple.ada.id, "decision": "authorize"]
            }
            let fields = try await consent()
            let first = try await WebClient.post(apple.url + "/auth/authorize", fields)
            let second = try await WebClient.post(apple.url + "/auth/authorize", fields)
            let late = try await consent()
            apple.clock.advance(by: .seconds(600))
            let third = try await WebClient.post(apple.url + "/auth/authorize", late)

            #expect(first.status == 200 && second.status == 422 && third.status == 422)
        }
    }
}
