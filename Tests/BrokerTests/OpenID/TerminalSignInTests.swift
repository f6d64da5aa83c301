import BrokerStore
import BrowserTesting
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Sign-in at a terminal")
struct TerminalSignInTests {
    @Test func `the terminal receives the identity of the user who signs in at the provider`() async throws {
        try await TestBroker.runHosted { broker in
            let terminal = broker.core.openID.terminal
            let attempt = try await terminal.begin(at: "github.com", .init())
            let browser = TestBrowser(broker)

            let done = try await broker.prove(attempt, in: browser, as: "ada")
            let outcome = try await terminal.outcome(of: attempt, pause: { throw TestFailure("it was there already") })

            #expect(done.html.contains("GitHub has confirmed who you are"), "\(done.html)")
            #expect(done.html.contains("return to your terminal") && done.html.contains("ada"))
            let proven = try await broker.core.accounts.verify(pendingToken: outcome.pendingToken)
            #expect(proven.subject == (try broker.account("ada")) && proven.email == "ada@example.com")
            #expect(outcome.authTime == nil && !outcome.isFresh && !outcome.returnsToTerminal)
            #expect(browser.cookies["broker-session"] == nil, "no session was made")
            let found = try await broker.core.store.read { try $0.users(after: nil, limit: 10) }
            #expect(found.isEmpty, "and nothing was written before the terminal says so")
        }
    }

    @Test func `a verified credential is single-use, and only at the terminal that asked`() async throws {
        try await TestBroker.runHosted { broker in
            let terminal = broker.core.openID.terminal
            let (one, other) = (
                try await terminal.begin(at: "github.com", .init()), try await terminal.begin(at: "github.com", .init())
            )
            _ = try await broker.prove(one, in: TestBrowser(broker), as: "ada")

            await #expect(throws: Stopped.self) {
                _ = try await terminal.outcome(of: other, pause: { throw Stopped() })
            }
            let outcome = try await terminal.outcome(of: one, pause: {})
            await #expect(throws: BrokerError.deviceCodeExpired) { _ = try await terminal.outcome(of: one, pause: {}) }
            let proven = try await broker.core.accounts.verify(pendingToken: outcome.pendingToken)
            _ = try await broker.core.accounts.signIn(proven, origin: Origin(.admin))
            await #expect(throws: BrokerError.invalidPendingToken) {
                _ = try await broker.core.accounts.verify(pendingToken: outcome.pendingToken)
            }
        }
    }

    @Test func `the first of two browsers consumes the code, and the second is refused`() async throws {
        try await TestBroker.runHosted { broker in
            let terminal = broker.core.openID.terminal
            let attempt = try await terminal.begin(at: "github.com", .init())
            let (ada, ben) = (TestBrowser(broker), TestBrowser(broker))
            let (adas, bens) = (try await broker.consent(attempt, in: ada), try await broker.consent(attempt, in: ben))

            let first = try await ada.submit(on: adas, ["person": try broker.account("ada")])
            let second = try await ben.submit(on: bens, ["person": try broker.account("ben")])

            #expect(first.html.contains("has confirmed who you are"))
            #expect(second.html.contains("expired or was already used"), "\(second.html)")
            let outcome = try await terminal.outcome(of: attempt, pause: {})
            let proven = try await broker.core.accounts.verify(pendingToken: outcome.pendingToken)
            #expect(proven.subject == (try broker.account("ada")))
        }
    }

    @Test func `a provider's response in another browser verifies no user`() async throws {
        try await TestBroker.runHosted { broker in
            let attempt = try await broker.core.openID.terminal.begin(at: "github.com", .init())
            let (attacker, victim) = (TestBrowser(broker), TestBrowser(broker))
            let consent = try await broker.consent(attempt, in: attacker)
            // The victim follows the attacker's link to the provider, and comes back without the attacker's cookie.
            let page = try await victim.submit(on: consent, ["person": try broker.account("ada")])

            #expect(page.status == 400 && !page.html.contains("has confirmed"), "\(page.html)")
            await #expect(throws: Stopped.self) {
                _ = try await broker.core.openID.terminal.outcome(of: attempt, pause: { throw Stopped() })
            }
        }
    }

    @Test func `a denial ends the sign-in, and a user who cancels at the provider can try again`() async throws {
        try await TestBroker.runHosted { broker in
            let terminal = broker.core.openID.terminal
            let attempt = try await terminal.begin(at: "github.com", .init())
            let browser = TestBrowser(broker)
            let cancelled = try await browser.submit(
                on: try await broker.consent(attempt, in: browser), ["decision": "cancel"])
            #expect(cancelled.links.contains { $0.address.hasPrefix("/device?user_code=") }, "\(cancelled.html)")
            await #expect(throws: Stopped.self) {
                _ = try await terminal.outcome(of: attempt, pause: { throw Stopped() })
            }

            let question = try await browser.open(attempt.url)
            #expect(
                question.html.contains("prove your GitHub account") && question.html.contains(attempt.userCode.text))
            let denied = try await browser.submit("/device", on: question, ["decision": "deny"])

            #expect(denied.html.contains("You denied the request"))
            await #expect(throws: BrokerError.cancelledAtProvider) {
                _ = try await terminal.outcome(of: attempt, pause: {})
            }
        }
    }

    @Test func `a terminal that gives up leaves nothing for a later browser`() async throws {
        try await TestBroker.runHosted { broker in
            let terminal = broker.core.openID.terminal
            let attempt = try await terminal.begin(at: "github.com", .init())
            let browser = TestBrowser(broker)
            let consent = try await broker.consent(attempt, in: browser)

            try await terminal.abandon(attempt)
            let late = try await browser.submit(on: consent, ["person": try broker.account("ada")])

            #expect(late.html.contains("expired or was already used"))
            #expect(try await browser.open(attempt.url).html.contains("expired or was already used"))
        }
    }

    @Test func `an unused code expires after ten minutes, with a countdown`() async throws {
        try await TestBroker.runHosted { broker in
            let terminal = broker.core.openID.terminal
            let attempt = try await terminal.begin(at: "github.com", .init())
            var left: [Int] = []

            await #expect(throws: BrokerError.deviceCodeExpired) {
                _ = try await terminal.outcome(of: attempt, pause: { broker.clock.advance(seconds: 60) }) {
                    left.append($0)
                }
            }

            #expect(left == [600, 540, 480, 420, 360, 300, 240, 180, 120, 60])
            #expect(try await TestBrowser(broker).open(attempt.url).html.contains("expired or was already used"))
        }
    }

    @Test func `a browser on the same machine comes back to the terminal with its state and nothing else`() async throws
    {
        try await TestBroker.runHosted { broker in
            let terminal = broker.core.openID.terminal
            let loopback = "http://127.0.0.1:1/app-of-the-test?state=\(RandomText.secret())"
            let here = try await terminal.begin(at: "github.com", .init(loopback: loopback))
            let elsewhere = try await terminal.begin(at: "github.com", .init(loopback: loopback))

            let back = try await broker.prove(here, in: TestBrowser(broker), as: "ada", at: here.localURL)
            let away = try await broker.prove(elsewhere, in: TestBrowser(broker), as: "ada")

            #expect(back.isForeign && back.url == loopback, "\(back.url)")
            #expect(try await terminal.outcome(of: here, pause: {}).returnsToTerminal)
            #expect(!away.isForeign && away.html.contains("return to your terminal"))
            #expect(try await !terminal.outcome(of: elsewhere, pause: {}).returnsToTerminal)
        }
    }

    @Test func `a login is called fresh when the provider says so, and not otherwise`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let terminal = broker.core.openID.terminal
            var found: [String: TerminalSignIn.Outcome] = [:]
            for id in TestProviders.ids {
                let attempt = try await terminal.begin(at: id, .init(requiresLogin: true))
                let person = try providers.person(at: id, email: "ann@example.com")
                let browser = TestBrowser(broker)
                let question = try await browser.open(attempt.url)
                let consent = try await browser.follow("Continue", on: question)
                _ = try await browser.submit(on: consent, providers.choice(of: person))
                found[id] = try await terminal.outcome(of: attempt, pause: { throw Stopped() })
            }

            for (id, outcome) in found {
                #expect(outcome.isFresh == (outcome.authTime != nil), "\(id)")
            }
            #expect(found["github.com"]?.isFresh == false, "GitHub says nothing about it")
            #expect(found.values.contains { $0.isFresh })
        }
    }

    @Test func `a provider without a page, and none at all, are refused in words`() async throws {
        try await TestBroker.runHosted { broker in
            await #expect(throws: BrokerError.unknownProvider("x")) {
                _ = try await broker.core.openID.terminal.begin(at: "x", .init())
            }
        }
    }

    @Test func `a client's code is no terminal's, and the other way round`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            _ = try await TestDevice(at: broker).approve(in: browser, as: broker.account("ada"))
            let attempt = try await broker.core.openID.terminal.begin(at: "github.com", .init())
            let question = try await browser.open(attempt.url)

            let allowed = try await browser.submit("/device", on: question, ["decision": "allow"])
            let app = try await OAuthApp(at: broker, .native, redirectURIs: [])
            let polled = try await app.post(
                "/oauth/token", [("grant_type", TestDevice.grantType), ("device_code", attempt.deviceCode)])

            #expect(allowed.html.contains("expired or was already used"))
            #expect(polled.oauthError == "invalid_grant")
            await #expect(throws: Stopped.self) {
                _ = try await broker.core.openID.terminal.outcome(of: attempt, pause: { throw Stopped() })
            }
        }
    }
}

/// The test has seen enough of the waiting.
private struct Stopped: Error {}

extension TestBroker {
    /// GitHub's page, at the end of the way from a terminal's address.
    fileprivate func consent(
        _ attempt: TerminalSignIn.Attempt, in browser: TestBrowser, at url: String? = nil
    ) async throws -> TestBrowser.Page {
        try await browser.follow("Continue", on: try await browser.open(url ?? attempt.url))
    }

    /// Opens a terminal's address and signs in at GitHub.
    fileprivate func prove(
        _ attempt: TerminalSignIn.Attempt, in browser: TestBrowser, as login: String, at url: String? = nil
    ) async throws -> TestBrowser.Page {
        let consent = try await consent(attempt, in: browser, at: url)
        return try await browser.submit(on: consent, ["person": try account(login)])
    }
}
