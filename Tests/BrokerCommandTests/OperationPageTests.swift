import ArgumentParser
import Broker
import Foundation
import Testing

@testable import BrokerCommand

/// The table of operations in `Docs/CommandLine.md`. `TESTS_RECORD=1` writes it anew.
@Suite("the page about the command line")
struct OperationPageTests {
    @Test func `the page has the operations that are declared, with their commands, scopes and effects`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Docs/CommandLine.md").standardized
        var page = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(page.firstRange(of: "<!-- operations: made by OperationPageTests -->\n")).upperBound
        let end = try #require(page.firstRange(of: "<!-- end of operations -->")).lowerBound
        if ProcessInfo.processInfo.environment["TESTS_RECORD"] != nil {
            page.replaceSubrange(start..<end, with: Self.table)
            try page.write(to: path, atomically: true, encoding: .utf8)
        } else {
            #expect(page[start..<end] == Self.table)
        }
    }

    private static var table: String {
        let rows = AdminOperations.all.map { operation in
            let commands = commands(of: RootCommand.self, calledBy: "broker").filter { command in
                command.operations.contains { $0 == operation }
            }
            let words = commands.map { "`\($0.words)`" }.joined(separator: ", ")
            let scope = operation.declaration.scope.map { "`\($0.rawValue)`" } ?? "any"
            return "| `\(operation.name)` | \(words) | \(scope) | \(effect(of: operation.declaration)) |"
        }
        return (["| Operation | Command | Scope | Effect |", "|---|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }

    private static func effect(of operation: OperationDeclaration) -> String {
        switch operation.effect {
        case .reads: "reads"
        case .undoable: "can be undone, or adds"
        case .irreversible: "cannot be undone"
        case .irreversibleWith(let name):
            "cannot be undone with `--\(operation.arguments.first { $0.name == name }?.spelledName ?? "")`"
        }
    }

    private static func commands(
        of type: any ParsableCommand.Type, calledBy words: String
    ) -> [(words: String, operations: [any AdminOperation.Type])] {
        [(words, (type as? any OperationsCommand.Type)?.operations ?? [])]
            + type.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { subcommand in
                commands(of: subcommand, calledBy: "\(words) \(subcommand.configuration.commandName ?? "?")")
            }
    }
}
