import BrokerClient
import Crypto
import Foundation
import JOSE
import StrictJSON
import Testing

@Suite("The sign-in through the browser", .timeLimit(.minutes(20)))
struct AuthorizationFlowTests {
    /// A broker that redeems the code of the presenter's page with the nonce of its request.
    private static func run(
        _ parameters: [String: String?] = [:], claims: JSONObject = [:],
        _ body: (TestApp, TestPresenter) async throws -> Void
    ) async throws {
        try await StandInBroker.run { broker in
            let presenter = TestPresenter.redirecting(from: broker, parameters)
            let app = try TestApp(broker, presenter: presenter)
            broker.answer { call in
                guard call.path == "/oauth/token", call.form["grant_type"] == "authorization_code" else { return nil }
                return .json(try broker.tokens(nonce: presenter.shown.last?.query["nonce"], claims: claims))
            }
            try await body(app, presenter)
        }
    }

    @Test func `the request has PKCE, state and nonce, each of 32 random bytes`() async throws {
        try await Self.run { app, presenter in
            _ = try await app.auth.signIn(with: .gitHub)
            _ = try await app.auth.signIn(with: .gitHub)

            let (first, second) = (presenter.shown[0].query, presenter.shown[1].query)
            #expect(first["response_type"] == "code" && first["code_challenge_method"] == "S256")
            #expect(first["client_id"] == "app" && first["redirect_uri"] == StandInBroker.redirectURI)
            #expect(first["provider"] == "github.com" && first["scope"] == "openid offline_access")
            for name in ["state", "nonce", "code_challenge"] {
                #expect(first[name]?.utf8.count == 43 && first[name] != second[name], "\(name)")
            }
            let redemption = try #require(app.broker.calls(of: "/oauth/token").first?.form)
            let verifier = try #require(redemption["code_verifier"])
            #expect(
                Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8)))) == first["code_challenge"])
            #expect(redemption["redirect_uri"] == StandInBroker.redirectURI && redemption["code"] == "code-1")
            #expect(redemption["client_secret"] == nil)
        }
    }

    @Test func `the session is known, stored and announced`() async throws {
        let claims: JSONObject = ["email": "ada@example.com", "email_verified": true, "name": "Ada"]
        try await Self.run(claims: claims) { app, _ in
            var events = app.auth.events.makeAsyncIterator()

            let result = try await app.auth.signIn(with: .gitHub)

            #expect(result.session.userID == "user-1" && result.session.email == "ada@example.com")
            #expect(result.session.isEmailVerified && result.session.name == "Ada")
            #expect(result.session.signInProvider == .gitHub && !result.session.isAnonymous)
            #expect(await app.auth.session == result.session)
            #expect(await events.next() == .signedIn(result.session))
            let later = try TestApp(app.broker, storage: app.storage)
            #expect(try await later.auth.restore() == result.session)
        }
    }

    static let wrongResponses: [(parameters: [String: String?], error: BrokerAuthError)] = [
        (["state": nil], .stateMismatch), (["state": "other"], .stateMismatch), (["iss": nil], .stateMismatch),
        (["iss": "https://other.example"], .stateMismatch), (["code": nil], .missingCode), (["code": ""], .missingCode),
        (["code": nil, "error": "access_denied"], .userCancelled),
        (["code": nil, "error": "access_denied", "error_description": "The user declined."], .userCancelled),
        (
            ["code": nil, "error": "access_denied", "error_description": "The user is disabled."],
            .server(code: "access_denied", message: "The user is disabled.")
        ),
        (
            ["code": nil, "error": "invalid_scope", "error_description": "No."],
            .server(code: "invalid_scope", message: "No.")
        ),
        (["state": "other", "error": "access_denied"], .stateMismatch),
    ]

    @Test(arguments: wrongResponses.indices)
    func `a wrong response is a typed error, and no code is redeemed`(index: Int) async throws {
        let (parameters, error) = Self.wrongResponses[index]
        try await Self.run(parameters) { app, _ in
            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }

            #expect(thrown == error)
            #expect(app.broker.calls(of: "/oauth/token").isEmpty && app.storage.items.isEmpty)
        }
    }

    static let wrongClaims: [(claims: JSONObject, error: BrokerAuthError?)] = [
        (["nonce": "other"], .missingOrInvalidNonce), (["aud": "another-app"], nil), (["iss": "https://other"], nil),
        (["exp": 1_000_000_000], nil), (["aud": ["app", "another-app"]], nil), (["azp": "another-app"], nil),
    ]

    @Test(arguments: wrongClaims.indices)
    func `an ID token with wrong claims begins no session, and the broker's session is ended`(
        index: Int
    ) async throws {
        let (claims, error) = Self.wrongClaims[index]
        try await Self.run(claims: claims) { app, _ in
            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }

            if let error { #expect(thrown == error) }
            if error == nil, case .invalidToken = thrown {
            } else {
                #expect(error != nil, "\(String(describing: thrown))")
            }
            #expect(app.storage.items.isEmpty)
            #expect(app.broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["refresh-1"])
        }
    }

    @Test func `an ID token signed by another key begins no session`() async throws {
        try await StandInBroker.run { broker in
            let presenter = TestPresenter.redirecting(from: broker)
            let app = try TestApp(broker, presenter: presenter)
            let stranger = try TokenSigner(keyID: broker.signer.keyID, key: .generate(.es256))
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                return .json(try broker.tokens(nonce: presenter.shown.last?.query["nonce"], signer: stranger))
            }

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }

            #expect(thrown == .invalidToken("invalidSignature: signature does not match"))
            #expect(app.storage.items.isEmpty)
        }
    }

    @Test func `a new key of the broker is fetched, at most once a minute`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                call.path == "/oauth/token" ? .json(try broker.tokens(at: app.clock.now)) : nil
            }
            func refresh() async -> BrokerAuthError? {
                await failure { () async throws(BrokerAuthError) in
                    try await app.auth.accessToken(forcingRefresh: true)
                }
            }

            app.clock.advance(by: 61)
            try broker.rotateKeys()
            let first = await refresh()
            try broker.rotateKeys()
            let tooEarly = await refresh()
            app.clock.advance(by: 61)
            let later = await refresh()

            #expect(first == nil && later == nil)
            #expect(tooEarly == .invalidToken("unknownKey: no key with this kid"))
            #expect(broker.calls(of: "/oauth/jwks").count == 3)
            #expect(broker.refreshes.last?.form["refresh_token"] == "refresh-3", "the successor was kept")
        }
    }

    @Test func `metadata of another issuer is refused`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker, presenter: TestPresenter.redirecting(from: broker))
            broker.answer { call in
                guard call.path == "/.well-known/openid-configuration" else { return nil }
                var metadata = broker.metadata
                metadata["issuer"] = "https://other.example"
                return .json(metadata)
            }

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }

            #expect(thrown == .invalidToken("the metadata names another issuer"))
        }
    }
}
