import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Subprocess
import Testing

/// The web apps of `Docs/AddSignIn.md`, run as they stand there, and users who sign in to them.
@Suite("The documented web apps", .oneEngine("documented programs"), .timeLimit(.minutes(20)))
struct WebAppSampleTests {
    @Test func `the Flask app signs in and out, and shows a page to refused users`() async throws {
        try await HostedBroker.run { broker in
            try await Self.withFlask(at: broker) { try await Self.useApp($0, at: broker) }
        }
    }

    @Test(.enabled(if: TestNode.isThere, "there is no node on this machine"))
    func `the Node app signs in and out, and shows a page to refused users`() async throws {
        try await HostedBroker.run { broker in
            try await Self.withNode(at: broker) { try await Self.useApp($0, at: broker) }
        }
    }

    @Test(.enabled(if: TestNode.isThere, "there is no node on this machine"))
    func `the Node app refuses a response to no request of its own`() async throws {
        try await HostedBroker.run { broker in
            try await Self.withNode(at: broker) { home in
                for query in ["", "?code=c", "?code=c&state=undefined&iss=\(broker.url)"] {
                    let page = try await FormBrowser().open("\(home)callback\(query)")
                    #expect(page.status == 403 && page.html.contains("no request of ours"), "\(page)")
                }
                let browser = FormBrowser()
                _ = try await browser.open(home + "login")
                let mixed = try await browser.open("\(home)callback?code=c&state=x&iss=\(broker.url)")
                let missing = try await browser.open(home + "constructor")
                #expect(mixed.status == 403 && missing.status == 404, "\(mixed) \(missing)")
            }
        }
    }

    /// Everything a user can come to: signed in, signed out, cancelled, disabled.
    private static func useApp(_ home: String, at broker: HostedBroker) async throws {
        let browser = FormBrowser()
        let welcome = try await signIn(to: home, in: browser, at: broker, "authorize")
        #expect(welcome.status == 200 && welcome.html.contains("Hello Ada Example."), "\(welcome)")
        let farewell = try await browser.follow("Sign out", on: welcome)
        #expect(farewell.url == home && farewell.html.contains("Sign in"), "\(farewell)")

        let cancelled = try await signIn(to: home, in: FormBrowser(), at: broker, "cancel")
        #expect(cancelled.status == 403 && cancelled.html.contains("access_denied"), "\(cancelled)")
        #expect(cancelled.html.contains(#"href="/login""#))

        let ada = try #require(
            try await broker.document("users", "list")["users"]?.array?.first?["localId"]?.string)
        _ = try await broker.document("users", "disable", ada)
        let disabled = try await signIn(to: home, in: FormBrowser(), at: broker, "authorize")
        #expect(disabled.status == 403 && disabled.html.contains("You are not signed in"), "\(disabled)")
    }

    /// Follows the app's link to GitHub's page and decides there; ends at the app, by way of “Back to Notebook” where
    /// the broker shows a page of its own.
    private static func signIn(
        to home: String, in browser: FormBrowser, at broker: HostedBroker, _ decision: String
    ) async throws -> FormBrowser.Page {
        let chooser = try await browser.follow("Sign in", on: try await browser.open(home))
        let consent = try await browser.follow("GitHub", on: chooser)
        let ada = try #require(broker.providers.gitHub.person(login: "ada"))
        let page = try await browser.submit(("person", String(ada.id)), ("decision", decision), on: consent)
        return page.url.hasPrefix(home) ? page : try await browser.follow("Back to Notebook", on: page)
    }

    private static func withFlask(at broker: HostedBroker, _ body: (String) async throws -> Void) async throws {
        try await FreePort.run { port in
            let app = try await program("notebook.py", at: broker, port)
            let python = try TestPython.path()
            try await BrokerProcess.run(
                app.configuration(python, "-m", "flask", "--app", "notebook", "run", "--port", "\(port)")
            ) { process in
                let line = await process.log.firstLine { $0.contains("Running on http") || $0.contains("in use") }
                if line?.contains("in use") == true { throw FreePort.Taken() }
                try #require(line != nil, "\(process.everything)")
                try await body("http://127.0.0.1:\(port)/")
                #expect(!process.log.text.contains("Traceback"), "\(process.log.text)")
            }
        }
    }

    private static func withNode(at broker: HostedBroker, _ body: (String) async throws -> Void) async throws {
        try await FreePort.run { port in
            let app = try await program("notebook.mjs", at: broker, port)
            try await BrokerProcess.run(app.configuration("node", "notebook.mjs")) { process in
                guard await process.output.firstLine() != nil else {
                    if process.log.text.contains("EADDRINUSE") { throw FreePort.Taken() }
                    throw SampleFailure(description: process.everything)
                }
                try await body("http://127.0.0.1:\(port)/")
            }
        }
    }

    private static func program(_ name: String, at broker: HostedBroker, _ port: Int) async throws -> SampleProgram {
        let home = "http://127.0.0.1:\(port)/"
        let client = try await broker.document(
            "clients", "add", "--type", "confidential", "--name", "Notebook", "--redirect-uri", home + "callback",
            "--post-logout-redirect-uri", home)
        return try SampleProgram(
            name,
            environment: [
                "BROKER": broker.url, "SESSION_KEY": randomText(),
                "CLIENT_ID": try #require(client["client"]?["clientId"]?.string, "\(client)"),
                "CLIENT_SECRET": try #require(client["clientSecret"]?.string),
            ], replacing: ["http://127.0.0.1:5000/": home])
    }
}

/// Why a documented program did not run.
struct SampleFailure: Error, CustomStringConvertible {
    let description: String
}
