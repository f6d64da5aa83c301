import JOSE
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("The command line", .timeLimit(.minutes(20)))
struct CommandLineTests {
    @Test func `--version names the program and its version`() async throws {
        let result = try await CommandResult.broker(["--version"], in: try TestFolder())

        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains(/^broker \d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?\n$/), "\(result)")
    }

    @Test(arguments: [
        (["user", "list"], #"Did you mean "broker users"?"#),
        (["users", "lst"], #"Did you mean "broker users list"?"#),
        (["help", "usres"], #"Did you mean "broker users"?"#), (["store", "frobnicate"], "verify, backup"),
        (["frob\u{1B}[2J\u{202E}", "--json"], #"frob\u{1b}[2J\u{202e}"#),
    ])
    func `a subcommand that does not exist is wrong usage, with the nearest one`(
        arguments: [String], advice: String
    ) async throws {
        let result = try await CommandResult.broker(arguments, in: try TestFolder())

        #expect(result.exitCode == 64 && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains(advice) && !result.errors.contains("\u{1B}"), "\(result)")
        #expect(arguments.count < 2 || arguments[1] != "frobnicate" || !result.errors.contains("Did you mean"))
    }

    @Test func `an argument that is not UTF-8 is wrong usage, and not replaced by another text`() async throws {
        // Half of a surrogate pair, as no shell's terminal sends it.
        let script = #"exec "$0" "$@" "$(printf 'a\355\240\200')""#

        let result = try await CommandResult.broker(
            ["users", "show"], through: ["sh", "-c", script], in: try TestFolder())

        #expect(result.exitCode == 64 && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains("the arguments are not UTF-8"), "\(result)")
    }

    @Test func `nothing an outsider wrote reaches the terminal but as text`() async throws {
        try await Installation.run { broker in
            let name = "Eve\u{1B}]0;x\u{07}\u{9B}2J\u{202E}\u{2066}\u{200B}\u{7F}\u{2028}x"
            let eve = broker.github.add(
                .init(login: "eve", name: name, emails: [.init(address: "eve@example.com")]))
            let token = broker.github.accessToken(for: eve, application: broker.github.defaultApplication)
            let claims: JSONObject = ["sub": .string(name), "n\u{202E}": [.string("\u{9B}31m")]]
            let forged = try TokenSigner(keyID: "another", key: .generate(.es256)).token(claims: claims)

            let created = try await broker.command("link", "--provider", "github", input: token)
            let results = [
                created,
                try await broker.command("link", "--provider", "github", "--json", input: token),
                try await broker.command("reauth", "--provider", "github", "--user", "eve@example.com", input: token),
                try await broker.command("users", "list"), try await broker.command("users", "list", "--json"),
                try await broker.command("users", "show", "eve@example.com"),
                try await broker.command("users", "show", "eve@example.com", "--json"),
                try await broker.command("users", "show", name), try await broker.command("users", "list", name),
                try await broker.command("explain", "eve@example.com"),
                try await broker.command("token", "inspect", input: forged),
                try await broker.command("token", "inspect", "--json", input: forged),
            ]

            for result in results {
                let hidden = result.everything.unicodeScalars.filter { scalar in
                    scalar != "\n"
                        && [.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
                }
                #expect(hidden.isEmpty, "\(Array(hidden)) in \(result)")
            }
            #expect(created.exitCode == 0 && created.output.contains("says this is Eve"), "\(created)")
            #expect(try JSONValue(parsing: results[11].output)["claims"] == .object(claims), "\(results[11])")
            #expect(try JSONValue(parsing: results[10].output)["claims"] == .object(claims), "\(results[10])")
        }
    }

    @Test func `lists have a header and fit the terminal`() async throws {
        try await Installation.run { broker in
            let ada = try await broker.serve { _, client in try await broker.session(of: "ada", at: client).localID }
            _ = try await broker.document(
                "clients", "add", "--type", "native", "--name", String(repeating: "Notebook ", count: 9))
            for (arguments, title) in [
                (["users", "list"], "LOCAL ID"), (["clients", "list"], "CLIENT ID"), (["keys", "list"], "KEY ID"),
                (["providers", "list"], "USE"), (["sessions", "list", ada, "--all"], "SESSION"),
            ] {
                for width in [64, 100, 160] {
                    let result = try await CommandResult.broker(
                        arguments, environment: ["COLUMNS": "\(width)"], in: broker.folder)
                    let lines = result.output.split(separator: "\n")
                    #expect(result.exitCode == 0 && lines.first?.contains(title) == true, "\(result)")
                    #expect(lines.allSatisfy { $0.count <= width }, "\(width): \(result)")
                }
            }
        }
    }

    @Test func `serve accepts a database, relative files, and never a password`() async throws {
        try await Installation.run(isNew: true, engine: .sqlite) { broker in
            try await BrokerProcess.run(
                ["serve", "--json", "--listen", "127.0.0.1:0", "--database", "other.sqlite"],
                environment: ["BROKER_DATABASE": "unused.sqlite"], in: broker.folder
            ) { process in
                #expect(await process.output.firstLine()?.contains("http://") == true, "\(process.everything)")
                let names = try broker.folder.names()
                #expect(names.contains("other.sqlite") && !names.contains("unused.sqlite"), "\(names)")
            }
            for database in ["postgresql://broker:S3cret@127.0.0.1:1/broker", "host=127.0.0.1 password=S3cret"] {
                let result = try await broker.command("serve", "--database", database, "--json")

                #expect(result.exitCode == 78 && result.errors.contains("~/.pgpass"), "\(result)")
                #expect(!result.everything.contains("S3cret"))
            }
        }
    }
}
