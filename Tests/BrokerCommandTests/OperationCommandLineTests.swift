import ArgumentParser
import Broker
import ProviderKit
import Testing

@testable import BrokerCommand

/// The console shows the command lines that ``OperationDeclaration/commandLine(with:)`` spells.
@Suite("the command lines of operations")
struct OperationCommandLineTests {
    @Test func `call commands that run their operations`() throws {
        var spelled = 0
        for operation in AdminOperations.all {
            guard let line = operation.declaration.commandLine(with: operation.exampleBody) else {
                continue
            }
            var words = line.split(separator: " ").map(String.init)[...]
            #expect(words.removeFirst() == "broker")
            var type: any ParsableCommand.Type = RootCommand.self
            while let word = words.first,
                let inner = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            {
                words.removeFirst()
                type = inner
            }
            let operations = (type as? any OperationsCommand.Type)?.operations ?? []
            #expect(operations.contains { $0 == operation }, "\(line)")
            spelled += 1
        }
        #expect(spelled > 60)
    }

    @Test func `begin with the name of a command`() throws {
        for operation in AdminOperations.all {
            guard let name = operation.declaration.commandName else { continue }
            var words = name.split(separator: " ").dropFirst().map(String.init)
            var type: any ParsableCommand.Type = RootCommand.self
            while let word = words.first,
                let inner = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            {
                words.removeFirst()
                type = inner
            }
            #expect(type != RootCommand.self && words.allSatisfy { $0.hasPrefix("--") }, "\(name)")
        }
    }

    @Test func `quote what a shell would read otherwise`() throws {
        func line(_ name: String, _ body: JSONObject) throws -> String? {
            try #require(AdminOperations.all.first { $0.name == name }).declaration.commandLine(with: body)
        }

        #expect(try line("users.show", ["user": "ann@example.com"]) == "broker users show ann@example.com")
        #expect(try line("users.show", ["user": "$(rm -rf ~)"]) == "broker users show '$(rm -rf ~)'")
        #expect(try line("users.show", ["user": "it's"]) == "broker users show 'it'\\''s'")
        #expect(try line("users.show", ["user": ""]) == "broker users show ''")
        #expect(try line("status.show", ["check": true]) == "broker status --check")
        #expect(try line("status.show", ["check": false]) == "broker status")
        #expect(
            try line("users.set-claims", ["user": "kX3", "claims": ["role": "editor"]])
                == #"broker users claims kX3 --set '{"role":"editor"}'"#)
        #expect(
            try line("users.update", ["user": "kX3", "emailVerified": false])
                == "broker users update kX3 --no-email-verified")
        // What begins with a dash would be an option, also in quotes.
        #expect(try line("users.search", ["text": "-ada"]) == "broker users search -- -ada")
        #expect(try line("users.search", ["text": "-ada b"]) == "broker users search -- '-ada b'")
        #expect(
            try line("users.search", ["text": "ada", "provider": "-x y"]) == "broker users search ada --provider='-x y'"
        )
        #expect(try line("users.find", ["emails": ["-x", "y"]]) == "broker users find --email=-x --email y")
        #expect(try line("audit.list", ["selection": ["user": "-x"]]) == "broker audit list --user=-x")
    }

    @Test func `are none where the command reads a secret or a file`() throws {
        for name in ["tokens.inspect", "users.import", "admin.service-account.create", "admin.whoami"] {
            let operation = try #require(AdminOperations.all.first { $0.name == name })
            #expect(operation.declaration.commandLine(with: operation.exampleBody) == nil, "\(name)")
        }
    }
}
