import BrokerStore
import BrowserTesting
import Generic
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("The login behind a session of the console")
struct ConsoleLoginTests {
    private static let provider = "oidc.example"
    /// The form of a change.
    private static let path = "\(OperationRoutes.path)/webhooks.add"

    /// A broker with an OpenID provider, at which Ann is an owner with a session of the console.
    private static func run(
        _ test: (TestBroker, OpenIDSimulator, TestPerson, TestBrowser) async throws -> Void
    ) async throws {
        let callback = "\(TestBrowser.publicURL)/oauth/callback/\(provider)"
        let issuer = try await OpenIDSimulator.start(
            .init(clock: .stopped(at: TestClock().now), application: .init(redirectURIs: [callback])))
        let entry: JSONValue = [
            "id": .string(provider), "use": "oidc", "displayName": .string(provider), "allowInsecureLoopback": true,
            "options": [
                "issuer": .string(issuer.url), "clientId": .string(issuer.defaultApplication.clientID),
                "clientSecret": .string(issuer.defaultApplication.clientSecret ?? ""),
            ],
        ]
        do {
            try await TestBroker.run(
                { $0.publicURL = TestBrowser.publicURL }, plugins: [.oidc], entries: { _ in [entry] }
            ) { broker in
                let (ann, browser) = (person(issuer.people()[0]), TestBrowser(broker))
                try await browser.acceptInvitation(ann, to: .owner)
                try await test(broker, issuer, ann, browser)
            }
            await issuer.stop()
        } catch {
            await issuer.stop()
            throw error
        }
    }

    private static func person(_ person: OpenIDSimulator.Person) -> TestPerson {
        TestPerson(provider: provider, subject: person.subject, account: person.subject) { [] }
    }

    /// What comes of a change at the console.
    private static func change(_ browser: TestBrowser) async throws -> Answer {
        let token = try await browser.broker.consoleVisit(of: browser).token(for: path)
        return try await browser.sendToConsole(
            path, ["form": token, "reason": "A test", "url": "https://hooks.example.com/"])
    }

    private static func webhooks(_ broker: TestBroker) async throws -> Int {
        try await broker.core.outbox.events.webhooks.list().count
    }

    /// The page of a provider that is asked for a new login.
    private static func again(_ browser: TestBrowser) async throws -> TestBrowser.Page {
        try await browser.visit("/console/redirect?again=1")
    }

    /// What a provider tells that asked for no login: nothing, or the time of an earlier one.
    @Test(arguments: [nil, 3600] as [Int64?])
    func `a sign-in for which the provider asked for no login lets the administrator look, and change nothing`(
        _ age: Int64?
    ) async throws {
        try await Self.run { broker, issuer, ann, browser in
            #expect(browser.visited.contains { $0.contains("prompt=login") && $0.contains("max_age=0") })
            issuer.replaceClaim("auth_time", with: age.map { .integer(broker.core.now.seconds - $0) })
            let second = TestBrowser(broker)
            let home = try await second.signInToConsole(ann)

            #expect(home.status == 200 && ReadPage.path(of: home.url) == "/console", "\(home.html)")
            #expect(try await !broker.consoleVisit(of: second).isLoginRecent)
            let refused = try await Self.change(second)
            #expect(refused.status == 403 && refused.text.contains("Sign in again first"), "\(refused.text)")
            #expect(try await Self.webhooks(broker) == 0)
            let done = try await Self.change(browser)
            #expect(done.status == 200, "the first session has a login: \(done.text)")
            #expect(try await Self.webhooks(broker) == 1)
        }
    }

    @Test func `a login counts for changes for five minutes, from the time that the provider tells`() async throws {
        try await Self.run { broker, issuer, ann, browser in
            broker.clock.advance(seconds: 300)
            #expect(try await Self.change(browser).status == 200)
            broker.clock.advance(seconds: 1)
            let late = try await Self.change(browser)
            #expect(late.status == 403 && late.text.contains("Sign in again first"), "\(late.text)")

            issuer.replaceClaim("auth_time", with: .integer(broker.core.now.seconds - 200))
            _ = try await browser.submit(on: try await Self.again(browser), ["person": ann.account])
            broker.clock.advance(seconds: 100)
            #expect(try await Self.change(browser).status == 200)
            broker.clock.advance(seconds: 1)
            #expect(try await Self.change(browser).status == 403)
        }
    }

    @Test func `the page after a new login names what was begun`() async throws {
        try await Self.run { broker, issuer, ann, browser in
            broker.clock.advance(seconds: 400)
            issuer.replaceClaim("auth_time", with: .integer(broker.core.now.seconds))
            let form = try await browser.visit(Self.path)
            let asked = try await browser.submit(
                Self.path, on: form, ["url": "https://hooks.example.com/", "reason": "Ticket <4471>"])
            #expect(asked.status == 403)
            let consent = try await browser.follow("Sign in again", on: asked)
            let resumed = try await browser.submit(on: consent, ["person": ann.account])

            #expect(ReadPage.path(of: resumed.url) == ConsolePaths.resume)
            #expect(resumed.html.contains(AddWebhook.declaration.heading), "\(resumed.html)")
            #expect(resumed.html.contains("Ticket &lt;4471&gt;") && !resumed.html.contains("<4471>"))
            #expect(try await Self.webhooks(broker) == 0)
            #expect(try await browser.submit(Self.path, on: resumed).status == 200)
            #expect(try await Self.webhooks(broker) == 1)
        }
    }

    @Test func `a new login that fails leaves the session as it is`() async throws {
        try await Self.run { broker, issuer, ann, browser in
            let ben = Self.person(issuer.people()[1])
            try await TestBrowser(broker).acceptInvitation(ben, to: .viewer)
            broker.clock.advance(seconds: 400)
            let (cookie, events) = (browser.consoleCookie, try await broker.consoleEvents())
            issuer.replaceClaim("auth_time", with: .integer(broker.core.now.seconds - 301))
            let old = try await browser.submit(on: try await Self.again(browser), ["person": ann.account])
            issuer.replaceClaim("auth_time", with: nil)
            let untold = try await browser.submit(on: try await Self.again(browser), ["person": ann.account])
            issuer.replaceClaim("auth_time", with: .integer(broker.core.now.seconds))
            let cancelled = try await browser.submit(on: try await Self.again(browser), ["decision": "cancel"])
            let other = try await browser.submit(on: try await Self.again(browser), ["person": ben.account])

            for page in [old, untold] {
                #expect(page.status == 403 && page.html.contains("The provider verified no new login"), "\(page.html)")
            }
            #expect(cancelled.status == 400 && cancelled.html.contains("cancelled at the provider"))
            #expect(other.status == 403 && other.html.contains("You signed in as someone else"), "\(other.html)")
            #expect(browser.consoleCookie == cookie)
            let visit = try await broker.consoleVisit(of: browser)
            #expect(visit.role == .owner && !visit.isLoginRecent)
            #expect(try await broker.consoleEvents() == events)
            #expect(try await Self.change(browser).status == 403)

            _ = try await browser.submit(on: try await Self.again(browser), ["person": ann.account])
            #expect(try await Self.change(browser).status == 200)
        }
    }
}
