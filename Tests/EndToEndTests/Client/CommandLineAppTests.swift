import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

/// `Examples/CommandLineApp`, run as its users run it.
@Suite("The command-line app of the examples", .oneEngine("a program over BrokerClient"), .timeLimit(.minutes(20)))
struct CommandLineAppTests {
    @Test func `a browser signs in through the loopback redirect, and the session outlives the command`() async throws {
        try await HostedBroker.run { broker in
            let app = try await ExampleApp(at: broker)
            try await Browser.run { browser in
                let signIn = try await app.visiting("sign-in", in: browser) { browser in
                    try await browser.click(.link, "Continue with GitHub")
                    try await browser.consent(as: "Ada Example")
                    try await browser.wait(forText: "Let Example use your")
                    try await browser.click(.button, "Allow and go to Example")
                }
                let whoAmI = try await app.run("whoami")
                let sessions = try await app.run("sessions")

                #expect(signIn.exitCode == 0 && signIn.output.contains("Signed in as Ada Example"), "\(signIn)")
                #expect(whoAmI.exitCode == 0 && whoAmI.output.contains("ada@example.com"), "\(whoAmI)")
                #expect(whoAmI.output.contains("Provider  github.com"), "\(whoAmI)")
                #expect(sessions.output.contains("* ") && sessions.output.contains("github.com"), "\(sessions)")
                #expect(try await browser.text.contains("You may close this window."))
                for result in [signIn, whoAmI, sessions] { #expect(!result.everything.contains("eyJ"), "a token") }
            }
            #expect(try app.storagePermissions() == [0o600])
        }
    }

    @Test func `a second provider is linked and unlinked, and the user signs out`() async throws {
        try await HostedBroker.run { broker in
            let app = try await ExampleApp(at: broker)
            try await Browser.run { browser in
                _ = try await app.visiting("sign-in", "--provider", "github.com", in: browser) { browser in
                    try await browser.consent(as: "Ada Example")
                    try await browser.wait(forText: "Let Example use your")
                    try await browser.click(.button, "Allow and go to Example")
                }
                let link = try await app.visiting("link", "gitlab.com", in: browser) { browser in
                    try await browser.consent(as: "Ben Example")
                }
                let linked = try await app.run("whoami")
                let unlink = try await app.run("unlink", "gitlab.com")
                let unlinked = try await app.run("whoami")
                let last = try await app.run("unlink", "github.com")
                let signOut = try await app.run("sign-out")
                let signedOut = try await app.run("whoami")

                #expect(link.exitCode == 0 && link.output.contains("Linked gitlab.com"), "\(link)")
                #expect(linked.output.contains("gitlab.com"), "\(linked)")
                #expect(unlink.exitCode == 0 && !unlinked.output.contains("gitlab.com"), "\(unlink) \(unlinked)")
                #expect(last.exitCode == 1 && last.errors.contains("your only way to sign in"), "\(last)")
                #expect(signOut.exitCode == 0, "\(signOut)")
                #expect(signedOut.exitCode == 1 && signedOut.errors.contains("run sign-in"), "\(signedOut)")
            }
        }
    }

    @Test func `a user who cancels at the provider is told so, and stores nothing`() async throws {
        try await HostedBroker.run { broker in
            let app = try await ExampleApp(at: broker)
            try await Browser.run { browser in
                let signIn = try await app.visiting("sign-in", "--provider", "github.com", in: browser) { browser in
                    try await browser.cancelAtProvider()
                }

                #expect(signIn.exitCode == 1 && signIn.errors.contains("You cancelled"), "\(signIn)")
            }
            #expect(try await app.run("whoami").exitCode == 1)
        }
    }

    @Test func `a code approved in another browser signs in`() async throws {
        try await HostedBroker.run { broker in
            let app = try await ExampleApp(at: broker)
            let result = try await app.start("sign-in", "--device") { process in
                let line = try #require(
                    await process.output.firstLine { $0.hasPrefix("Open ") }, "\(process.everything)")
                let match = try #require(line.firstMatch(of: /Open (\S+) and enter (\S+)/))
                let browser = FormBrowser()
                let entry = try await browser.open(String(match.1))
                let chooser = try await browser.submit(("user_code", String(match.2)), on: entry)
                let consent = try await browser.follow("GitHub", on: chooser)
                let ada = try #require(broker.providers.gitHub.person(login: "ada"))
                let question = try await browser.submit(
                    ("person", String(ada.id)), ("decision", "authorize"), on: consent)
                let done = try await browser.submit(on: question)
                #expect(done.html.contains("Your device is signed in"), "\(done)")
            }
            let whoAmI = try await app.run("whoami")

            #expect(result.exitCode == 0 && result.output.contains("Signed in as Ada Example"), "\(result)")
            #expect(whoAmI.output.contains("ada@example.com"), "\(whoAmI)")
        }
    }

    @Test func `another program's redirect to its port is passed over`() async throws {
        try await HostedBroker.run { broker in
            let app = try await ExampleApp(at: broker)
            let result = try await app.start("sign-in", "--provider", "github.com") { process in
                let line = try #require(
                    await process.output.firstLine { $0.hasPrefix("Open ") }, "\(process.everything)")
                let page = String(line.dropFirst("Open ".count))
                let parameters = URLComponents(string: page)?.queryItems ?? []
                let redirectURI = try #require(parameters.first { $0.name == "redirect_uri" }?.value)
                for query in ["code=stolen&state=foreign", "error=access_denied", ""] {
                    _ = try await FormBrowser().open("\(redirectURI)?\(query)")
                }
                let browser = FormBrowser()
                let consent = try await browser.open(page)
                let ada = try #require(broker.providers.gitHub.person(login: "ada"))
                let question = try await browser.submit(
                    ("person", String(ada.id)), ("decision", "authorize"), on: consent)
                let closing = try await browser.submit(on: question)
                #expect(closing.html.contains("You may close this window."), "\(closing)")
            }

            #expect(result.exitCode == 0 && result.output.contains("Signed in as Ada Example"), "\(result)")
        }
    }

    @Test func `at the demo, whose client it uses, a user signs in, joins another account and is deleted`() async throws
    {
        let folder = try TestFolder()
        try await BrokerProcess.run(["demo", "--json"], in: folder) { demo in
            let line = try #require(await demo.output.firstLine(), "\(demo.everything)")
            let document = try JSONValue(parsing: line)
            let app = ExampleApp(
                folder: folder, url: try #require(document["broker"]?.string),
                clientID: try #require(document["clientId"]?.string))
            let signIn = try await Self.signingIn(app, "sign-in", "--provider", "github.com")
            let preview = try await Self.signingIn(app, "merge", choosing: "GitLab")
            let users = preview.output.split(separator: "\n").filter { $0.contains(".com") && !$0.hasPrefix("Open ") }
            let own = try #require(users.first?.split(separator: " ").first.map(String.init), "\(preview)")
            let merge = try await Self.signingIn(app, "merge", "--keep", own, choosing: "GitLab")
            let merged = try await app.run("whoami")
            let delete = try await Self.signingIn(app, "delete", mayEnd: true)
            let deleted = try await app.run("whoami")
            let anonymous = try await app.run("sign-in", "--anonymous")

            #expect(signIn.exitCode == 0 && signIn.output.contains("Signed in as "), "\(signIn)")
            #expect(preview.exitCode == 0 && users.count == 2, "\(preview)")
            #expect(merge.exitCode == 0 && merge.output.contains("Your accounts are one: \(own)"), "\(merge)")
            #expect(merged.output.contains("github.com") && merged.output.contains("gitlab.com"), "\(merged)")
            #expect(delete.exitCode == 0 && delete.output.contains("Your account is deleted"), "\(delete)")
            #expect(deleted.exitCode == 1, "\(deleted)")
            #expect(anonymous.exitCode == 0, "\(anonymous)")
        }
    }

    /// Runs a command and plays its user in a browser, who agrees to everything.
    private static func signingIn(
        _ app: ExampleApp, _ arguments: String..., choosing provider: String? = nil, mayEnd: Bool = false
    ) async throws -> CommandResult {
        try await app.start(arguments) { process in
            guard let line = await process.output.firstLine(where: { $0.hasPrefix("Open ") }) else {
                return #expect(mayEnd, "\(process.everything)")
            }
            let browser = FormBrowser()
            var page = try await browser.open(String(line.dropFirst("Open ".count)))
            if let provider { page = try await browser.follow(provider, on: page) }
            let people = page.html.matches(of: /name="person" value="([^"]+)"/)
            // The first at each provider have one e-mail address, and the second account is to be another user's.
            let person = try #require(provider == nil ? people.first : people.last, "\(page)")
            page = try await browser.submit(("person", String(person.1)), ("decision", "authorize"), on: page)
            if !page.html.contains("You may close this window.") { page = try await browser.submit(on: page) }
            #expect(page.html.contains("You may close this window."), "\(page)")
        }
    }

    @Test func `without a session, a broker or a client, the error says what to do`() async throws {
        let folder = try TestFolder()
        let nowhere = ExampleApp(folder: folder, url: "http://127.0.0.1:1", clientID: "example")

        let signedOut = try await nowhere.run("whoami")
        let unreachable = try await nowhere.run("sign-in", "--device")
        let unnamed = try await ExampleApp(folder: folder, url: "", clientID: "example").run("whoami")

        #expect(signedOut.exitCode == 1 && signedOut.errors.contains("run sign-in"), "\(signedOut)")
        #expect(unreachable.exitCode == 1 && unreachable.errors.contains("cannot be reached"), "\(unreachable)")
        #expect(unnamed.exitCode == 64 && unnamed.errors.contains("BROKER_URL"), "\(unnamed)")
    }
}
