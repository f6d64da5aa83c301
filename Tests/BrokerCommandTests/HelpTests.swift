import ArgumentParser
import Testing

@testable import BrokerCommand

@Suite("Help")
struct HelpTests {
    /// Every command there is, however deep, with the words that call it.
    private static let commands = commands(of: RootCommand.self, calledBy: "broker")

    private static func commands(
        of type: any ParsableCommand.Type, calledBy name: String
    ) -> [(name: String, type: any ParsableCommand.Type)] {
        [(name, type)]
            + type.configuration.subcommands.flatMap { subcommand in
                commands(of: subcommand, calledBy: "\(name) \(subcommand.configuration.commandName ?? "?")")
            }
    }

    @Test func `every command that does something shows how it is called, with the words that call it`() {
        let working = Self.commands.filter { $0.type.configuration.subcommands.isEmpty }

        #expect(working.count >= 8)
        for (name, type) in working {
            let examples = type.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            #expect(examples.contains { $0.contains(name) }, "\(name) has no example of itself")
        }
    }

    /// The library derives a missing name from the type by casts that search all conformances of the program, which made
    /// a sixth of the time of a start.
    @Test func `every command has its name from its configuration`() {
        for (name, type) in Self.commands { #expect(type.configuration.commandName != nil, "\(name): \(type)") }
    }

    @Test func `every command says in one sentence what it is for`() {
        for (name, type) in Self.commands {
            #expect(type.configuration.abstract.hasSuffix("."), "\(name)")
            #expect(!type.configuration.abstract.contains("\n"), "\(name)")
        }
    }

    @Test(arguments: ["trace", "debug", "info", "notice", "warning", "error", "critical"])
    func `--log-level names each level`(level: String) {
        #expect(ServeCommand.helpMessage(columns: 1000).contains(level))
    }

    @Test func `errors of the parser begin like those of the commands`() throws {
        for arguments in [["users", "list", "--limitless"], ["link"], ["audit", "list", "--limit", "0"]] {
            let error = try #require(throws: (any Error).self) { _ = try RootCommand.parseAsRoot(arguments) }
            let message = RootCommand.fullMessage(for: error)
            #expect(message.hasPrefix("broker: ") && !message.contains("Error"), "\(message)")
        }
    }

    @Test func `a file that a command writes is named by --output, and what is followed by follow`() throws {
        for (name, type) in Self.commands where type.configuration.shouldDisplay {
            let options = type.helpMessage(columns: 1000).split(separator: "\n").filter { $0.hasPrefix("  --") }
            for option in options where option.contains(/[Ww]rite .*file|new file|file to write/) {
                #expect(option.hasPrefix("  --output "), "\(name): \(option)")
            }
            #expect(!name.hasSuffix(" tail"))
        }
        #expect(!EventsCommand.helpMessage().contains("  tail"))
        #expect(try RootCommand.parseAsRoot(["events", "tail", "--json"]) is EventsCommand.Tail)
        for former in [
            ["store", "backup", "--to", "x"], ["users", "import", "x", "--format", "csv", "--report", "y"],
        ] {
            #expect(throws: Never.self) { try RootCommand.parseAsRoot(former) }
        }
    }

    @Test func `one row is a row`() {
        #expect([0, 1, 2].map(\.rowsText) == ["0 rows", "1 row", "2 rows"])
    }

    @Test func `every option and argument is explained`() {
        for (name, type) in Self.commands {
            let lines = type.helpMessage(includeHidden: true).split(separator: "\n")
            for (index, line) in lines.enumerated() where line.hasPrefix("  --") || line.hasPrefix("  <") {
                let onThisLine = line.split(separator: " ", omittingEmptySubsequences: true).contains {
                    !$0.hasPrefix("-") && !$0.hasPrefix("<")
                }
                let onTheNext = index + 1 < lines.count && lines[index + 1].hasPrefix("          ")
                #expect(onThisLine || onTheNext, "\(name): \(line)")
            }
        }
    }

    @Test func `the parser accepts every example`() throws {
        for (name, type) in Self.commands where type.configuration.subcommands.isEmpty {
            // A line that ends with a backslash goes on in the next one, as in a shell.
            let examples = type.configuration.discussion.replacing(/\\\n */, with: "").split(separator: "\n")
                .map { $0.drop { $0 == " " } }
            for example in examples where example.hasPrefix("broker ") {
                // What stands beside it after a gap is a remark.
                let call = example.split(separator: "  ").first ?? example
                // Redirections are the shell's.
                let words = call.split(separator: " ").prefix { !["<", ">", "|"].contains($0) }
                let arguments = words.dropFirst().map(String.init)
                #expect(throws: Never.self, "\(name): \(example)") { try RootCommand.parseAsRoot(arguments) }
            }
        }
    }

    @Test func `a paragraph is wrapped once, at the width of the terminal, and no example is broken`() {
        for (name, type) in Self.commands {
            let paragraphs = type.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
            for (line, next) in zip(paragraphs, paragraphs.dropFirst()) {
                let isProse = !line.isEmpty && !line.hasPrefix(" ") && !next.isEmpty && !next.hasPrefix(" ")
                #expect(!isProse, "\(name) breaks a paragraph after: \(line)")
            }
            let long = paragraphs.filter { $0.hasPrefix(" ") && $0.count > 80 }
            #expect(long == [], "\(name)")
        }
        #expect("One\ntwo\n\nExamples:\n  a b\n  c".paragraphs == "One two\n\nExamples:\n  a b\n  c")
    }
}
