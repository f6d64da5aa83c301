import ArgumentParser
import Broker
import ProviderKit

/// A declared argument of an operation in ArgumentParser's terms.
struct CommandArgument {
    /// On the wire.
    let name: String
    /// An `Option`, a `Flag` or an `Argument`.
    let definition: Any
    /// What was parsed; nil where it was not given and has no initial value.
    let read: (KeyedDecodingContainer<CommandArgumentKey>, CommandArgumentKey) throws -> JSONValue?

    init(_ declared: DeclaredArgument, _ member: JSONMember) {
        switch member.form {
        case .flag where declared.spelling == .invertedFlag:
            self.init(declared, Flag<Bool?>(name: declared.names, inversion: .prefixedNo, help: declared.help)) {
                $0.wrappedValue.map(JSONValue.bool)
            }
        case .flag:
            self.init(declared, Flag<Bool>(wrappedValue: false, name: declared.names, help: declared.help)) {
                $0.wrappedValue ? true : nil
            }
        case .integer: self.init(declared, one: Int.self, isOptional: member.isOptional)
        case .moment: self.init(declared, one: TimeArgument.self, isOptional: member.isOptional)
        case .choice(let type): self.init(declared, choice: type, isOptional: member.isOptional)
        case .list(of: .choice(let type)): self.init(declared, choices: type, isOptional: member.isOptional)
        case .list: self.init(declared, many: String.self, isOptional: member.isOptional)
        default: self.init(declared, one: String.self, isOptional: member.isOptional)
        }
    }

    private init<Definition: Decodable>(
        _ declared: DeclaredArgument, _ definition: Definition, value: @escaping (Definition) -> JSONValue?
    ) {
        name = declared.name
        self.definition = definition
        read = { try value($0.decode(Definition.self, forKey: $1)) }
    }

    private init<Choice: CaseIterable>(_ declared: DeclaredArgument, choice: Choice.Type, isOptional: Bool) {
        self.init(declared, one: ChoiceArgument<Choice>.self, isOptional: isOptional)
    }

    private init<Choice: CaseIterable>(_ declared: DeclaredArgument, choices: Choice.Type, isOptional: Bool) {
        self.init(declared, many: ChoiceArgument<Choice>.self, isOptional: isOptional)
    }

    private init<Value: CommandValue>(_ declared: DeclaredArgument, one: Value.Type, isOptional: Bool) {
        let (names, help, completion) = (declared.names, declared.help, declared.completion)
        switch (declared.spelling, isOptional) {
        case (.positional, true):
            self.init(declared, Argument<Value?>(help: help, completion: completion)) { $0.wrappedValue?.json }
        case (.positional, false):
            self.init(declared, Argument<Value>(help: help, completion: completion)) { $0.wrappedValue.json }
        case (_, true):
            if let initial = declared.initialValue.flatMap({ Value(json: $0) }) {
                self.init(
                    declared, Option<Value>(wrappedValue: initial, name: names, help: help, completion: completion)
                ) {
                    $0.wrappedValue.json
                }
            } else {
                self.init(declared, Option<Value?>(name: names, help: help, completion: completion)) {
                    $0.wrappedValue?.json
                }
            }
        case (_, false):
            self.init(declared, Option<Value>(name: names, help: help, completion: completion)) { $0.wrappedValue.json }
        }
    }

    private init<Value: CommandValue>(_ declared: DeclaredArgument, many: Value.Type, isOptional: Bool) {
        let (names, help) = (declared.names, declared.help)
        let option =
            isOptional
            ? Option<[Value]>(wrappedValue: [], name: names, help: help) : Option<[Value]>(name: names, help: help)
        self.init(declared, option) { option in
            option.wrappedValue.isEmpty ? nil : .array(option.wrappedValue.map(\.json))
        }
    }
}

extension DeclaredArgument {
    fileprivate var names: NameSpecification { .customLong(spelledName) }

    fileprivate var completion: CompletionKind? {
        switch reference {
        case nil: nil
        case .provider: .providers
        case .client: .clients
        case .user: .users
        }
    }

    fileprivate var help: ArgumentHelp {
        ArgumentHelp(text, valueName: spelling == .positional ? spelledName : nil)
    }
}

extension AdminOperation {
    /// The help of a declared argument, for a command with a face of its own.
    static func help(_ name: String) -> ArgumentHelp? {
        declaration.arguments.first { $0.name == name }?.help
    }
}

extension DescribedObject {
    /// The help of a member, for a command that has an option for it.
    static func help(_ name: String) -> ArgumentHelp? { texts[name].map { ArgumentHelp($0.text) } }
}

/// The key of any argument.
struct CommandArgumentKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    static let confirmation = CommandArgumentKey(stringValue: "confirmation")
    static let options = CommandArgumentKey(stringValue: "options")
    static let output = CommandArgumentKey(stringValue: "output")
}

/// A value of the command line that is one in JSON.
protocol CommandValue: ExpressibleByArgument {
    init?(json: JSONValue)

    var json: JSONValue { get }
}

extension String: CommandValue {
    init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self = text
    }

    var json: JSONValue { .string(self) }
}

extension Int: CommandValue {
    init?(json: JSONValue) {
        guard let number = json.integer else { return nil }
        self.init(number)
    }

    var json: JSONValue { .integer(self) }
}

/// A case of an enumeration, by its raw value.
struct ChoiceArgument<Choice: CaseIterable>: CommandValue {
    let name: String

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        name = argument
    }

    init?(json: JSONValue) {
        guard let name = json.string else { return nil }
        self.init(argument: name)
    }

    var json: JSONValue { .string(name) }
    var defaultValueDescription: String { name }

    static var allValueStrings: [String] { JSONForm.names(of: Choice.self) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
