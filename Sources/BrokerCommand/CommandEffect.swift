import ArgumentParser
import Broker

/// The effect of a command on stored data, which decides whether it requires confirmation.
///
/// A command whose effect cannot be undone has ``ConfirmationOptions``.
enum CommandEffect: Hashable {
    /// It reads, or writes files that did not exist.
    case reads
    /// Another call restores what was before, or adds only.
    case undoable
    /// Something is lost that no command restores.
    case irreversible
    /// The same, with this option only; without it, it is undoable.
    case irreversibleWith(String)
    /// It has `--yes` too, and asks where its arguments or the stored data are a reason to.
    case asksWithReason

    /// Of commands that work on the host's files, and of those whose operations have several effects, by the words that
    /// call them. The others have the effect of their operation.
    static let table: [String: CommandEffect] = [
        "serve": .undoable, "demo": .reads, "pages preview": .reads, "plugin test": .reads, "init": .reads,
        "health": .reads, "doctor": .reads,
        "config show": .reads,
        "reauth": .reads, "completion": .reads, "manual": .reads, "schema": .reads, "logout": .undoable,
        "login create": .undoable, "login status": .reads, "login switch": .undoable,

        "providers add": .asksWithReason, "providers try": .reads,

        "apple key show": .reads, "apple key import": .irreversibleWith("--replace"),
        "apple client-secret": .reads, "apple exchange": .reads, "apple revoke": .irreversible,
        "apple migrate prepare": .undoable, "apple migrate exchange": .undoable, "apple migrate resume": .undoable,
        "apple migrate status": .reads, "apple migrate export": .reads, "apple migrate import": .undoable,

        "sessions revoke": .irreversibleWith("--all"), "link": .asksWithReason,

        // An account is revoked only where its key could not be written.
        "admin service-account create": .undoable,

        "console invite": .undoable,

        "vault status": .reads, "vault verify": .reads, "vault rotate": .irreversibleWith("--compromised"),

        "store verify": .reads, "store backup": .reads, "store copy": .reads, "store erasures": .reads,
        "store restore": .asksWithReason,
    ]

    /// The effect of an operation's command.
    init(_ operation: OperationDeclaration) {
        switch operation.effect {
        case .reads: self = .reads
        case .undoable: self = .undoable
        case .irreversible: self = .irreversible
        case .irreversibleWith(let name):
            let argument = operation.arguments.first { $0.name == name }
            self = .irreversibleWith("--\(argument?.spelledName ?? name)")
        }
    }

    /// The effect of a command; nil where neither the table nor its operations say it.
    init?(of words: String, _ type: any ParsableCommand.Type) {
        if let effect = Self.table[words] {
            self = effect
            return
        }
        guard let command = type as? any OperationsCommand.Type else { return nil }
        let effects = Set(command.operations.map { CommandEffect($0.declaration) }).subtracting([.reads])
        guard effects.count <= 1 else { return nil }
        self = effects.first ?? .reads
    }

    /// Whether the command always asks first, at least with some option.
    var asks: Bool {
        switch self {
        case .reads, .undoable, .asksWithReason: false
        case .irreversible, .irreversibleWith: true
        }
    }
}
