import Broker
import BrokerStore
import BrowserTesting
import Generic
import ProviderKit
import ProviderSimulators
import Testing

/// A console whose administrators have an OAuth 2 provider, the entry of which changes.
///
/// Ann's id is 1 and her number 7; Ben's number is Ann's id.
private struct ChangingEntry {
    static let id = "oauth2.example"
    static let plugins: [ProviderPlugin] = [.oauth2]

    let broker: TestBroker
    let provider: OpenIDSimulator
    let ann, ben: TestPerson

    static func run(
        _ change: (inout Configuration, OpenIDSimulator) -> Void = { _, _ in },
        _ test: (ChangingEntry) async throws -> Void
    ) async throws {
        let callback = "\(TestBrowser.publicURL)/oauth/callback/\(id)"
        let provider = try await OpenIDSimulator.start(
            .init(
                clock: .stopped(at: TestClock().now), mode: .oauth2, application: .init(redirectURIs: [callback])))
        let people = [("1", "7"), ("2", "1")].map { id, number in
            provider.add(.init(userinfo: ["id": .string(id), "number": .string(number)]))
        }
        let persons = people.map { person in
            TestPerson(provider: Self.id, subject: person.subject, account: person.subject) { [] }
        }
        do {
            try await TestBroker.run(
                {
                    $0.publicURL = TestBrowser.publicURL
                    change(&$0, provider)
                }, plugins: plugins, entries: { _ in [entry(provider)] }
            ) { broker in
                try await test(
                    ChangingEntry(broker: broker, provider: provider, ann: persons[0], ben: persons[1]))
            }
            await provider.stop()
        } catch {
            await provider.stop()
            throw error
        }
    }

    private static func entry(_ provider: OpenIDSimulator, _ changes: JSONObject = [:]) -> JSONValue {
        var options: JSONObject = [
            "authorizationUrl": .string(provider.url + "/authorize"), "tokenUrl": .string(provider.url + "/token"),
            "userinfoUrl": .string(provider.url + "/userinfo"),
            "clientId": .string(provider.defaultApplication.clientID),
            "clientSecret": .string(provider.defaultApplication.clientSecret ?? ""), "claims": ["subject": "/id"],
        ]
        for (name, value) in changes { options[name] = value }
        return [
            "id": .string(id), "use": "oauth2", "displayName": .string(id), "allowInsecureLoopback": true,
            "options": .object(options),
        ]
    }

    /// Changes options of the entry in the file.
    ///
    /// - Returns: What the running broker makes of it.
    func write(_ changes: JSONObject) async throws -> ProviderConfiguration.Reload? {
        let file: JSONValue = ["providers": [Self.entry(provider, changes)]]
        try broker.folder.write("plugins.json", file.serialized())
        return try await reload()
    }

    func reload() async throws -> ProviderConfiguration.Reload? {
        try await broker.core.providers.storedConfiguration.reload()
        // A change counts when it was seen twice.
        let first = broker.core.providers.configured.reload()
        return first ?? broker.core.providers.configured.reload()
    }

    /// An administrator's decision that the users become new ones.
    func decide() async throws {
        _ = try await broker.onHost(
            UpdateProvider(id: Self.id, changes: [:], subjects: .new), plugins: Self.plugins)
        guard case .adopted = try await reload() else { throw TestFailure("refused") }
    }

    func startsAnew() async -> Bool {
        do {
            try await broker.withSecondCore(plugins: Self.plugins) { _ in }
            return true
        } catch {
            return false
        }
    }
}

@Suite("Administrators of a provider whose entry changes")
struct ConsoleEntryChangeTests {
    private static let byNumber: JSONObject = ["claims": ["subject": "/number"]]

    @Test(
        arguments: [
            byNumber, ["url": "https://other.example"], ["revocationUrl": "https://other.example/revoke"],
        ] as [JSONObject])
    func `a sign-in is refused that was at the provider while the entry changed`(_ changes: JSONObject) async throws {
        try await ChangingEntry.run { scene in
            let broker = scene.broker
            let browser = TestBrowser(broker)
            let (link, _) = try await broker.core.inviteToConsole(role: .owner, origin: Origin(.admin, actor: "root"))
            let consent = try await browser.follow(ChangingEntry.id, on: try await browser.open(link))
            guard case .adopted = try await scene.write(changes) else { throw TestFailure("refused") }

            let refused = try await browser.submit(on: consent, ["person": scene.ann.account])

            #expect(refused.status == 400, "\(refused.html)")
            #expect(browser.consoleCookie == nil)
            #expect(try await broker.core.sessions.consoleAdministrators.all().isEmpty)
            let again = try await browser.choose(scene.ann, on: try await browser.open(link))
            #expect(again.status == 200 && ReadPage.path(of: again.url) == "/console", "\(again.html)")
        }
    }

    @Test
    func `subjects that only an administrator has are not mapped to others without a decision, which ends access`()
        async throws
    {
        try await ChangingEntry.run { scene in
            let browser = TestBrowser(scene.broker)
            try await browser.acceptInvitation(scene.ann, to: .owner)
            guard case .refused = try await scene.write(Self.byNumber) else { throw TestFailure("adopted") }
            #expect(await !scene.startsAnew())
            #expect(try await browser.isAtConsole())

            try await scene.decide()

            #expect(try await !browser.isAtConsole())
            for person in [scene.ann, scene.ben] {
                #expect(try await TestBrowser(scene.broker).signInToConsole(person).status == 403)
            }
        }
    }

    @Test func `a subject that the configuration names counts before its first sign-in`() async throws {
        try await ChangingEntry.run { configuration, provider in
            configuration.console.administrators = [
                .init(provider: ChangingEntry.id, issuer: provider.url, subject: "1", role: .owner)
            ]
        } _: { scene in
            guard case .refused = try await scene.write(Self.byNumber) else { throw TestFailure("adopted") }
            #expect(await !scene.startsAnew())

            try await scene.decide()

            let browser = TestBrowser(scene.broker)
            #expect(try await browser.signInToConsole(scene.ben).status == 403, "the id is a number now")
            #expect(try await scene.broker.consoleEvents() == ["console.refused"])
            #expect(await scene.startsAnew())
        }
    }

    @Test func `another entry's administrators keep no entry from changing`() async throws {
        try await ChangingEntry.run { configuration, provider in
            configuration.console.administrators = [
                .init(provider: "oauth2.other", issuer: provider.url, subject: "1", role: .owner),
                .init(provider: ChangingEntry.id, issuer: "https://other.example", subject: "1", role: .owner),
                .init(provider: ChangingEntry.id, email: "ann@example.com", role: .owner),
            ]
        } _: { scene in
            guard case .adopted = try await scene.write(Self.byNumber) else { throw TestFailure("refused") }
        }
    }
}
