import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("trying a sign-in")
struct TrySignInTests {
    private static let email = "ann@example.com"

    /// A trial up to the provider's answer, which the browser brings to the broker.
    private static func answered(
        by provider: String, at broker: TestBroker, _ providers: TestProviders, cancelling: Bool = false
    ) async throws -> (trial: StartTrial.Answer, page: TestBrowser.Page, browser: TestBrowser) {
        let person = try providers.person(at: provider, email: email)
        let trial = try await call(broker, StartTrial(provider: provider))
        let browser = TestBrowser(broker)
        let consent = try await browser.open(trial.authorizationUrl)
        let choice = cancelling ? ["decision": "cancel"] : providers.choice(of: person)
        return (trial, try await browser.submit(on: consent, choice), browser)
    }

    private static func call<Operation: AdminOperation>(
        _ broker: TestBroker, _ operation: Operation
    ) async throws -> Operation.Answer {
        try await operation.run(for: AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test")))
    }

    private static func finish(_ trial: StartTrial.Answer, at broker: TestBroker) async throws -> FinishTrial.Answer {
        try await call(broker, FinishTrial(provider: trial.id, trial: trial.trial))
    }

    @Test(arguments: TestProviders.ids)
    func `shows the answers and the user of any provider, and no token`(provider: String) async throws {
        try await TestProviders.runHosted { broker, providers in
            let (trial, page, browser) = try await Self.answered(by: provider, at: broker, providers)
            #expect(page.status == 200 && page.html.contains("return to your terminal"), "\(page.html)")
            #expect(browser.cookies.isEmpty, "\(browser.cookies)")

            let answer = try await Self.finish(trial, at: broker)

            let identity = try #require(answer.identity, "\(answer)")
            #expect(identity.email == Self.email && identity.isEmailVerified && identity.doesEmailCount)
            #expect(answer.problem == nil && answer.exchanges.contains { $0.step == "redeem" && $0.status == 200 })
            let text = try JSONValueEncoder().encode(answer).serialized()
            for mark in ["gho_", "glpat-", "eyJ"] { #expect(!text.contains(mark), "\(text)") }
            let code = browser.visited.compactMap { Self.parameter("code", of: $0) }.first
            if let code { #expect(!text.contains(code), "\(text)") }
            #expect(answer.callback["code"]?.string?.hasPrefix("(hidden: ") == true)
        }
    }

    @Test func `stores no user, no session and no claim of a sign-in`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let (trial, _, browser) = try await Self.answered(by: "github.com", at: broker, providers)
            _ = try await Self.finish(trial, at: broker)

            let users = try await Self.call(broker, ListUsers(after: nil, limit: nil))
            #expect(users.users.isEmpty)
            let events = try await Self.events(of: broker)
            let claims = ["user.", "session.", "identity.", "sign-in.", "device."]
            #expect(events.contains("provider.tried"), "\(events)")
            #expect(!events.contains { event in claims.contains { event.hasPrefix($0) } }, "\(events)")
            let account = try await browser.visit("/account")
            #expect(!account.html.contains(Self.email))
        }
    }

    @Test func `an outcome is told once, and to the holder of its secret only`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let (trial, _, browser) = try await Self.answered(by: "github.com", at: broker, providers)
            let state = try #require(browser.visited.compactMap { Self.parameter("state", of: $0) }.first)

            let guessed = try await Self.call(broker, FinishTrial(provider: trial.id, trial: state))
            #expect(guessed.isWaiting)
            let first = try await Self.finish(trial, at: broker)
            let again = try await Self.finish(trial, at: broker)

            #expect(first.identity != nil && again.isWaiting)
        }
    }

    @Test func `no other flow finishes it`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let trial = try await Self.call(broker, StartTrial(provider: "apple.com"))
            let person = try providers.person(at: "apple.com", email: Self.email)
            let browser = TestBrowser(broker)
            let consent = try await browser.open(trial.authorizationUrl)
            _ = try await browser.submit(on: consent, providers.choice(of: person))

            let page = try await browser.visit(
                "/oauth/callback/apple.com/continue?" + FormEncoding.encode([("h", trial.trial)]))

            #expect(page.status >= 400 && browser.cookies.keys.allSatisfy { !$0.contains("session") })
            #expect(try await Self.finish(trial, at: broker).identity != nil)
        }
    }

    @Test func `before the browser is back the command waits`() async throws {
        try await TestProviders.runHosted { broker, _ in
            let trial = try await Self.call(broker, StartTrial(provider: "github.com"))

            #expect(try await Self.finish(trial, at: broker).isWaiting)
        }
    }

    @Test func `a user who cancels, and a provider that fails, are problems with the answers so far`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let cancelled = try await Self.answered(by: "github.com", at: broker, providers, cancelling: true)
            let answer = try await Self.finish(cancelled.trial, at: broker)
            #expect(answer.identity == nil && answer.problem?.fault == "cancelled", "\(answer)")
            #expect(answer.callback["error"] == "access_denied" && answer.exchanges.isEmpty)

            let (trial, _, _) = try await Self.answered(by: "gitlab.com", at: broker, providers)
            providers.gitLab.fail(.token, with: .htmlInsteadOfJSON)
            let failed = try await Self.finish(trial, at: broker)
            #expect(failed.identity == nil && failed.problem?.fault == "upstream", "\(failed)")
            #expect(failed.exchanges.first?.body?.string?.contains("<") == true, "\(failed)")
        }
    }

    @Test func `a disabled entry is tried before it is enabled`() async throws {
        try await TestProviders.runHosted(entries: { entry in
            if entry["id"] == "gitlab.com" { entry["enabled"] = false }
        }) { broker, providers in
            let (trial, page, _) = try await Self.answered(by: "gitlab.com", at: broker, providers)

            #expect(page.status == 200)
            #expect(try await Self.finish(trial, at: broker).identity?.email == Self.email)
        }
    }

    @Test func `an unknown entry is refused`() async throws {
        try await TestProviders.run { broker, _ in
            let unknown = await #expect(throws: AdminFailure.self) {
                try await Self.call(broker, StartTrial(provider: "nowhere"))
            }
            #expect(unknown?.code == "UNKNOWN_PROVIDER")
        }
    }

    private static func events(of broker: TestBroker) async throws -> [String] {
        try await broker.core.store.read { try $0.auditEntries(AuditFilter(), limit: 100) }.map(\.event)
    }

    private static func parameter(_ name: String, of url: String) -> String? {
        guard let query = url.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        return FormEncoding.decode(query.utf8)?.first { $0.name == name }?.value
    }
}
