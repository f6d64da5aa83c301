import Broker
import BrokerStore
import ProviderKit
import ProviderSimulators
import Testing

@Suite("a provider's token for an OAuth client")
struct ClientProviderTokenTests {
    /// Signs a user of GitLab in at an app, which may ask for more.
    private static func signIn(
        receives: Bool, _ parameters: [String: String?] = [:],
        _ test: (TestBroker, TestProviders, Answer, TestApp) async throws -> Void
    ) async throws {
        try await TestProviders.runHosted(entries: { $0["allowedScopes"] = ["read_api"] }) { broker, providers in
            var application = providers.gitLab.defaultApplication
            application.scopes.append("read_api")
            providers.gitLab.register(application)
            let app = try await TestApp(broker)
            _ = try await broker.core.openID.clients.update(
                id: app.clientID, ClientChanges(receivesProviderTokens: receives), origin: Origin(.admin))
            let person = try providers.person(at: "gitlab.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            var parameters = parameters
            parameters["provider"] = "gitlab.com"
            let consent = try await browser.visit(app.path(parameters))
            let back = try await browser.submit(on: consent, ["person": person.account])
            let code = try #require(back["code"], "\(back.url)")
            try await test(broker, providers, try await app.redeem(code), app)
        }
    }

    @Test func `comes with the client's own, at a refresh as well, if the client is registered for it`() async throws {
        try await Self.signIn(receives: true) { broker, providers, answer, app in
            let first = try #require(answer["provider_token"], "\(answer.text)")
            providers.clock.advance(by: 7200)
            broker.clock.advance(seconds: 7200)
            let refreshed = try await app.post(
                "/oauth/token",
                [("grant_type", "refresh_token"), ("refresh_token", try answer.string("refresh_token"))])
            let second = try #require(refreshed["provider_token"], "\(refreshed.text)")

            #expect(first["provider"] == "gitlab.com" && first["refresh_token"] == nil)
            #expect(first["access_token"] != second["access_token"])
            #expect(providers.gitLab.isLive(token: second["access_token"]?.string ?? ""))
        }
    }

    @Test func `does not have a scope that the provider's entry does not allow`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let app = try await TestApp(broker)

            let back = try await TestBrowser(broker).visit(
                app.path(["provider": "gitlab.com", "provider_scope": "sudo"]))
            let alone = try await TestBrowser(broker).visit(app.path(["provider_scope": "sudo"]))

            #expect(back["error"] == "invalid_scope", "\(back.url)")
            #expect(alone["error"] == "invalid_request", "\(alone.url)")
        }
    }

    @Test func `does not come with any other client's`() async throws {
        try await Self.signIn(receives: false) { _, _, answer, _ in
            #expect(answer.status == 200 && answer["provider_token"] == nil, "\(answer.text)")
        }
    }

    @Test func `has the further scopes that the client asked its provider for`() async throws {
        try await Self.signIn(receives: true, ["provider_scope": "read_api"]) { _, _, answer, _ in
            let scopes = answer["provider_token"]?["scope"]?.string?.split(separator: " ") ?? []
            #expect(scopes.contains("read_api"), "\(answer.text)")
        }
        try await Self.signIn(receives: true) { _, _, answer, _ in
            let scopes = answer["provider_token"]?["scope"]?.string?.split(separator: " ") ?? []
            #expect(!scopes.isEmpty && !scopes.contains("read_api"), "\(answer.text)")
        }
    }
}
