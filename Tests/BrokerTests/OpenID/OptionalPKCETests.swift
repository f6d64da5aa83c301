import Broker
import BrokerStore
import ProviderKit
import Testing

@Suite("Clients without PKCE")
struct OptionalPKCETests {
    private static let noPKCE: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]

    @Test func `a confidential client with optional PKCE signs in with a nonce in the place of a verifier`()
        async throws
    {
        try await TestProviders.runHosted { broker, providers in
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(try providers.person(at: "github.com", email: "ann@example.com"))
            let app = try await TestApp(broker, pkce: .optional)

            let bare = try await browser.visit(app.path(Self.noPKCE))
            let code = try #require(bare["code"], "\(bare.url)")
            let tokens = try await app.redeem(code, withoutVerifier: true)
            let other = app.another()
            let challenged = try await browser.visit(other.path())
            let refused = try await other.redeem(try #require(challenged["code"]), withoutVerifier: true)

            #expect(tokens.status == 200, "\(tokens.text)")
            #expect(try TestApp.claims(try tokens.string("id_token"))["nonce"]?.string == app.nonce)
            #expect(refused.status == 400 && refused["error"]?.string == "invalid_grant")
        }
    }

    @Test(
        arguments: [
            (["nonce": nil], Client.PKCE.optional), (["nonce": ""], .optional), (["scope": "profile email"], .optional),
            (["code_challenge_method": "S256"], .optional), ([:], .required),
        ] as [([String: String?], Client.PKCE)])
    func `a request without PKCE needs an optional client, openid and a nonce`(
        _ changes: [String: String?], _ pkce: Client.PKCE
    ) async throws {
        try await TestProviders.runHosted { broker, _ in
            let app = try await TestApp(broker, pkce: pkce)

            let back = try await TestBrowser(broker).visit(
                app.path(Self.noPKCE.merging(changes) { _, change in change }))

            #expect(back["error"] == "invalid_request", "\(back.url)")
        }
    }

    @Test func `a link keeps PKCE whatever the client is registered with`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let app = try await TestApp(broker, pkce: .optional)
            let browser = TestBrowser(broker)
            let tokens = try await app.signIn(
                try providers.person(at: "github.com", email: "ann@example.com"), in: browser)
            let link: [String: String?] = [
                "prompt": "link", "provider": "gitlab.com", "id_token_hint": try tokens.string("id_token"),
            ]

            func push(_ changes: [String: String?]) async throws -> Answer {
                try await app.post("/oauth/par", app.parameters(changes).filter { $0.name != "client_id" })
            }

            let refused = try await push(link.merging(Self.noPKCE) { _, change in change })
            let pushed = try await push(link)

            #expect(refused.status == 400 && refused["error"]?.string == "invalid_request", "\(refused.text)")
            #expect(pushed.status == 201, "\(pushed.text)")
        }
    }

    @Test(arguments: [Client.Kind.public, .native])
    func `a client without a secret cannot be registered without PKCE`(_ kind: Client.Kind) {
        #expect(throws: AdminFailure.self) {
            try ClientRegistration(kind: kind, name: "App", redirectURIs: ["https://app.example/cb"], pkce: .optional)
        }
    }
}
