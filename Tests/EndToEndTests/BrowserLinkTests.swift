import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker link and reauth through the browser", .oneEngine("pages in a browser"), .timeLimit(.minutes(20)))
struct BrowserLinkTests {
    @Test func `without a terminal the URL and the code are one line, and the sign-in creates a user`() async throws {
        try await HostedBroker.run { broker in
            try await broker.waiting("link", "--provider", "github", "--json") { process, event in
                #expect(event["event"] == "browser-sign-in" && event["provider"] == "github.com")
                #expect(event["expiresIn"] == 600 && event["opensBrowser"] == false)
                let code = try #require(event["userCode"]?.string)
                #expect(event["url"]?.string == "\(broker.url)/device?user_code=\(code)")

                let done = try await broker.prove(event, as: "ada")

                #expect(done.html.contains("return to your terminal"), "\(done.html)")
                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
                let lines = process.output.text.split(separator: "\n")
                #expect(lines.count == 2 && process.log.text.isEmpty, "\(process.everything)")
                let last = try JSONValue(parsing: String(try #require(lines.last)))
                #expect(last["isNewUser"] == true && last["user"]?["email"] == "ada@example.com")
            }
        }
    }

    @Test func `a browser on this machine is opened at the URL that is shown`() async throws {
        try await HostedBroker.run { broker in
            let desktop = try broker.desktop()
            try await broker.waiting(
                "link", "--provider", "gitlab", "--json", environment: desktop
            ) { process, event in
                #expect(event["opensBrowser"] == true)
                let url = try #require(event["url"]?.string)
                let browser = FormBrowser()
                let consent = try await browser.follow("Continue", on: try await browser.open(url))
                let person = try #require(broker.providers.gitLab.people().first)

                let back = try await browser.submit(
                    ("person", String(person.id)), ("decision", "authorize"), on: consent)

                #expect(back.status == 200 && back.html.contains("return to your terminal"), "\(back.html)")
                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
                #expect(try broker.folder.text(of: "opened") == url)
            }
            let silent = try await broker.refusal(
                "link", "--provider", "github", "--json", "--no-open", environment: desktop)
            #expect(silent?["opensBrowser"] == false)
        }
    }

    @Test func `with a user it links the provider's user, when confirmed or with --yes`() async throws {
        try await HostedBroker.run { broker in
            let ben = try await broker.becomeUser("ben", at: "github")
            _ = try await broker.document("unlink", "--provider", "github", "--user", ben, "--force", "--yes")
            let unasked = try await CommandResult.broker(
                ["link", "--provider", "github", "--browser", "--user", ben, "--json"], in: broker.folder)
            #expect(unasked.exitCode == 1 && unasked.errorCode == "NOT_CONFIRMED", "\(unasked)")
            #expect(!unasked.output.contains("browser-sign-in"), "no redirect without need: \(unasked)")

            try await broker.waiting(
                "link", "--provider", "github", "--user", ben, "--yes", "--json", environment: try broker.desktop()
            ) { process, event in
                #expect(event["opensBrowser"] == false, "a reader of its address on this host could come first")
                _ = try await broker.prove(event, as: "ada")
                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
            }
            #expect(try await broker.document("users", "show", ben)["providerUserInfo"]?.array?.count == 1)
        }
    }

    @Test func `the terminal shows the URL, the code and the provider's user, and asks for confirmation`() async throws
    {
        try await HostedBroker.run { broker in
            let ben = try await broker.becomeUser("ben", at: "github")
            _ = try await broker.document("unlink", "--provider", "github", "--user", ben, "--force", "--yes")

            try await BrokerProcess.run(
                atTerminal: ["link", "--provider", "github", "--user", ben, "--no-open"], in: broker.folder
            ) { process, keyboard in
                let address = try #require(
                    await process.output.firstLine { $0.contains("/device?user_code=") }, "\(process.everything)")
                let url = address.trimmingCharacters(in: .whitespacesAndNewlines)
                _ = try await broker.prove(["url": .string(url)], as: "ada")
                _ = await process.output.firstLine { $0.contains("says this is") }
                try keyboard.type("y\n")

                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
                let screen = process.output.text
                #expect(
                    screen.contains(String(url.suffix(9))) && screen.contains("Waiting, 10:00 min left."), "\(screen)")
                #expect(screen.contains("github.com says this is Ada"), "\(screen)")
                #expect(screen.contains("Link it to user \(ben)") && screen.contains("Linked github.com"), "\(screen)")
            }
        }
    }

    @Test func `keys typed while the command waits do not answer the question it asks afterwards`() async throws {
        try await HostedBroker.run { broker in
            let ben = try await broker.becomeUser("ben", at: "github")
            _ = try await broker.document("unlink", "--provider", "github", "--user", ben, "--force", "--yes")

            try await BrokerProcess.run(
                atTerminal: ["link", "--provider", "github", "--user", ben, "--no-open"], in: broker.folder
            ) { process, keyboard in
                let address = try #require(
                    await process.output.firstLine { $0.contains("/device?user_code=") }, "\(process.everything)")
                try keyboard.type("y\n")
                // The terminal shows what was typed: by then it waits to be read.
                let echo = await process.output.firstLine { $0.hasSuffix("y") || $0.hasSuffix("y\r") }
                #expect(echo != nil, "\(process.everything)")
                let url = address.trimmingCharacters(in: .whitespacesAndNewlines)
                _ = try await broker.prove(["url": .string(url)], as: "ada")
                _ = await process.output.firstLine { $0.contains("says this is") }
                try keyboard.type("n\n")

                let exitCode = try await process.exitCode()
                #expect(exitCode == 1 && process.output.text.contains("nothing was linked"), "\(process.everything)")
            }
            #expect(try await broker.document("users", "show", ben)["providerUserInfo"]?.array?.isEmpty ?? true)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted command leaves nothing behind, and a later browser sees that it was cancelled`(
        _ signal: Int32
    ) async throws {
        try await HostedBroker.run { broker in
            try await broker.waiting("link", "--provider", "github", "--json") { process, event in
                let browser = FormBrowser()
                let consent = try await broker.consent(event, in: browser)
                process.send(signal)

                let exitCode = try await process.exitCode()
                #expect(
                    exitCode == 128 + signal && process.output.text.contains("INTERRUPTED"), "\(process.everything)")
                let late = try await browser.submit(
                    ("person", try broker.account("ada")), ("decision", "authorize"), on: consent)
                #expect(late.html.contains("expired or was already used"), "\(late.html)")
            }
            #expect(try await broker.document("users", "list")["users"]?.array?.isEmpty ?? true)
        }
    }

    @Test func `a user who cancels ends it with a code`() async throws {
        try await HostedBroker.run { broker in
            try await broker.waiting("link", "--provider", "github", "--json") { process, event in
                let browser = FormBrowser()
                let question = try await browser.open(try #require(event["url"]?.string))
                _ = try await browser.submit(("decision", "deny"), on: question)

                let exitCode = try await process.exitCode()
                #expect(exitCode == 1 && process.output.text.contains("USER_CANCELLED"), "\(process.everything)")
            }
        }
    }

    @Test func `reauth reports the user, and that GitHub asserts no new login`() async throws {
        try await HostedBroker.run { broker in
            let ada = try await broker.becomeUser("ada", at: "github")
            for (login, matches) in [("ada", true), ("ben", false)] {
                try await broker.waiting("reauth", "--provider", "github", "--user", ada, "--json") { process, event in
                    _ = try await broker.prove(event, as: login)
                    let exitCode = try await process.exitCode()
                    #expect(exitCode == (matches ? 0 : 1), "\(process.everything)")
                    let last = try JSONValue(
                        parsing: String(try #require(process.output.text.split(separator: "\n").last)))
                    #expect(last["matches"] == .bool(matches) && last["fresh"] == false && last["amr"] == [])
                    #expect(last["authTime"] == nil)
                }
            }
            try await BrokerProcess.run(
                ["reauth", "--provider", "github", "--user", ada, "--no-open"], in: broker.folder
            ) { process in
                let address = try #require(await process.output.firstLine { $0.contains("/device?user_code=") })
                _ = try await broker.prove(
                    ["url": .string(address.trimmingCharacters(in: .whitespaces))], as: "ada")
                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
                #expect(process.output.text.contains("freshness not verified"))
            }
        }
    }

    @Test func `over SSH without a terminal standard input may stay open`() async throws {
        try await HostedBroker.run { broker in
            let silent = ["sh", "-c", #"mkfifo pipe && exec 3<>pipe && exec "$0" "$@" <pipe"#]
            try await broker.waiting(
                ["link", "--provider", "github", "--json"], environment: ["SSH_CONNECTION": "::1 50000 ::1 22"],
                through: silent
            ) { process, event in
                _ = try await broker.prove(event, as: "ada")
                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
            }
            let gitHub = broker.providers.gitHub
            let ben = gitHub.accessToken(
                for: try #require(gitHub.person(login: "ben")), application: gitHub.defaultApplication)
            let piped = try await CommandResult.broker(
                ["link", "--provider", "github", "--json"], input: ben,
                environment: ["SSH_CONNECTION": "::1 50000 ::1 22"], in: broker.folder)
            #expect(piped.exitCode == 0 && piped.output.contains("ben@example.com"), "\(piped)")
        }
    }

    @Test func `a stopped broker is reported before its URL is shown`() async throws {
        try await HostedBroker.prepare { broker in
            let result = try await CommandResult.broker(
                ["link", "--provider", "github", "--browser", "--json"], in: broker.folder)

            #expect(result.exitCode == 1 && result.errorCode == "CANNOT_REACH", "\(result)")
            #expect(result.errors.contains("start it with broker serve"))
        }
    }

    @Test func `two sources at once and an unknown user are refused before the sign-in`() async throws {
        try await HostedBroker.run { broker in
            let both = try await CommandResult.broker(
                ["link", "--provider", "github", "--browser", "--device", "--json"], in: broker.folder)
            let nobody = try await CommandResult.broker(
                ["link", "--provider", "github", "--browser", "--user", "nobody@example.com", "--json"],
                in: broker.folder)

            #expect(both.exitCode == 64, "\(both)")
            #expect(nobody.exitCode == 1 && nobody.errorCode == "USER_NOT_FOUND", "\(nobody)")
        }
    }
}

extension HostedBroker {
    /// Runs a command that waits for a browser, from the moment it shows its address.
    func waiting<Value>(
        _ arguments: String..., environment: [String: String] = [:],
        then body: (BrokerProcess, JSONValue) async throws -> Value
    ) async throws -> Value {
        try await waiting(arguments, environment: environment, then: body)
    }

    fileprivate func waiting<Value>(
        _ arguments: [String], environment: [String: String] = [:], through: [String] = [],
        then body: (BrokerProcess, JSONValue) async throws -> Value
    ) async throws -> Value {
        try await BrokerProcess.run(arguments, environment: environment, through: through, in: folder) { process in
            let line = try #require(await process.output.firstLine(), "\(process.everything)")
            return try await body(process, try JSONValue(parsing: line))
        }
    }

    /// The first line of a command that is interrupted then.
    fileprivate func refusal(_ arguments: String..., environment: [String: String]) async throws -> JSONValue? {
        try await waiting(arguments, environment: environment) { process, event in
            process.interrupt()
            _ = try await process.exitCode()
            return event
        }
    }

    /// An account's name on GitHub's consent page.
    fileprivate func account(_ login: String) throws -> String {
        String(try #require(providers.gitHub.person(login: login)).id)
    }

    /// GitHub's page, at the end of the way from a terminal's address.
    fileprivate func consent(_ event: JSONValue, in browser: FormBrowser) async throws -> FormBrowser.Page {
        try await browser.follow("Continue", on: try await browser.open(try #require(event["url"]?.string)))
    }

    /// Opens a terminal's address in a browser anywhere and signs in at GitHub.
    fileprivate func prove(_ event: JSONValue, as login: String) async throws -> FormBrowser.Page {
        let browser = FormBrowser()
        let consent = try await consent(event, in: browser)
        return try await browser.submit(("person", try account(login)), ("decision", "authorize"), on: consent)
    }

    /// Signs an account in and returns the new user's localId.
    fileprivate func becomeUser(_ login: String, at provider: String) async throws -> String {
        let gitHub = providers.gitHub
        let token = gitHub.accessToken(
            for: try #require(gitHub.person(login: login)), application: gitHub.defaultApplication)
        let result = try await CommandResult.broker(
            ["link", "--provider", provider, "--json"], input: token, in: folder)
        return try #require(try JSONValue(parsing: result.output)["user"]?["localId"]?.string, "\(result)")
    }

    /// The environment of a desktop whose browser writes down what it is to open.
    fileprivate func desktop() throws -> [String: String] {
        try FileManager.default.createDirectory(atPath: folder.file("bin"), withIntermediateDirectories: true)
        try folder.write(
            "#!/bin/sh\nprintf '%s' \"$1\" > '\(folder.file("opened"))'\n", to: "bin/xdg-open", permissions: 0o700)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return ["PATH": "\(folder.file("bin")):\(path)", "DISPLAY": ":9"]
    }
}
