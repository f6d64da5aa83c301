import BrokerStore
import BrowserTesting
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@testable import Broker

@Suite("An identity by device authorization")
struct DeviceIdentityTests {
    @Test func `the command receives the identity of the user who signs in at the provider`() async throws {
        try await TestBroker.runHosted { broker in
            let attempt = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            let browser = TestBrowser(broker)

            let done = try await broker.prove(attempt, in: browser, as: "ada")
            let outcome = try await broker.poll(attempt)

            #expect(attempt.verificationURI == broker.core.openID.issuer + "/device" && attempt.expiresIn == 600)
            #expect(attempt.verificationURIComplete == attempt.verificationURI + "?user_code=\(attempt.userCode)")
            #expect(done.html.contains("GitHub has confirmed who you are"), "\(done.html)")
            #expect(done.html.contains("return to your terminal") && done.html.contains("ada"))
            let proven = try await broker.core.accounts.verify(pendingToken: outcome.pendingToken)
            #expect(proven.subject == (try broker.account("ada")) && proven.email == "ada@example.com")
            #expect(outcome.authTime == nil && !outcome.isFresh)
            #expect(browser.cookies["broker-session"] == nil, "no session was made")
            let found = try await broker.core.store.read { try $0.users(after: nil, limit: 10) }
            #expect(found.isEmpty, "and nothing was written before the command says so")
        }
    }

    @Test func `an identity is single-use, and only for the command that asked`() async throws {
        try await TestBroker.runHosted { broker in
            let one = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            let other = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            _ = try await broker.prove(one, in: TestBrowser(broker), as: "ada")

            await #expect(throws: StillPending.self) { _ = try await broker.poll(other) }
            let outcome = try await broker.poll(one)
            await #expect(throws: BrokerError.deviceCodeExpired) { _ = try await broker.poll(one) }
            let proven = try await broker.core.accounts.verify(pendingToken: outcome.pendingToken)
            _ = try await broker.core.accounts.signIn(proven, origin: Origin(.admin))
            await #expect(throws: BrokerError.invalidPendingToken) {
                _ = try await broker.core.accounts.verify(pendingToken: outcome.pendingToken)
            }
        }
    }

    @Test func `of two commands that have the same code one receives the identity`() async throws {
        try await TestBroker.runHosted { broker in
            let attempt = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            _ = try await broker.prove(attempt, in: TestBrowser(broker), as: "ada")

            async let first = broker.poll(attempt)
            async let second = broker.poll(attempt)
            let received = [try? await first, try? await second].compactMap(\.self)

            #expect(received.count == 1)
        }
    }

    @Test func `the first of two browsers consumes the code, and the second is refused`() async throws {
        try await TestBroker.runHosted { broker in
            let attempt = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            let (ada, ben) = (TestBrowser(broker), TestBrowser(broker))
            let (adas, bens) = (try await broker.consent(attempt, in: ada), try await broker.consent(attempt, in: ben))

            let first = try await ada.submit(on: adas, ["person": try broker.account("ada")])
            let second = try await ben.submit(on: bens, ["person": try broker.account("ben")])

            #expect(first.html.contains("has confirmed who you are"))
            #expect(second.html.contains("expired or was already used"), "\(second.html)")
            let outcome = try await broker.poll(attempt)
            let proven = try await broker.core.accounts.verify(pendingToken: outcome.pendingToken)
            #expect(proven.subject == (try broker.account("ada")))
        }
    }

    @Test func `a provider's response in another browser verifies no user`() async throws {
        try await TestBroker.runHosted { broker in
            let attempt = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            let (attacker, victim) = (TestBrowser(broker), TestBrowser(broker))
            let consent = try await broker.consent(attempt, in: attacker)
            // The victim follows the attacker's link to the provider, and comes back without the attacker's cookie.
            let page = try await victim.submit(on: consent, ["person": try broker.account("ada")])

            #expect(page.status == 400 && !page.html.contains("has confirmed"), "\(page.html)")
            await #expect(throws: StillPending.self) { _ = try await broker.poll(attempt) }
        }
    }

    @Test func `a denial ends the sign-in, and a user who cancels at the provider can try again`() async throws {
        try await TestBroker.runHosted { broker in
            let attempt = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            let browser = TestBrowser(broker)
            let cancelled = try await browser.submit(
                on: try await broker.consent(attempt, in: browser), ["decision": "cancel"])
            #expect(cancelled.links.contains { $0.address.hasPrefix("/device?user_code=") }, "\(cancelled.html)")
            await #expect(throws: StillPending.self) { _ = try await broker.poll(attempt) }

            let question = try await browser.open(attempt.url)
            #expect(question.html.contains("prove your GitHub account") && question.html.contains(attempt.userCode))
            let denied = try await browser.submit("/device", on: question, ["decision": "deny"])

            #expect(denied.html.contains("You denied the request"))
            await #expect(throws: BrokerError.cancelledAtProvider) { _ = try await broker.poll(attempt) }
        }
    }

    @Test func `a command that is cancelled leaves nothing for a later browser`() async throws {
        try await TestBroker.runHosted { broker in
            let attempt = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            let browser = TestBrowser(broker)
            let consent = try await broker.consent(attempt, in: browser)

            try await broker.core.openID.cancel(attempt)
            let late = try await browser.submit(on: consent, ["person": try broker.account("ada")])

            #expect(late.html.contains("expired or was already used"))
            #expect(try await browser.open(attempt.url).html.contains("expired or was already used"))
        }
    }

    @Test func `an unused code expires after ten minutes, with a countdown`() async throws {
        try await TestBroker.runHosted { broker in
            let attempt = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            let waits = Waits()

            await #expect(throws: BrokerError.deviceCodeExpired) {
                _ = try await broker.core.openID.deviceIdentity(of: attempt, progress: waits.append) { _ in
                    broker.clock.advance(seconds: 60)
                }
            }

            #expect(waits.all == [600, 540, 480, 420, 360, 300, 240, 180, 120, 60])
            #expect(try await TestBrowser(broker).open(attempt.url).html.contains("expired or was already used"))
        }
    }

    @Test func `a login is called fresh when the provider says so, and not otherwise`() async throws {
        try await TestProviders.runHosted { broker, providers in
            var found: [String: DeviceIdentity] = [:]
            for id in TestProviders.ids {
                let attempt = try await broker.core.openID.requestDeviceIdentity(of: id, requiresLogin: true)
                let person = try providers.person(at: id, email: "ann@example.com")
                let browser = TestBrowser(broker)
                let question = try await browser.open(attempt.url)
                let consent = try await browser.follow("Continue", on: question)
                _ = try await browser.submit(on: consent, providers.choice(of: person))
                found[id] = try await broker.poll(attempt)
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
                _ = try await broker.core.openID.requestDeviceIdentity(of: "x")
            }
        }
    }

    @Test func `a client's code is no command's, and the other way round`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            _ = try await TestDevice(at: broker).approve(in: browser, as: broker.account("ada"))
            let attempt = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
            let question = try await browser.open(attempt.url)

            let allowed = try await browser.submit("/device", on: question, ["decision": "allow"])
            let app = try await OAuthApp(at: broker, .native, redirectURIs: [])
            let polled = try await app.post(
                "/oauth/token", [("grant_type", TestDevice.grantType), ("device_code", attempt.deviceCode)])

            #expect(allowed.html.contains("expired or was already used"))
            #expect(polled.oauthError == "invalid_grant")
            await #expect(throws: StillPending.self) { _ = try await broker.poll(attempt) }
        }
    }
}

/// The user has not finished.
private struct StillPending: Error {}

/// What a command was told about its waits.
private final class Waits: Sendable {
    private let seconds = Mutex<[Int]>([])

    var all: [Int] { seconds.withLock(\.self) }

    @Sendable func append(_ left: Int) { seconds.withLock { $0.append(left) } }
}

extension DeviceAuthorization {
    /// The address that the command shows.
    fileprivate var url: String { verificationURIComplete ?? "" }
}

extension TestBroker {
    /// Polls once, at once.
    fileprivate func poll(_ attempt: DeviceAuthorization) async throws -> DeviceIdentity {
        let waits = Waits()
        return try await core.openID.deviceIdentity(of: attempt, progress: waits.append) { _ in
            guard waits.all.count == 1 else { throw StillPending() }
        }
    }

    /// GitHub's page, at the end of the way from a command's address.
    fileprivate func consent(_ attempt: DeviceAuthorization, in browser: TestBrowser) async throws -> TestBrowser.Page {
        try await browser.follow("Continue", on: try await browser.open(attempt.url))
    }

    /// Opens a command's address and signs in at GitHub.
    fileprivate func prove(
        _ attempt: DeviceAuthorization, in browser: TestBrowser, as login: String
    ) async throws -> TestBrowser.Page {
        let consent = try await consent(attempt, in: browser)
        return try await browser.submit(on: consent, ["person": try account(login)])
    }
}
