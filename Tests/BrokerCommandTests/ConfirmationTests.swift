import ArgumentParser
import Testing

@testable import BrokerCommand

@Suite("Confirmation")
struct ConfirmationTests {
    /// Every command that does something, by the words that call it.
    private static let commands = commands(of: RootCommand.self, calledBy: [])

    private static func commands(
        of type: any ParsableCommand.Type, calledBy words: [String]
    ) -> [(name: String, type: any ParsableCommand.Type)] {
        let subcommands = type.configuration.subcommands
        guard !subcommands.isEmpty else { return [(words.joined(separator: " "), type)] }
        return subcommands.flatMap { commands(of: $0, calledBy: words + [$0.configuration.commandName ?? "?"]) }
    }

    /// The calls in a command's examples, without the program's name.
    private static func examples(of type: any ParsableCommand.Type) -> [[String]] {
        type.configuration.discussion.replacing(/\\\n */, with: "").split(separator: "\n").compactMap { line in
            guard let call = line.firstRange(of: "broker ") else { return nil }
            guard line.hasPrefix("  ") else { return nil }
            return line[call.upperBound...].split(separator: " ").prefix { !["<", ">", "|"].contains($0) }
                .map(String.init)
        }
    }

    @Test func `the table says of every command whether it can be undone`() {
        let names = Self.commands.map(\.name)
        let unknown = Self.commands.filter { CommandEffect(of: $0.name, $0.type) == nil }.map(\.name)

        #expect(unknown == [], "say in CommandEffect what it does")
        #expect(CommandEffect.table.keys.filter { !names.contains($0) } == [])
    }

    @Test func `the commands that cannot be undone have --yes, and an example with it`() {
        for (name, type) in Self.commands {
            let effect = CommandEffect(of: name, type)
            let asks = effect?.asks == true
            let hasOption = asks || effect == .asksWithReason
            #expect(type.helpMessage(includeHidden: true).contains("--yes") == hasOption, "\(name)")
            guard asks || !hasOption else { continue }
            #expect(Self.examples(of: type).contains { $0.contains("--yes") } == asks, "\(name)")
            if case .irreversibleWith(let option) = effect {
                #expect(type.helpMessage().contains(option), "\(name)")
            }
        }
    }

    @Test func `without a terminal they refuse before they read anything`() async throws {
        for (name, type) in Self.commands where CommandEffect(of: name, type)?.asks == true {
            for example in Self.examples(of: type) where example.contains("--yes") {
                let arguments = example.filter { $0 != "--yes" } + ["--config", "/dev/no-broker.json"]
                let unconfirmed = try await Self.failure(of: arguments)
                // A call that did not ask would miss its configuration, which is another exit code.
                #expect(unconfirmed == .failure, "\(arguments) asks nobody")
            }
        }
    }

    /// The exit code with which a call fails without a terminal; nil when it succeeds.
    private static func failure(of arguments: [String]) async throws -> ExitCode? {
        var command = try RootCommand.parseAsRoot(arguments)
        guard var asynchronous = command as? any AsyncParsableCommand else {
            try command.run()
            return nil
        }
        do {
            try await Confirmation.$terminalPath.withValue("/dev/no-terminal") { try await asynchronous.run() }
            return nil
        } catch let code as ExitCode {
            return code
        }
    }
}
