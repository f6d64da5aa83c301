import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

/// The apps of `Docs/AddSignIn.md` that have no server: the page and the program in a terminal.
@Suite("The documented apps without a server", .oneEngine("documented programs"), .timeLimit(.minutes(20)))
struct ClientSampleTests {
    @Test func `the page in the browser signs in with PKCE alone, and shows a signed-out state`() async throws {
        try await HostedBroker.run { broker in
            let clientID = SampleValue()
            try await LocalSite.run { visit in
                let page = try? DocumentedCode.named("index.html", in: "Docs/AddSignIn.md")
                    .replacing("https://id.example", with: broker.url)
                    .replacing("your-client-id", with: clientID.value)
                return LocalSite.Page(visit.path == "/" ? page ?? "" : "", status: visit.path == "/" ? 200 : 404)
            } _: { site in
                let home = "http://127.0.0.1:\(site.port)/"
                let client = try await broker.document(
                    "clients", "add", "--type", "public", "--name", "Clock", "--redirect-uri", home)
                clientID.value = try #require(client["client"]?["clientId"]?.string, "\(client)")
                try await Browser.run { browser in
                    try await browser.open(home)
                    try await browser.wait(forText: "Nobody is signed in.")
                    try await browser.click(.button, "Sign in")
                    try await browser.click(.link, "Continue with GitHub")
                    try await browser.cancelAtProvider()
                    try await browser.click(.link, "Back to Clock")
                    try await browser.wait(forText: "You are not signed in (access_denied).")
                    try await browser.click(.button, "Sign in")
                    try await browser.click(.link, "Continue with GitHub")
                    try await browser.consent(as: "Ada Example")
                    try await browser.wait(forText: "Hello Ada Example.")

                    #expect(try await browser.currentURL == home, "no code stays in the address")
                    try await browser.open(home + "?code=c&state=s&iss=\(broker.url)")
                    try await browser.wait(forText: "Nobody is signed in.")
                }
            }
        }
    }

    @Test func `the program in a terminal signs in, reads userinfo and refreshes`() async throws {
        try await HostedBroker.run { broker in
            let client = try await broker.document(
                "clients", "add", "--type", "native", "--name", "Terminal", "--redirect-uri",
                "http://127.0.0.1/callback")
            let program = try SampleProgram(
                "terminal.py",
                environment: [
                    "BROKER": broker.url, "AUTHLIB_INSECURE_TRANSPORT": "1", "BROWSER": "true",
                    "CLIENT_ID": try #require(client["client"]?["clientId"]?.string, "\(client)"),
                ])
            try await BrokerProcess.run(program.configuration(try TestPython.path(), "terminal.py")) { process in
                let line = try #require(
                    await process.output.firstLine { $0.hasPrefix("Sign in at ") }, "\(process.everything)")
                let browser = FormBrowser()
                let chooser = try await browser.open(String(line.dropFirst("Sign in at ".count)))
                let consent = try await browser.follow("GitHub", on: chooser)
                let ada = try #require(broker.providers.gitHub.person(login: "ada"))
                let question = try await browser.submit(
                    ("person", String(ada.id)), ("decision", "authorize"), on: consent)
                let closing = try await browser.submit(on: question)

                #expect(closing.html.contains("You may close this window."), "\(closing)")
                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
                #expect(process.output.text.contains("Hello Ada Example"), "\(process.everything)")
                #expect(process.output.text.contains("Still signed in for 3600 seconds"), "\(process.everything)")
            }
        }
    }
}

/// What is known only after the site that shows it has begun to listen.
private final class SampleValue: Sendable {
    private let stored = Mutex("")

    var value: String {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
