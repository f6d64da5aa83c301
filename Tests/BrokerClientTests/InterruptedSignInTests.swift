import Foundation
import StrictJSON
import Testing

@testable import BrokerClient

@Suite("A sign-in that the end of the app interrupts", .timeLimit(.minutes(20)))
struct InterruptedSignInTests {
    /// An app that was ended while the user was at a page, and what its page was.
    private static func interrupted(
        _ broker: StandInBroker, clock: TestClock = TestClock()
    ) async throws -> (page: AuthorizationPresentation, storage: MemoryStorage) {
        let presenter = TestPresenter.waiting
        let app = try TestApp(broker, clock: clock, presenter: presenter)
        let running = Task { () async -> BrokerAuthError? in
            await failure { () async throws(BrokerAuthError) in try await app.auth.signIn(with: .gitHub) }
        }
        while presenter.shown.isEmpty { await Task.yield() }
        let left = app.storage.copy
        running.cancel()
        _ = await running.value
        let page = presenter.shown[0]
        broker.answer { call in
            guard call.path == "/oauth/token", call.form["grant_type"] == "authorization_code" else { return nil }
            return .json(try broker.tokens(nonce: page.query["nonce"]))
        }
        return (page, left)
    }

    @Test func `is completed by its redirect after the restart, once`() async throws {
        try await StandInBroker.run { broker in
            let (page, storage) = try await Self.interrupted(broker)
            let app = try TestApp(broker, storage: storage)
            #expect(try await app.auth.restore() == nil)
            var events = app.auth.events.makeAsyncIterator()
            let redirect = TestPresenter.redirect(of: page, from: broker)

            let isTaken = app.auth.handle(redirect)
            let event = await events.next()
            let isTakenAgain = app.auth.handle(redirect)
            var again: BrokerAuthError?
            // The first one ends a little after its event.
            repeat {
                again = await failure { () async throws(BrokerAuthError) in
                    try await app.auth.resumeSignIn(with: redirect)
                }
            } while again == .alreadyInProgress

            #expect(isTaken && isTakenAgain && again == .noPendingRequest)
            let session = try #require(await app.auth.session)
            #expect(event == .signedIn(session) && session.signInProvider == .gitHub)
            #expect(broker.calls(of: "/oauth/token").count == 1)
            #expect(storage.pending.isEmpty, "gone at use")
        }
    }

    @Test func `the result is the caller's who asks for it`() async throws {
        try await StandInBroker.run { broker in
            let (page, storage) = try await Self.interrupted(broker)
            let app = try TestApp(broker, storage: storage)

            let result = try await app.auth.resumeSignIn(with: TestPresenter.redirect(of: page, from: broker))

            #expect(result.provider == .gitHub && result.session.userID == "user-1")
        }
    }

    @Test func `is over after ten minutes, and forgotten`() async throws {
        try await StandInBroker.run { broker in
            let clock = TestClock()
            let (page, storage) = try await Self.interrupted(broker, clock: clock)
            let redirect = TestPresenter.redirect(of: page, from: broker)
            clock.advance(by: 600)
            let app = try TestApp(broker, clock: clock, storage: storage)

            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.resumeSignIn(with: redirect)
            }

            #expect(thrown == .noPendingRequest && storage.pending.isEmpty)
            #expect(app.auth.handle(redirect), "its code is not for the app's navigation")
            #expect(broker.calls(of: "/oauth/token").isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `does not outlive a sign-out or another sign-in`(signsOut: Bool) async throws {
        try await StandInBroker.run { broker in
            let (page, storage) = try await Self.interrupted(broker)
            let app = try TestApp(broker, storage: storage)
            if signsOut {
                try await app.auth.signOut()
            } else {
                broker.answer { $0.path == "/oauth/token" ? .json(try broker.tokens(nonce: nil)) : nil }
                _ = try await app.auth.signInAnonymously()
            }

            let resumed = await failure { () async throws(BrokerAuthError) in
                try await app.auth.resumeSignIn(with: TestPresenter.redirect(of: page, from: broker))
            }

            #expect(resumed == .noPendingRequest && storage.pending.isEmpty)
            #expect(await app.auth.session == nil || !signsOut)
        }
    }

    @Test func `a foreign redirect neither completes nor ends it`() async throws {
        try await StandInBroker.run { broker in
            let (page, storage) = try await Self.interrupted(broker)
            let app = try TestApp(broker, storage: storage)
            let foreign: [[String: String?]] = [
                ["state": "other"], ["state": nil], ["state": "other", "code": nil, "error": "access_denied"],
            ]

            for parameters in foreign {
                let url = TestPresenter.redirect(of: page, from: broker, parameters)
                #expect(app.auth.handle(url))
                let thrown = await failure { () async throws(BrokerAuthError) in
                    try await app.auth.resumeSignIn(with: url)
                }
                #expect(thrown == .noPendingRequest)
            }
            let wrongIssuer = TestPresenter.redirect(of: page, from: broker, ["iss": "https://evil.example"])
            #expect(storage.pending.count == 1 && broker.calls(of: "/oauth/token").isEmpty)
            let mixedUp = await failure { () async throws(BrokerAuthError) in
                try await app.auth.resumeSignIn(with: wrongIssuer)
            }
            #expect(mixedUp == .stateMismatch && broker.calls(of: "/oauth/token").isEmpty)
        }
    }

    @Test func `a link is completed for the user who began it only`() async throws {
        try await StandInBroker.run { broker in
            let owner = try await TestApp.signedIn(broker)
            broker.answer { call in
                guard call.path == "/oauth/par" else { return nil }
                return .json(["request_uri": "urn:x", "expires_in": 60])
            }
            let presenter = TestPresenter.waiting
            let app = try TestApp(broker, storage: owner.storage, presenter: presenter)
            let running = Task { () async -> BrokerAuthError? in
                await failure { () async throws(BrokerAuthError) in try await app.auth.link(.gitHub) }
            }
            while presenter.shown.isEmpty { await Task.yield() }
            let (left, page) = (owner.storage.copy, presenter.shown[0])
            running.cancel()
            _ = await running.value
            let pushed = try #require(broker.calls(of: "/oauth/par").last?.form)
            let redirect = TestPresenter.redirect(of: page, from: broker, ["state": pushed["state"]])
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                let isRedemption = call.form["grant_type"] == "authorization_code"
                return .json(
                    try broker.tokens(
                        of: isRedemption ? "user-1" : "user-2", nonce: isRedemption ? pushed["nonce"] : nil))
            }
            let other = try TestApp(broker, storage: left.copy)
            _ = try await other.auth.signIn(with: .idToken("provider-token", of: .apple, nonce: SignInNonce()))
            let byOther = await failure { () async throws(BrokerAuthError) in
                try await other.auth.resumeSignIn(with: redirect)
            }
            let own = try TestApp(broker, storage: left)

            let result = try await own.auth.resumeSignIn(with: redirect)

            #expect(byOther == .noPendingRequest)
            #expect(result.session.userID == "user-1" && result.provider == .gitHub)
        }
    }

    @Test func `a failure after the restart is told, and the session stays`() async throws {
        try await StandInBroker.run { broker in
            let (page, storage) = try await Self.interrupted(broker)
            broker.answer { call in call.path == "/oauth/token" ? .refusal("invalid_grant", "No.") : nil }
            let app = try TestApp(broker, storage: storage)
            var events = app.auth.events.makeAsyncIterator()

            #expect(app.auth.handle(TestPresenter.redirect(of: page, from: broker)))

            #expect(await events.next() == .signInFailed(.server(code: "invalid_grant", message: "No.")))
            #expect(await app.auth.session == nil)
        }
    }

    @Test func `one that ends while the app runs leaves nothing behind`() async throws {
        try await StandInBroker.run { broker in
            for outcome: BrokerAuthError? in [nil, .userCancelled] {
                let presenter = TestPresenter { request throws(BrokerAuthError) in
                    if let outcome { throw outcome }
                    return TestPresenter.redirect(of: request, from: broker)
                }
                let app = try TestApp(broker, presenter: presenter)
                broker.answer { call in
                    guard call.path == "/oauth/token" else { return nil }
                    return .json(try broker.tokens(nonce: presenter.shown.last?.query["nonce"]))
                }

                let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }

                #expect(thrown == outcome && app.storage.pending.isEmpty)
            }
        }
    }

    @Test func `what is stored of it shows nothing when it is printed`() {
        let pending = PendingSignIn(
            redirectURI: "a:/b", state: "st4te", redemption: .provider(handle: "h4ndle"), purpose: .signIn,
            provider: nil, userID: nil, expiresAt: Date())
        var dumped = ""
        dump(pending, to: &dumped)
        #expect(!"\(pending)\(String(reflecting: pending))\(dumped)".contains("h4ndle"))
    }
}
