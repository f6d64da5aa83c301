import BrowserTesting
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

/// The apps by which the broker is judged elsewhere, against an issuer that is not the broker: they sign users in, and
/// they refuse what they have to.
@Suite("Authlib and mod_auth_openidc as judges", .timeLimit(.minutes(20)))
struct RelyingPartyTests {
    @Test func `Authlib signs in with PKCE, reads userinfo, refreshes and revokes`() async throws {
        try await Self.withIssuer { issuer in
            let results = try await Self.app(of: issuer).run(
                .signIn(["prompt": "consent"]), .userinfo, .refresh, .revoke("refresh_token"))

            #expect(results[0]["claims"]?["sub"]?.string == issuer.people()[0].subject, "\(results)")
            #expect(results[0]["pages"] == 1 && results[0]["has_at_hash"] == true, "\(results)")
            #expect(results[1]["claims"]?["email"] == "ada@example.com", "\(results)")
            #expect(results[2]["renewed"] == true, "\(results)")
            #expect(results[3]["status"] == 200, "\(results)")
        }
    }

    @Test(arguments: [
        IDTokenForgery.wrongNonce, .wrongAudience, .wrongIssuer, .expired, .foreignKey, .brokenSignature,
        .wrongAccessTokenHash,
    ])
    func `Authlib's app refuses forged ID tokens`(forgery: IDTokenForgery) async throws {
        try await Self.withIssuer { issuer in
            let app = Self.app(of: issuer)
            _ = try await app.run(.signIn())
            issuer.forgery = forgery

            await #expect(throws: RelyingParty.Refusal.self) { try await app.run(.signIn()) }
        }
    }

    @Test func `Authlib's app refuses a response of another issuer`() async throws {
        try await Self.withIssuer { issuer in
            issuer.issuerParameter = .other("https://issuer.example")

            let refusal = await #expect(throws: RelyingParty.Refusal.self) {
                try await Self.app(of: issuer).run(.signIn())
            }
            #expect(refusal?.description.contains("RFC 9207") == true, "\(refusal?.description ?? "")")
        }
    }

    @Test func `Apache shows its members' page only to the listed users`() async throws {
        try await Self.withIssuer { issuer in
            try await ApacheServer.run { _, redirectURI in
                var application = issuer.defaultApplication
                application.redirectURIs = [redirectURI]
                issuer.register(application)
                return ApacheServer.Client(
                    issuer: issuer.url, id: application.clientID, secret: application.clientSecret ?? "",
                    parameters: "prompt=consent")
            } _: { apache in
                try await Browser.run { browser in
                    try await browser.open(apache.membersURL)
                    try await browser.click(.radio, "Ben Example")
                    try await browser.click(.button, "Authorize")
                    try await browser.wait(forText: "Welcome")

                    #expect(try await browser.currentURL == apache.membersURL)
                    #expect(try await browser.element("#user").text == issuer.people()[1].subject)
                    #expect(try await browser.element("#email").text == "ben@example.com")
                }
                issuer.forgery = .wrongNonce
                try await Browser.run { browser in
                    try await browser.open(apache.membersURL)
                    try await browser.click(.button, "Authorize")
                    try await browser.wait(until: "Apache refuses") { try await !$0.text.contains("Continue as") }

                    #expect(try await !browser.text.contains("Welcome"))
                    #expect(apache.process.log.text.contains("nonce"), "\(apache.process.everything)")
                }
            }
        }
    }

    private static func app(of issuer: OpenIDSimulator) -> RelyingParty {
        let client = issuer.defaultApplication
        return RelyingParty(
            issuer: issuer.url, clientID: client.clientID, clientSecret: client.clientSecret,
            redirectURI: "http://127.0.0.1:1/callback", scope: "openid profile email offline_access", person: "Ada")
    }

    private static func withIssuer(_ body: (OpenIDSimulator) async throws -> Void) async throws {
        let issuer = try await OpenIDSimulator.start()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(issuer))
        } catch {
            result = .failure(error)
        }
        await issuer.stop()
        try result.get()
    }
}
