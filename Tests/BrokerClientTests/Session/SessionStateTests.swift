import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("What an app sees of its session", .timeLimit(.minutes(20)))
struct SessionStateTests {
    private static func answer(_ broker: StandInBroker, _ tokens: @escaping @Sendable () throws -> JSONObject) {
        broker.answer { call in call.path == "/oauth/token" ? .json(try tokens()) : nil }
    }

    @Test func `the states begin with the one of now and follow every change`() async throws {
        try await StandInBroker.run { broker in
            let first = try await TestApp.signedIn(broker)
            let app = try TestApp(broker, storage: first.storage)
            #expect(app.auth.lastKnownSession == nil, "nothing was read yet")

            var states = app.auth.states.makeAsyncIterator()
            let session = await first.auth.session
            #expect(await states.next() == .restoring)
            #expect(await states.next()?.session == session && session != nil)
            #expect(app.auth.lastKnownSession == session)
            var later = app.auth.states.makeAsyncIterator()
            #expect(await later.next()?.session == session)
            Self.answer(broker) { try broker.tokens(claims: ["name": "Countess"]) }
            let refreshed = try await app.auth.refresh()
            #expect(await states.next() == .signedIn(refreshed) && refreshed.name == "Countess")
            try await app.auth.signOut()

            #expect(await states.next() == .signedOut)
            #expect(app.auth.lastKnownSession == nil)
        }
    }

    @Test func `without a stored session the states say so, and a sign-in that was not stored is none`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            var states = app.auth.states.makeAsyncIterator()
            #expect(await states.next() == .restoring)
            #expect(await states.next() == .signedOut)
            let credential = { ProviderCredential.idToken("t", of: .apple, nonce: SignInNonce()) }
            app.storage.fail(.save, with: .storageFailed("full"))
            _ = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn(with: credential()) }
            app.storage.fail(.save, with: nil)
            #expect(app.auth.lastKnownSession == nil)

            let result = try await app.auth.signIn(with: credential())

            #expect(await states.next() == .signedIn(result.session))
        }
    }

    @Test func `a locked storage leaves the state open`() async throws {
        try await StandInBroker.run { broker in
            let first = try await TestApp.signedIn(broker)
            let app = try TestApp(broker, storage: first.storage)
            app.storage.fail(.load, with: .storageLocked)
            var states = app.auth.states.makeAsyncIterator()
            #expect(await states.next() == .restoring)
            let locked = await failure { () async throws(BrokerAuthError) in try await app.auth.restore() }
            app.storage.fail(.load, with: nil)

            _ = try await app.auth.restore()

            #expect(locked == .storageLocked)
            #expect(await states.next()?.session?.userID == "user-1")
        }
    }

    @Test func `the session has all claims of its ID token, also after a restart`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.answer(broker) {
                try broker.tokens(claims: [
                    "role": "editor", "idp": "gitlab.com", "teams": ["a", "b"],
                ])
            }

            let result = try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            let restored = try await TestApp(broker, storage: app.storage).auth.restore()

            for session in [result.session, restored] {
                #expect(session?.claims["role"]?.string == "editor")
                #expect(session?.claims["teams"]?.array?.compactMap(\.string) == ["a", "b"])
                #expect(session?.claims["sub"]?.string == "user-1")
                #expect(session?.signInProvider == .gitLab && session?.isAnonymous == false)
            }
        }
    }

    @Test func `record, provider and novelty come with the tokens, without another request`() async throws {
        try await StandInBroker.run { broker in
            let presenter = TestPresenter.redirecting(from: broker)
            let app = try TestApp(broker, presenter: presenter)
            Self.answer(broker) {
                var tokens = try broker.tokens(
                    nonce: presenter.shown.last?.query["nonce"], claims: ["idp": "github.com"])
                (tokens["is_new_user"], tokens["provider"]) = (true, "github.com")
                tokens["user"] = [
                    "localId": "user-1", "displayName": "Ada",
                    "providerUserInfo": [["providerId": "github.com", "rawUserInfo": #"{"login":"ada"}"#]],
                ]
                return tokens
            }

            let result = try await app.auth.signIn()

            #expect(result.isNewUser && result.provider == .gitHub && result.session.signInProvider == .gitHub)
            #expect(result.account?.displayName == "Ada")
            struct Profile: Decodable { let login: String }
            #expect(try result.profile?.decode(Profile.self).login == "ada")
            #expect(
                Set(broker.calls.map(\.path))
                    == ["/.well-known/openid-configuration", "/oauth/token", "/oauth/jwks"])
        }
    }

    @Test func `an anonymous user and a custom token have no provider`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.answer(broker) {
                var tokens = try broker.tokens(claims: ["idp": "anonymous", "broker": ["anonymous": true]])
                tokens["provider"] = "anonymous"
                return tokens
            }
            let anonymous = try await app.auth.signInAnonymously()
            Self.answer(broker) { try broker.tokens(claims: ["idp": "gitlab.com"]) }
            let linkedElsewhere = try await app.auth.refresh()

            #expect(anonymous.provider == nil && anonymous.session.isAnonymous)
            #expect(anonymous.session.signInProvider == nil)
            #expect(linkedElsewhere.signInProvider == .gitLab && !linkedElsewhere.isAnonymous)
        }
    }

    @Test func `the provider of the last sign-in stays after a sign-out, and goes with the account`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            #expect(await app.auth.lastProvider == nil)
            _ = try await app.auth.signIn(with: .idToken("t", of: .gitLab, nonce: SignInNonce()))
            try await app.auth.signOut()
            #expect(await app.auth.lastProvider == .gitLab)
            let later = try TestApp(broker, storage: app.storage)
            #expect(await later.auth.lastProvider == .gitLab)
            _ = try await later.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            #expect(await later.auth.lastProvider == .apple)
            broker.answer { call in call.path == "/v1/broker/me:delete" ? .json([:]) : nil }

            try await later.auth.deleteAccount()

            #expect(await later.auth.lastProvider == nil)
            #expect(app.storage.text == "", "nothing of the user stays on the device")
        }
    }

    @Test func `the outcome of a withdrawal is asked after the deletion, without a token`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                switch call.path {
                case "/v1/broker/me:delete":
                    .json([
                        "broker": ["withdrawals": [["providerId": "apple.com", "state": "queued", "receipt": "r1"]]]
                    ])
                case "/v1/broker/withdrawals/r1": .json(["providerId": "apple.com", "state": "done", "receipt": "r1"])
                default: nil
                }
            }
            let receipts = try await app.auth.deleteAccount()

            let stored = try JSONEncoder().encode(receipts)
            let restored = try #require(try JSONDecoder().decode([Withdrawal].self, from: stored).first)
            let outcome = try await TestApp(broker).auth.outcome(of: restored)
            let unknown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.outcome(of: Withdrawal(provider: .apple, state: "queued", receipt: "../me"))
            }

            #expect(restored == receipts.first)
            #expect(outcome == Withdrawal(provider: .apple, state: "done", receipt: "r1"))
            #expect(unknown == .server(code: "NOT_FOUND", message: ""))
            let calls = broker.calls.suffix(2)
            #expect(calls.allSatisfy { $0.headers["authorization"] == nil })
            #expect(calls.last?.path.hasPrefix("/v1/broker/withdrawals/") == true)
        }
    }

    @Test func `the refresh token can be taken to another library`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            #expect(try await app.auth.currentRefreshToken() == "refresh-1")
            try await app.auth.refresh()
            #expect(try await app.auth.currentRefreshToken() == "refresh-2")
            try await app.auth.signOut()

            let none = await failure { () async throws(BrokerAuthError) in try await app.auth.currentRefreshToken() }
            #expect(none == .signedOut)
        }
    }
}
