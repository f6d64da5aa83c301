import ArgumentParser
import Broker
import ProviderKit

/// The command of an operation of the usual shape, made of its declaration.
///
/// ArgumentParser looks for arguments in the mirror of an empty command, and decodes a command from what it parsed. Here
/// both are made of the declared arguments.
struct OperationCommand<Operation: AdminOperation>: AsyncParsableCommand, CustomReflectable {
    static var configuration: CommandConfiguration {
        let command = Operation.declaration.command
        return CommandConfiguration(
            commandName: command?.name, abstract: command?.abstract ?? "",
            discussion: command?.discussion.paragraphs ?? "")
    }

    private var body = JSONObject()
    private var confirmation: ConfirmationOptions?
    private var options = AdministrationOptions()
    private var output = OutputOptions()

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CommandArgumentKey.self)
        for argument in try Self.arguments() {
            body[argument.name] = try argument.read(values, CommandArgumentKey(stringValue: argument.name))
        }
        if CommandEffect(Operation.declaration).asks {
            confirmation = try values.decode(OptionGroup<ConfirmationOptions>.self, forKey: .confirmation).wrappedValue
        }
        options = try values.decode(OptionGroup<AdministrationOptions>.self, forKey: .options).wrappedValue
        output = try values.decode(OptionGroup<OutputOptions>.self, forKey: .output).wrappedValue
    }

    private static func arguments() throws -> [CommandArgument] {
        try Operation.members().map { CommandArgument($0.declared, $0.member) }
    }

    var customMirror: Mirror {
        var children: [Mirror.Child] = []
        // A test makes the arguments of every operation.
        for argument in (try? Self.arguments()) ?? [] { children.append(("_\(argument.name)", argument.definition)) }
        if CommandEffect(Operation.declaration).asks {
            children.append(("_confirmation", OptionGroup<ConfirmationOptions>()))
        }
        children.append(("_options", OptionGroup<AdministrationOptions>()))
        children.append(("_output", OptionGroup<OutputOptions>()))
        return Mirror(self, children: children)
    }

    func validate() throws {
        for argument in Operation.declaration.arguments {
            guard let range = argument.range, let number = body[argument.name]?.integer,
                !range.contains(Int(clamping: number))
            else { continue }
            throw ValidationError("--\(argument.spelledName) takes \(range.lowerBound) to \(range.upperBound).")
        }
        if let misuse = try operation().misuse { throw ValidationError(misuse) }
    }

    private func operation() throws -> Operation {
        try JSONValueDecoder(unknownNames: .refused).decode(Operation.self, from: .object(body))
    }

    func run() async throws {
        try await output.reporting {
            let operation = try operation()
            let asks = confirmation.map { !$0.yes && Operation.declaration.losesSomething(with: body) } ?? false
            // A script without --yes fails before anything is read.
            if asks { try Confirmation.requireTerminal() }
            let answer = try await options.withExecutor(asksProviders: Operation.declaration.asksProviders) { run in
                if asks, let question = try await operation.question(run) {
                    try Confirmation.require("\(question.text) [y/N] ", otherwise: question.outcome)
                }
                return try await run(operation)
            }
            try output(answer) { try operation.text(of: $0) }
            if let limit = body["limit"]?.integer, let count = operation.rowCount(of: answer) {
                output.noteLimit(Int(clamping: limit), reachedBy: count)
            }
            if operation.isFailure(answer) { throw ExitCode.failure }
        }
    }
}

/// The command of an operation, as a subcommand of another one.
///
/// `OperationCommand<Operation>.self` of a known operation would look for its conformance among all of the program: for
/// each command, at every start. Here the caller has it.
@inline(never)
func command(of operation: any AdminOperation.Type) -> any ParsableCommand.Type {
    func command<Operation: AdminOperation>(of _: Operation.Type) -> any ParsableCommand.Type {
        OperationCommand<Operation>.self
    }
    return command(of: operation)
}
