import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import BrokerClient

@Suite("The sign-in through a provider's app", .timeLimit(.minutes(20)))
struct AppAuthorizationTests {
    private static let provider = "https://provider.example/oauth/authorize?client_id=app-at-provider&state=s-1"
    private static let redirect = URL(string: "com.example.app:/callback?code=c-1&state=s-1")

    /// A broker with one provider that answers this app itself.
    private static func run(
        offering redirectURIs: [String] = [StandInBroker.redirectURI], address: String = provider,
        _ body: (StandInBroker) async throws -> Void
    ) async throws {
        try await StandInBroker.run { broker in
            broker.answer { call in
                switch call.path {
                case "/.well-known/openid-configuration":
                    var metadata = broker.metadata
                    metadata["app_authorization_endpoint"] = .string(broker.url + "/oauth/app_authorization")
                    return .json(metadata)
                case "/oauth/app_authorization" where call.form.isEmpty:
                    let uris = JSONValue.array(redirectURIs.map(JSONValue.string))
                    return .json(["providers": [["provider": "1pass.dev", "redirect_uris": uris]]])
                case "/oauth/app_authorization":
                    return .json([
                        "authorization_uri": .string(address), "handle": "handle-1", "state": "s-1",
                        "expires_in": 600,
                    ])
                default: return nil
                }
            }
            try await body(broker)
        }
    }

    /// An installed app that opens the redirect in the client.
    private static func installed(_ auth: @escaping @Sendable () -> BrokerAuth?) -> FakePhone {
        FakePhone(app: { _ in
            guard let auth = auth(), let redirect else { return false }
            Task { _ = auth.handle(redirect) }
            return true
        })
    }

    @Test func `the first address that opens is the provider's, in its app, and the broker redeems the answer`()
        async throws
    {
        try await Self.run { broker in
            let box = Mutex<BrokerAuth?>(nil)
            let phone = Self.installed { box.withLock { $0 } }
            let app = try TestApp(broker, presenter: AppFirstPresentation(phone))
            box.withLock { $0 = app.auth }

            let result = try await app.auth.signIn(with: .onePass, .init(providerScopes: ["email"], loginHint: "ada"))

            #expect(phone.opened == [.universalLink(try #require(URL(string: Self.provider)))])
            #expect(result.provider == .onePass && result.session.userID == "user-1")
            let start = try #require(broker.calls(of: "/oauth/app_authorization").last?.form)
            #expect(start["client_id"] == "app" && start["provider"] == "1pass.dev" && start["login_hint"] == "ada")
            #expect(start["redirect_uri"] == StandInBroker.redirectURI && start["provider_scope"] == "email")
            #expect(start["code_challenge"] == nil, "verifier and nonce are the broker's")
            let exchange = try #require(broker.calls(of: "/oauth/token").first?.form)
            #expect(exchange["subject_token_type"] == "urn:broker:oauth:token-type:app_authorization")
            #expect(exchange["subject_token"] == "handle-1" && exchange["actor_token"] == nil)
            #expect(exchange["authorization_response"] == Self.redirect?.absoluteString)
        }
    }

    @Test func `without the app the provider's page is shown in a web session`() async throws {
        try await Self.run { broker in
            let phone = FakePhone(page: { _ in Self.redirect })
            let app = try TestApp(broker, presenter: AppFirstPresentation(phone))

            let result = try await app.auth.signIn(with: .onePass)

            let url = try #require(URL(string: Self.provider))
            #expect(phone.opened == [.universalLink(url), .webSession(url)])
            #expect(result.session.userID == "user-1")
        }
    }

    @Test func `link and reauthentication name the user and the purpose at both steps`() async throws {
        try await Self.run { broker in
            let phone = FakePhone(page: { _ in Self.redirect })
            let app = try TestApp(broker, presenter: AppFirstPresentation(phone))
            _ = try await app.auth.signIn(with: .onePass)
            let token = try await app.auth.accessToken()

            _ = try await app.auth.link(.onePass)
            _ = try await app.auth.reauthenticate(with: .onePass)

            for (path, skipped) in [("/oauth/app_authorization", 2), ("/oauth/token", 1)] {
                let forms = broker.calls(of: path).map(\.form).dropFirst(skipped)
                #expect(forms.map { $0["prompt"] } == ["link", "login"], "\(path)")
                #expect(forms.first?["actor_token"] == token && forms.allSatisfy { $0["actor_token"] != nil })
            }
        }
    }

    @Test func `the broker's page is shown in a web session where the provider offers no app, or the app says so`()
        async throws
    {
        let cases: [(offered: [String], provider: ProviderID, options: SignInOptions)] = [
            (["com.example.app:/other"], .onePass, .init()), ([StandInBroker.redirectURI], .gitHub, .init()),
            ([StandInBroker.redirectURI], .onePass, .init(usesProviderApp: false)),
            ([StandInBroker.redirectURI], .onePass, .init(parameters: ["theme": "dark"])),
        ]
        for (offered, provider, options) in cases {
            try await Self.run(offering: offered) { broker in
                let phone = FakePhone(app: { _ in true })
                let app = try TestApp(broker, presenter: AppFirstPresentation(phone))

                let thrown = await failure { () async throws(BrokerAuthError) in
                    try await app.auth.signIn(with: provider, options)
                }

                #expect(thrown == .userCancelled && phone.opened.count == 1)
                guard case .webSession(let url)? = phone.opened.first else {
                    Issue.record("no app has claimed a page of the broker")
                    return
                }
                #expect(url.absoluteString.hasPrefix(broker.url + "/oauth/authorize?"))
            }
        }
    }

    @Test func `a provider with a redirect URI of its own is answered there`() async throws {
        let own = "com.example.app:/1pass"
        try await Self.run(offering: [own]) { broker in
            let redirect = try #require(URL(string: own + "?code=c-1&state=s-1"))
            let phone = FakePhone(page: { _ in redirect })
            var configuration = try broker.configuration
            configuration.providerRedirectURIs = [.onePass: own]
            let auth = BrokerAuth(
                configuration, storage: MemoryStorage(), presenter: AppFirstPresentation(phone), accountData: nil,
                environment: TestClock().environment)

            let result = try await auth.signIn(with: .onePass)

            #expect(result.session.userID == "user-1")
            #expect(broker.calls(of: "/oauth/app_authorization").last?.form["redirect_uri"] == own)
            #expect(auth.handle(redirect), "a late copy is not for the app's navigation")
        }
    }

    @Test func `an insecure address of a provider is never opened`() async throws {
        try await Self.run(address: "javascript:alert(1)") { broker in
            let phone = FakePhone()
            let app = try TestApp(broker, presenter: AppFirstPresentation(phone))

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn(with: .onePass) }

            #expect(thrown == .network(NetworkFailure(.invalidResponse)) && phone.opened.isEmpty)
        }
    }
}
