import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("The options of a sign-in", .timeLimit(.minutes(20)))
struct SignInOptionsTests {
    /// A broker that redeems the code of the presenter's page with the nonce of its request.
    private static func run(
        _ body: (TestApp, TestPresenter) async throws -> Void
    ) async throws {
        try await StandInBroker.run { broker in
            let presenter = TestPresenter.redirecting(from: broker)
            let app = try TestApp(broker, presenter: presenter)
            broker.answer { call in
                guard call.path == "/oauth/token", call.form["grant_type"] == "authorization_code" else { return nil }
                return .json(try broker.tokens(nonce: presenter.shown.last?.query["nonce"]))
            }
            try await body(app, presenter)
        }
    }

    @Test(arguments: [
        "client_id", "redirect_uri", "State", "nonce", "code_challenge", "scope", "request_uri", "prompt",
    ])
    func `a parameter of the protocol cannot be set by the app`(name: String) async throws {
        try await Self.run { app, presenter in
            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(with: .gitHub, SignInOptions(parameters: [name: "x"]))
            }

            #expect(thrown == .reservedParameter(name) && presenter.shown.isEmpty)
        }
    }

    @Test func `options become parameters`() async throws {
        try await Self.run { app, presenter in
            let options = SignInOptions(
                providerScopes: ["repo", "user:email"], parameters: ["allow_signup": "false"], loginHint: "ada",
                languages: ["ko", "en"], isEphemeral: false)
            _ = try await app.auth.signIn(with: .gitHub, options)

            let query = presenter.shown[0].query
            #expect(query["provider_scope"] == "repo user:email" && query["allow_signup"] == "false")
            #expect(query["login_hint"] == "ada" && query["ui_locales"] == "ko en")
            #expect(!presenter.shown[0].isEphemeral && presenter.shown[0].callbackScheme == "com.example.app")
        }
    }

    @Test func `an ID token for a link goes to the broker directly, and no token into an address`() async throws {
        try await Self.run { app, presenter in
            app.broker.answer { call in
                switch call.path {
                case "/oauth/par": .json(["request_uri": "urn:pushed:1", "expires_in": 60], status: 201)
                case "/oauth/token" where call.form["code"] != nil:
                    .json(try app.broker.tokens(nonce: app.broker.calls(of: "/oauth/par").last?.form["nonce"]))
                default: nil
                }
            }
            _ = try await app.auth.signInAnonymously()
            let idToken = try await app.auth.idToken()

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.link(.gitHub) }

            let pushed = try #require(app.broker.calls(of: "/oauth/par").first?.form)
            #expect(pushed["prompt"] == "link" && pushed["id_token_hint"] == idToken)
            #expect(pushed["provider"] == "github.com")
            #expect(presenter.shown[0].query == ["client_id": "app", "request_uri": "urn:pushed:1"])
            #expect(thrown == .stateMismatch, "the page knows the state of the pushed request alone")
        }
    }
}
