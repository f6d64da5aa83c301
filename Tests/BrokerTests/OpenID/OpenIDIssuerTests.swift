import Broker
import BrokerStore
import Generic
import ProviderKit
import ProviderSimulators
import Testing

@Suite("A redirect to any OpenID Connect provider")
struct OpenIDIssuerTests {
    @Test(arguments: [
        (OpenIDSimulator.IssuerParameter.right, true), (.off, true), (.missing, false),
        (.other("https://issuer.example"), false),
    ])
    func `an answer without the issuer that discovery promises goes no further, nor does another one's`(
        _ parameter: OpenIDSimulator.IssuerParameter, _ isTaken: Bool
    ) async throws {
        try await Self.run { broker, issuer in
            issuer.issuerParameter = parameter
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("example", on: try await browser.visit("/sign-in"))
            let before = issuer.hits(.token)
            let page = try await browser.submit(on: consent, ["person": issuer.people()[0].subject])
            #expect(page.url.hasSuffix("/account") == isTaken, "\(page.url): \(page.html)")
            // Refused before the code went anywhere.
            #expect((issuer.hits(.token) > before) == isTaken)
        }
    }

    @Test(arguments: [(-3600, ["fed", "pwd"]), (0, ["fed", "user", "pwd"])] as [(Int64, [String])])
    func `only a login during the redirect says that the user acted, whatever the provider calls it`(
        _ age: Int64, _ methods: [String]
    ) async throws {
        try await Self.run { broker, issuer in
            let loggedIn = Timestamp(broker.clock.now).seconds + age
            issuer.replaceClaim("auth_time", with: .integer(loggedIn))
            issuer.replaceClaim("amr", with: ["user", "pwd", "fed"])
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(app.path(["provider": "oidc.example"]))
            let back = try await browser.submit(on: consent, ["person": issuer.people()[0].subject])
            let tokens = try await app.redeem(try #require(back["code"]))
            let claims = try TestApp.claims(tokens.string("id_token"))
            #expect(claims["amr"]?.array?.compactMap(\.string) == methods)
            #expect(claims["auth_time"]?.integer == loggedIn)
        }
    }

    @Test func `a user whose provider confirms no new login sees an error instead of a loop`() async throws {
        try await Self.run { broker, issuer in
            issuer.replaceClaim("auth_time", with: .integer(Timestamp(broker.clock.now).seconds - 3600))
            let subject = issuer.people()[0].subject
            let browser = TestBrowser(broker)
            let consent = try await browser.follow("example", on: try await browser.visit("/sign-in"))
            let account = try await browser.submit(on: consent, ["person": subject])
            let chooser = try await browser.submit("/account/delete", on: account)
            let again = try await browser.follow("example", on: chooser)
            let told = try await browser.submit(on: again, ["person": subject])
            #expect(told.html.contains("did not confirm the sign-in"), "\(told.url): \(told.html)")
            #expect(try await browser.visit("/account").url.hasSuffix("/account"))
        }
    }

    @Test func `a login that is not recent enough is refused without interaction, and the app receives an error`()
        async throws
    {
        try await Self.run { broker, issuer in
            issuer.replaceClaim("auth_time", with: .integer(Timestamp(broker.clock.now).seconds - 3600))
            let app = try await TestApp(broker)
            let browser = TestBrowser(broker)
            let consent = try await browser.visit(
                app.path(["provider": "oidc.example", "prompt": "consent", "max_age": "60"]))
            let back = try await browser.submit(on: consent, ["person": issuer.people()[0].subject])
            #expect(back["error"] == "login_required", "\(back.url)")
        }
    }

    private static func run(_ test: (TestBroker, OpenIDSimulator) async throws -> Void) async throws {
        let callback = TestBrowser.publicURL + "/oauth/callback/oidc.example"
        let issuer = try await OpenIDSimulator.start(
            .init(clock: .stopped(at: TestClock().now), application: .init(redirectURIs: [callback])))
        do {
            try await TestBroker.run(
                { $0.publicURL = TestBrowser.publicURL }, plugins: [.oidc], entries: { _ in [entry(issuer)] }
            ) { try await test($0, issuer) }
            await issuer.stop()
        } catch {
            await issuer.stop()
            throw error
        }
    }

    private static func entry(_ issuer: OpenIDSimulator) -> JSONValue {
        [
            "id": "oidc.example", "use": "oidc", "allowInsecureLoopback": true,
            "options": [
                "issuer": .string(issuer.url), "clientId": .string(issuer.defaultApplication.clientID),
                "clientSecret": .string(issuer.defaultApplication.clientSecret ?? ""),
            ],
        ]
    }
}
