import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker link --device", .timeLimit(.minutes(20)))
struct DeviceLinkTests {
    @Test func `the user who enters the code is created, while others continue`() async throws {
        try await Installation.run(deviceInterval: 1) { broker in
            try await broker.device("link", "--provider", "github", "--device", "--json") { process, event in
                #expect(event["event"] == "device-authorization" && event["provider"] == "github.com")
                #expect(event["verificationUri"]?.string == "\(broker.github.url)/login/device")
                #expect(event["expiresIn"] == 900 && event["interval"] == 1)
                // A waiting command holds no lock.
                let ben = try await broker.document(
                    "link", "--provider", "github", input: try broker.accessToken("ben"))
                #expect(ben["isNewUser"] == true)
                #expect(broker.approve(event, "ada"))

                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
                let lines = process.output.text.split(separator: "\n")
                let last = try JSONValue(parsing: String(try #require(lines.last)))
                #expect(lines.count == 2 && last["isNewUser"] == true)
                #expect(last["user"]?["email"] == "ada@example.com")
                #expect(process.log.text.isEmpty)
            }
        }
    }

    @Test func `with a user it links the provider's user, when confirmed or with --yes`() async throws {
        try await Installation.run(deviceInterval: 1) { broker in
            let ada = try await broker.signedIn("ada")
            _ = try await broker.command("unlink", "--provider", "github", "--user", ada, "--force", "--yes")

            let unasked = try await broker.command(
                "link", "--provider", "github", "--device", "--user", ada, "--json")
            #expect(unasked.exitCode == 1 && unasked.errorCode == "NOT_CONFIRMED", "\(unasked)")
            #expect(!unasked.output.contains("device-authorization"), "no redirect without need: \(unasked)")
            #expect(try await broker.document("users", "show", ada)["providerUserInfo"]?.array?.isEmpty ?? true)

            try await broker.device(
                "link", "--provider", "github", "--device", "--user", ada, "--yes", "--json"
            ) { process, event in
                #expect(broker.approve(event, "ben"))
                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
            }
            let linked = try await broker.document("users", "show", ada)["providerUserInfo"]?.array ?? []
            #expect(linked.map { $0["rawId"]?.string } == [String(try broker.person("ben").id)])
        }
    }

    @Test func `the terminal shows the provider's user and asks for confirmation`() async throws {
        try await Installation.run(deviceInterval: 1) { broker in
            let ada = try await broker.signedIn("ada")
            _ = try await broker.command("unlink", "--provider", "github", "--user", ada, "--force", "--yes")

            let arguments = ["link", "--provider", "github", "--device", "--user", ada]
            try await BrokerProcess.run(atTerminal: arguments, in: broker.folder) { process, keyboard in
                let code = try #require(await process.output.code(), "\(process.everything)")
                #expect(broker.github.approveDevice(userCode: code, for: try broker.person("ben")))
                _ = await process.output.firstLine { $0.contains("says this is") }
                try keyboard.type("y\n")

                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
                let screen = process.output.text
                #expect(screen.contains("Waiting, 15:00 min left."), "\(screen)")
                #expect(screen.contains("github.com says this is ben"), "\(screen)")
                #expect(screen.contains("ben@example.com (subject \(try broker.person("ben").id))"), "\(screen)")
                #expect(screen.contains("Link it to user \(ada)") && screen.contains("Linked github.com"), "\(screen)")
            }
        }
    }

    @Test func `declining, an expired code and a client without the flow each end it with a code`() async throws {
        try await Installation.run(deviceInterval: 1) { broker in
            func outcome(_ act: (JSONValue) -> Void) async throws -> String? {
                try await broker.device("link", "--provider", "github", "--device", "--json") { process, event in
                    act(event)
                    let exitCode = try await process.exitCode()
                    #expect(exitCode == 1, "\(process.everything)")
                    let last = process.output.text.split(separator: "\n").last.map(String.init) ?? ""
                    return try JSONValue(parsing: last)["error"]?["code"]?.string
                }
            }

            let declined = try await outcome { broker.github.denyDevice(userCode: $0["userCode"]?.string ?? "") }
            let expired = try await outcome { _ in broker.github.clock.advance(by: .seconds(1000)) }
            var application = broker.github.defaultApplication
            application.deviceFlowEnabled = false
            broker.github.register(application)
            let disabled = try await broker.command("link", "--provider", "github", "--device", "--json")

            #expect(declined == "USER_CANCELLED")
            #expect(expired == "DEVICE_CODE_EXPIRED")
            #expect(disabled.exitCode == 1 && disabled.errorCode == "INVALID_IDP_RESPONSE", "\(disabled)")
        }
    }

    @Test func `Ctrl-C leaves nothing behind`() async throws {
        try await Installation.run(deviceInterval: 1) { broker in
            let before = try await broker.document("users", "list")

            try await broker.device("link", "--provider", "github", "--device", "--json") { process, event in
                process.interrupt()

                let exitCode = try await process.exitCode()
                #expect(exitCode == 130, "\(process.everything)")
                #expect(process.output.text.contains("INTERRUPTED"))
                _ = broker.approve(event, "ada")
            }

            #expect(try await broker.document("users", "list") == before)
        }
    }

    @Test func `without a terminal the output is plain lines`() async throws {
        try await Installation.run(deviceInterval: 1) { broker in
            try await BrokerProcess.run(
                ["link", "--provider", "github", "--device"], in: broker.folder
            ) { process in
                let code = try #require(await process.output.code(), "\(process.everything)")
                #expect(broker.github.approveDevice(userCode: code, for: try broker.person("ada")))

                let exitCode = try await process.exitCode()
                #expect(exitCode == 0, "\(process.everything)")
                #expect(process.output.text.contains("\(broker.github.url)/login/device"))
                #expect(process.output.text.contains("github.com says this is Ada"))
                #expect(!process.everything.contains("\u{1B}") && !process.everything.contains("\r"))
            }
        }
    }

    @Test func `reauth works with a device too, and reports a different user`() async throws {
        try await Installation.run(deviceInterval: 1) { broker in
            let ada = try await broker.signedIn("ada")

            for (login, matches) in [("ada", true), ("ben", false)] {
                try await broker.device(
                    "reauth", "--provider", "github", "--device", "--user", ada, "--json"
                ) { process, event in
                    #expect(broker.approve(event, login))
                    let exitCode = try await process.exitCode()
                    #expect(exitCode == (matches ? 0 : 1), "\(process.everything)")
                    let last = process.output.text.split(separator: "\n").last.map(String.init) ?? ""
                    #expect(try JSONValue(parsing: last)["matches"] == .bool(matches))
                }
            }
        }
    }

    @Test func `a credential with a device, and an unknown user, are refused before the sign-in`()
        async throws
    {
        try await Installation.run { broker in
            let both = try await broker.command(
                "link", "--provider", "github", "--device", "--credential", "token.txt", "--json")
            let nobody = try await broker.command(
                "link", "--provider", "github", "--device", "--user", "nobody@example.com", "--json")

            #expect(both.exitCode == 64, "\(both)")
            #expect(nobody.exitCode == 1 && nobody.errorCode == "USER_NOT_FOUND", "\(nobody)")
            #expect(broker.github.hits(.deviceCode) == 0)
        }
    }
}

extension Installation {
    /// Runs a command that waits for a device, from the moment it shows its code.
    fileprivate func device<Value>(
        _ arguments: String..., waiting: (BrokerProcess, JSONValue) async throws -> Value
    ) async throws -> Value {
        try await BrokerProcess.run(arguments, in: folder) { process in
            let line = try #require(await process.output.firstLine(), "\(process.everything)")
            return try await waiting(process, try JSONValue(parsing: line))
        }
    }

    /// Lets in the device that shows this code.
    fileprivate func approve(_ event: JSONValue, _ login: String) -> Bool {
        guard let code = event["userCode"]?.string, let person = github.person(login: login) else { return false }
        return github.approveDevice(userCode: code, for: person)
    }
}

extension OutputLog {
    /// The code that is shown, as GitHub's look.
    fileprivate func code() async -> String? {
        await firstLine { $0.contains(/[A-Z0-9]{4}-[A-Z0-9]{4}/) }
            .flatMap { $0.firstMatch(of: /[A-Z0-9]{4}-[A-Z0-9]{4}/) }.map { String($0.output) }
    }
}
