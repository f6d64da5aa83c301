import Broker
import BrokerStore
import BrowserTesting
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// A browser of a user with an account at GitHub, who has another account at 1Pass.
private struct Visitor {
    let broker: TestBroker
    let browser: TestBrowser
    let gitHub, onePass: TestPerson
    let ownID, otherID: String

    static func run(
        _ change: (inout Configuration) -> Void = { _ in }, _ test: (Visitor, TestProviders) async throws -> Void
    ) async throws {
        try await TestProviders.runHosted(change) { broker, providers in
            let gitHub = try providers.person(at: "github.com", email: "ann@example.com")
            let onePass = try providers.person(at: "1pass.dev", email: "ann@work.example")
            let otherID = try await broker.signIn(onePass).string("localId")
            let browser = TestBrowser(broker)
            _ = try await browser.signIn(gitHub)
            let ownID = try await broker.signIn(gitHub).string("localId")
            try await test(
                Visitor(
                    broker: broker, browser: browser, gitHub: gitHub, onePass: onePass, ownID: ownID, otherID: otherID),
                providers)
        }
    }

    /// Asks on the account page to join another account, and signs in to it.
    func question(_ person: TestPerson? = nil) async throws -> TestBrowser.Page {
        let chooser = try await browser.submit("/account/merge", on: try await browser.visit("/account"))
        return try await signIn(person ?? onePass, on: chooser)
    }

    func signIn(_ person: TestPerson, on chooser: TestBrowser.Page) async throws -> TestBrowser.Page {
        let consent = try await browser.follow(TestProviders.names[person.provider] ?? "", on: chooser)
        return try await browser.submit(on: consent, ["person": person.account])
    }

    func choose(_ survivor: String, on question: TestBrowser.Page) async throws -> TestBrowser.Page {
        try await browser.submit("/account/merge", on: question, ["survivor": survivor])
    }

    func providers(of localID: String) async throws -> [String]? {
        try await broker.user(localID)?.identities.map(\.provider).sorted()
    }

    func areSeparate() async throws -> Bool {
        let (own, other) = (try await providers(of: ownID), try await providers(of: otherID))
        return own == ["github.com"] && other == ["1pass.dev"]
    }

    var session: SessionFacts? {
        get async throws {
            guard let id = browser.sessionID else { return nil }
            return try await broker.core.store.read { try $0.sessionFacts(id: id) }
        }
    }
}

@Suite("A merge of two accounts by their user, on the account page")
struct MergePageTests {
    @Test func `shows what joins, and joins it in the account that the user keeps`() async throws {
        try await Visitor.run { visitor, _ in
            let before = visitor.browser.sessionID
            let question = try await visitor.question()

            for text in ["ann@example.com", "GitHub", "ann@work.example", "1Pass", "Keep this account"] {
                #expect(question.html.contains(text), "\(text): \(question.html)")
            }
            #expect(try await visitor.areSeparate())
            let account = try await visitor.choose(visitor.ownID, on: question)

            #expect(account.url.hasSuffix("/account?done=merged"), "\(account.html)")
            #expect(try await visitor.providers(of: visitor.ownID) == ["1pass.dev", "github.com"])
            #expect(try await visitor.broker.user(visitor.otherID) == nil)
            #expect(visitor.browser.sessionID == before, "the session goes on")
        }
    }

    @Test func `the browser is signed in as the other account's user, where that one remains`() async throws {
        try await Visitor.run { visitor, _ in
            let before = visitor.browser.sessionID
            let account = try await visitor.choose(visitor.otherID, on: try await visitor.question())

            #expect(account.url.hasSuffix("/account?done=merged"), "\(account.html)")
            #expect(try await visitor.broker.user(visitor.ownID) == nil)
            let session = try #require(try await visitor.session)
            #expect(session.session.id != before && session.user.localID == visitor.otherID)
            #expect(session.session.signInProvider == "1pass.dev" && session.session.mergedAt == nil)
            #expect(Set(session.identities.map(\.provider)) == ["1pass.dev", "github.com"])
        }
    }

    @Test func `begins with a recent login of the browser's user`() async throws {
        try await Visitor.run { visitor, _ in
            let account = try await visitor.browser.visit("/account")
            visitor.broker.clock.advance(seconds: 301)

            let again = try await visitor.browser.submit("/account/merge", on: account)

            #expect(again.html.contains("proves that it is you"), "\(again.html)")
            #expect(try await visitor.areSeparate())
        }
    }

    @Test func `a question that was open for more than five minutes merges nothing`() async throws {
        try await Visitor.run { visitor, _ in
            let question = try await visitor.question()
            visitor.broker.clock.advance(seconds: 301)

            let late = try await visitor.choose(visitor.ownID, on: question)

            #expect(late.html.contains("proves that it is you"), "\(late.html)")
            #expect(try await visitor.areSeparate())
        }
    }

    @Test func `refuses the same account, an unknown one, and a second one of the same provider`() async throws {
        try await Visitor.run { visitor, providers in
            let unknown = try providers.person(at: "1pass.dev", email: "eve@example.com")
            let twin = try providers.person(at: "github.com", email: "ben@example.com")
            _ = try await visitor.broker.signIn(twin)

            let answers = [
                try await visitor.question(visitor.gitHub), try await visitor.question(unknown),
                try await visitor.question(twin),
            ]

            let texts = [
                "the account you are in", "connected to no test-project account", "Both accounts have a GitHub account",
            ]
            for (answer, text) in zip(answers, texts) {
                #expect(answer.html.contains(text), "\(answer.html)")
                #expect(!answer.forms.contains { $0.action.contains("merge") }, "\(answer.html)")
            }
            #expect(try await visitor.areSeparate())
        }
    }

    @Test(arguments: [true, false])
    func `a disabled account, and claims that would be lost, wait for an administrator`(isDisabled: Bool) async throws {
        try await Visitor.run { visitor, _ in
            if isDisabled {
                _ = try await visitor.broker.core.accounts.disableUser(
                    localID: visitor.otherID, origin: Origin(.admin))
            } else {
                var user = try #require(try await visitor.broker.user(visitor.otherID)?.user)
                user.customAttributes = #"{"role":"admin"}"#
                try await visitor.broker.core.store.write { [user] in try $0.writeAdministeredFields(of: user) }
            }
            let question = try await visitor.question()
            #expect(question.html.contains("has to approve"), "\(question.html)")
            #expect(question.html.contains("(role)") != isDisabled, "\(question.html)")

            let refused = try await visitor.choose(visitor.ownID, on: question)

            #expect(refused.status == 400 && refused.html.contains("has to approve this"), "\(refused.html)")
            #expect(try await visitor.areSeparate())
            #expect(try await visitor.broker.merges().map(\.absorbed.user.localID) == [visitor.otherID])
        }
    }

    @Test func `takes the forms of its own browser and session only, and each once`() async throws {
        try await Visitor.run { visitor, _ in
            let question = try await visitor.question()
            let stranger = TestBrowser(visitor.broker)
            _ = try await stranger.signIn(visitor.gitHub)

            let foreign = try await stranger.submit(
                "/account/merge", on: question, ["survivor": visitor.ownID], origin: TestBrowser.publicURL)
            let crossSite = try await visitor.browser.submit(
                "/account/merge", on: question, ["survivor": visitor.ownID], origin: "https://evil.example")
            let unknown = try await visitor.choose("unknown", on: question)
            let without = try await visitor.browser.submit("/account/merge", on: question, ["survivor": nil])
            for page in [foreign, crossSite, unknown, without] { #expect(page.status >= 400, "\(page.html)") }
            #expect(try await visitor.areSeparate())

            _ = try await visitor.choose(visitor.ownID, on: question)
            let again = try await visitor.choose(visitor.ownID, on: question)
            #expect(again.status == 400, "\(again.html)")
            #expect(try await visitor.providers(of: visitor.ownID) == ["1pass.dev", "github.com"])
        }
    }

    @Test func `an account that was deleted meanwhile merges with nothing`() async throws {
        try await Visitor.run { visitor, _ in
            let question = try await visitor.question()
            _ = try await visitor.broker.core.accounts.deleteAccount(
                localID: visitor.otherID, origin: Origin(.admin))

            let refused = try await visitor.choose(visitor.ownID, on: question)

            #expect(refused.status == 400 && refused.html.contains("has ended"), "\(refused.html)")
            #expect(try await visitor.providers(of: visitor.ownID) == ["github.com"])
        }
    }

    @Test func `the answer of a provider counts in the session that asked for it only`() async throws {
        try await Visitor.run { visitor, _ in
            let chooser = try await visitor.browser.submit(
                "/account/merge", on: try await visitor.browser.visit("/account"))
            let consent = try await visitor.browser.follow("1Pass", on: chooser)
            let callback = try await visitor.browser.answer(on: consent, visitor.onePass)
            _ = try await visitor.browser.submit(
                "/account/sign-out", on: try await visitor.browser.visit("/account"))
            _ = try await visitor.browser.signIn(visitor.gitHub)

            let refused = try await visitor.browser.open(callback)

            #expect(refused.html.contains("Continue in the browser you started in"), "\(refused.html)")
            #expect(try await visitor.areSeparate())
        }
    }

    @Test func `undoes the merge with a login to the other account, and signs out`() async throws {
        try await Visitor.run { visitor, _ in
            let account = try await visitor.choose(visitor.ownID, on: try await visitor.question())
            #expect(account.html.contains("ann@work.example"), "\(account.html)")
            let form = try #require(account.forms.last { $0.action == "/account/merge" })
            let chooser = try await visitor.browser.submit(
                "/account/merge", on: account,
                Dictionary(uniqueKeysWithValues: form.fields.map { ($0.name, Optional($0.value)) }))
            #expect(!chooser.links.contains { $0.text.contains("GitHub") }, "only the other side proves anything")
            let question = try await visitor.signIn(visitor.onePass, on: chooser)
            #expect(question.html.contains("ann@work.example"), "\(question.html)")
            #expect(try await visitor.broker.user(visitor.otherID) == nil, "nothing happens before the answer")

            let ended = try await visitor.browser.submit("/account/merge", on: question)

            #expect(ended.status == 200 && visitor.browser.sessionID == nil, "\(ended.html)")
            #expect(try await visitor.areSeparate())
        }
    }
}
