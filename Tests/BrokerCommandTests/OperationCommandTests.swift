import ArgumentParser
import Broker
import Testing

@testable import BrokerCommand

@Suite("Commands of operations")
struct OperationCommandTests {
    private static let commands = commands(of: RootCommand.self)

    private static func commands(of type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [type] + type.configuration.subcommands.flatMap { commands(of: $0) }
    }

    @Test func `every operation has a command`() {
        let run = Set(
            Self.commands.compactMap { $0 as? any OperationsCommand.Type }.flatMap { $0.operations }.map { $0.name })

        #expect(AdminOperations.all.map { $0.name }.filter { !run.contains($0) } == [])
    }

    @Test func `an operation that declares a command is called by it, and any other has a command with its own face`() {
        let made = Set(
            Self.commands.filter { "\($0)".hasPrefix("OperationCommand<") }
                .compactMap { $0 as? any OperationsCommand.Type }.flatMap { $0.operations }.map { $0.name })

        for operation in AdminOperations.all {
            #expect((operation.declaration.command != nil) == made.contains(operation.name), "\(operation.name)")
        }
    }

    @Test func `a command has every argument of its operation, under the declared name and with the declared text`() {
        for type in Self.commands.filter({ "\($0)".hasPrefix("OperationCommand<") }) {
            let help = type.helpMessage(columns: 1000)
            for operation in (type as? any OperationsCommand.Type)?.operations ?? [] {
                for argument in operation.declaration.arguments {
                    let name =
                        argument.spelling == .positional ? "<\(argument.spelledName)>" : "--\(argument.spelledName)"
                    #expect(help.contains(name) && help.contains(argument.text), "\(operation.name) \(argument.name)")
                }
            }
        }
    }

    @Test(arguments: [
        (["users", "list", "--limit", "0"], "--limit takes 1 to 1000."),
        (["merges", "list", "--limit", "1001"], "--limit takes 1 to 1000."),
        (["merges", "list", "--all", "--undoable"], "Use --all or --undoable, not both."),
        (["keys", "rotate", "--revoke", "--yes"], "--revoke needs --now."),
        (["users", "update", "ann"], "Nothing to update"),
        (["withdrawals", "list", "--state", "odd"], "'queued', 'parked'"),
    ])
    func `wrong usage is refused with what is right`(arguments: [String], words: String) {
        let error = #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
        #expect(error.map { RootCommand.message(for: $0).contains(words) } == true, "\(arguments)")
    }
}
