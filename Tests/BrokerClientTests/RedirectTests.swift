import BrokerClient
import Foundation
import Testing

@Suite("The redirect of a sign-in", .timeLimit(.minutes(20)))
struct RedirectTests {
    @Test func `a redirect that does not come ends after 300 seconds, and the next sign-in may begin`() async throws {
        try await StandInBroker.run { broker in
            let clock = TestClock()
            let presenter = TestPresenter.waiting
            let app = try TestApp(broker, clock: clock, presenter: presenter)

            let waiting = Task { () async -> BrokerAuthError? in
                await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }
            }
            while clock.slept.isEmpty { await Task.yield() }
            clock.wake()

            #expect(await waiting.value == .handoffTimeout)
            #expect(clock.slept == [.seconds(300)] && presenter.cancellations == 1)
        }
    }

    @Test func `one sign-in is under way at a time`() async throws {
        try await StandInBroker.run { broker in
            let presenter = TestPresenter.waiting
            let app = try TestApp(broker, presenter: presenter)

            let first = Task { () async -> BrokerAuthError? in
                await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }
            }
            while presenter.shown.isEmpty { await Task.yield() }
            let second = await failure { () async throws(BrokerAuthError) in try await app.auth.signInAnonymously() }
            first.cancel()

            #expect(second == .alreadyInProgress)
            #expect(await first.value == .cancelled && presenter.cancellations == 1)
            let third = await failure { () async throws(BrokerAuthError) in try await app.auth.signInAnonymously() }
            #expect(third == nil)
        }
    }

    @Test func `the app may deliver the redirect, and its code is redeemed once`() async throws {
        try await StandInBroker.run { broker in
            let presenter = TestPresenter.waiting
            let app = try TestApp(broker, presenter: presenter)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                return .json(try broker.tokens(nonce: presenter.shown.last?.query["nonce"]))
            }

            let signIn = Task { try await app.auth.signIn() }
            while presenter.shown.isEmpty { await Task.yield() }
            let redirect = TestPresenter.redirect(of: presenter.shown[0], from: broker)
            let others = ["https://app.example/callback?code=1", "com.example.app:/other?code=1", "other:/callback"]
            let isAnotherTaken = try others.map { app.auth.handle(try #require(URL(string: $0))) }
            let isTaken = app.auth.handle(redirect)
            let isTakenAgain = app.auth.handle(redirect)

            #expect(isAnotherTaken == [false, false, false] && isTaken)
            _ = isTakenAgain
            #expect(try await signIn.value.session.userID == "user-1")
            #expect(broker.calls(of: "/oauth/token").count == 1)
            #expect(app.auth.handle(redirect), "a URL with a code is not for the app's navigation")
            #expect(throws: BrokerAuthError.noPendingRequest) { try app.auth.resume(with: redirect) }
        }
    }

    @Test func `a redirect with a foreign state is dropped, and the sign-in goes on`() async throws {
        try await StandInBroker.run { broker in
            let presenter = TestPresenter.waiting
            let app = try TestApp(broker, presenter: presenter)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                return .json(try broker.tokens(nonce: presenter.shown.last?.query["nonce"]))
            }

            let signIn = Task { try await app.auth.signIn() }
            while presenter.shown.isEmpty { await Task.yield() }
            let shown = presenter.shown[0]
            let foreign: [[String: String?]] = [
                ["state": "other"], ["state": nil], ["state": ""],
                ["state": "other", "code": nil, "error": "access_denied"],
            ]
            var urls = foreign.map { TestPresenter.redirect(of: shown, from: broker, $0) }
            let redirect = TestPresenter.redirect(of: shown, from: broker)
            urls.append(try #require(URL(string: redirect.absoluteString + "&state=other")))
            for url in urls {
                #expect(app.auth.handle(url) && !shown.isRedirect(url), "\(url)")
                #expect(throws: BrokerAuthError.stateMismatch) { try app.auth.resume(with: url) }
            }
            #expect(shown.isRedirect(redirect) && app.auth.handle(redirect))

            #expect(try await signIn.value.session.userID == "user-1")
            #expect(broker.calls(of: "/oauth/token").count == 1)
        }
    }

    @Test func `a presenter that returns another URL, or whose user cancels, ends the sign-in`() async throws {
        try await StandInBroker.run { broker in
            let elsewhere = try #require(URL(string: "com.example.app:/elsewhere?code=1"))
            for (page, error) in [
                (TestPresenter { (_) async throws(BrokerAuthError) in elsewhere }, BrokerAuthError.unexpectedRedirect),
                (TestPresenter { (_) async throws(BrokerAuthError) in throw .userCancelled }, .userCancelled),
            ] {
                let app = try TestApp(broker, presenter: page)
                let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }
                #expect(thrown == error)
            }
            let app = try TestApp(broker)
            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.signIn() }
            guard case .notConfigured = thrown else { throw try #require(thrown) }
        }
    }
}
