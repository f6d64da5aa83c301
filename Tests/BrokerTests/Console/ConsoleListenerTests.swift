import BrokerStore
import BrowserTesting
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("A listener of the console's own", .oneEngine("listeners, cookies and redirects"))
struct ConsoleListenerTests {
    /// The URL at which browsers reach the console.
    private static let url = "http://localhost"

    /// A broker with its public listener, and the address of the one that serves the console.
    private static func run(
        _ test: (TestBroker, _ console: String, TestProviders) async throws -> Void
    ) async throws {
        try await TestProviders.runHosted { broker, providers in
            try await broker.withSecondCore(
                {
                    $0.console.listen = .init(host: "127.0.0.1", port: 0)
                    $0.console.url = url
                }, plugins: TestProviders.plugins
            ) { core in
                let log = LogLines()
                try await TestBroker.serve(core, logger: log.logger) { url in
                    let second = TestBroker(
                        core: core, url: url, apiKey: broker.apiKey, simulator: broker.simulator, clock: broker.clock,
                        folder: broker.folder)
                    let console = try await address(in: log)
                    TestClients.open(console)
                    do {
                        try await test(second, console, providers)
                    } catch {
                        await TestClients.close(console)
                        throw error
                    }
                    await TestClients.close(console)
                }
            }
        }
    }

    /// The address of the console's listener, once it is in the log.
    private static func address(in log: LogLines) async throws -> String {
        while true {
            let line = log.lines.first { $0["message"]?.string == "console served" }
            if let url = line?["url"]?.string { return url }
            // The suite's time is the only limit.
            await Task.yield()
        }
    }

    @Test func `an administrator accepts an invitation, signs in again and changes something there`() async throws {
        try await Self.run { broker, console, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker, further: [Self.url: console])
            let (link, _) = try await broker.core.inviteToConsole(role: .owner, origin: Origin(.admin, actor: "root"))
            #expect(link.hasPrefix(Self.url + "/console/invitation/"))

            let home = try await browser.choose(ann, on: try await browser.open(link))

            #expect(home.status == 200 && home.url == Self.url + "/console", "\(home.url) \(home.html)")
            #expect(browser.visited.contains { $0.hasPrefix(TestBrowser.publicURL + "/oauth/callback/github.com?") })
            // Each host has its own cookies.
            #expect(browser.cookies(at: Self.url).keys.sorted() == ["broker-console"])
            #expect(browser.cookies.isEmpty)

            broker.clock.advance(seconds: 400)
            let form = try await browser.open(Self.url + "\(OperationRoutes.path)/users.create")
            let fields = ["email": "ben@example.com", "reason": "A test"]
            let asked = try await browser.submit("users.create", on: form, fields)
            #expect(asked.status == 403 && asked.url.hasPrefix(Self.url))
            let consent = try await browser.follow("Sign in again", on: asked)
            let resumed = try await browser.submit(on: consent, ["person": ann.account])
            let done = try await browser.submit("users.create", on: resumed)
            #expect(done.status == 200 && done.html.contains("ben@example.com"), "\(done.html)")

            _ = try await browser.submit(ConsolePaths.signOut, on: done)
            #expect(browser.cookies(at: Self.url).isEmpty)
        }
    }

    @Test func `the public listener has no page of the console, and the console's nothing else`() async throws {
        try await Self.run { broker, console, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker, further: [Self.url: console])
            let (link, _) = try await broker.core.inviteToConsole(role: .owner, origin: Origin(.admin, actor: "root"))
            _ = try await browser.choose(ann, on: try await browser.open(link))
            let cookie = try #require(browser.cookies(at: Self.url)["broker-console"])
            let (server, routes) = (BrokerServer(broker.core), Routes(.identityToolkit))
            server.addConsole(try server.hostedPages(), to: routes)
            let headers: HTTPHeaders = ["Cookie": "broker-console=\(cookie)", "Origin": TestBrowser.publicURL]

            let paths = Set(routes.table.all.map { $0.template.replacing(/\{[^}]+\}/, with: "some") })
            #expect(paths.count > 30 && paths.contains(ConsolePaths.home))
            for path in paths {
                let page = try await broker.get(path, headers: headers)
                let form = try await broker.send(.POST, path, headers: headers)
                #expect(page.status == 404 && form.status == 404, "\(path)")
            }
            for path in ["/account", "/sign-in", "/v1/broker/admin/users.list", "/oauth/token", "/healthz", "/metrics"]
            {
                let page = try await browser.open(Self.url + path)
                #expect(page.status == 404, "\(path)")
            }
        }
    }
}
