package import ProviderKit

/// The command line that runs an operation, as a person types it into a shell.
extension AdminOperation {
    /// The command line of this call; nil where no command does just this.
    package var commandLine: String? {
        guard let body = try? JSONValueEncoder().encode(self).object else { return nil }
        return Self.declaration.commandLine(with: body)
    }
}

extension OperationDeclaration {
    /// The command that does the same, without arguments; nil where none does.
    package var commandName: String? { words.map { "broker \($0)" } }

    /// The command line of a call.
    ///
    /// - Parameter body: The arguments by their names on the wire.
    /// - Returns: The line; nil where no command does just this: it reads a file, asks for a secret, or has no command.
    package func commandLine(with body: JSONObject) -> String? {
        guard !isStreamed, !readsOrWritesFile, let command = words else { return nil }
        var (options, values): ([String], [String]) = ([], [])
        for argument in arguments {
            guard let value = body[argument.name], !value.isNull else { continue }
            guard argument.content == nil || argument.content == .options, let spelled = argument.spelled(value) else {
                return nil
            }
            if argument.spelling == .positional { values += spelled } else { options += spelled }
        }
        // After two dashes nothing is an option (POSIX 1003.1 §12.2).
        if values.contains(where: \.beginsWithDash) {
            values.insert("--", at: 0)
        } else {
            (options, values) = (values, options)
        }
        return (["broker", command] + options + values).joined(separator: " ")
    }

    /// Whether the command reads a token from a file, or writes a key to one.
    private var readsOrWritesFile: Bool {
        ["tokens.inspect", "admin.service-account.create", "admin.service-account.rotate-key"].contains(name)
    }

    /// The words that call the command. Those of most operations are the parts of their name.
    private var words: String? {
        switch name {
        // Logging in is no call of it.
        case "admin.whoami": nil
        // The command looks at each entry in turn.
        case "providers.show": nil
        case "providers.try.start", "providers.try.finish": "providers try"
        case "tokens.inspect": "token inspect"
        case "decisions.explain": "explain"
        case "status.show": "status"
        case "statistics.show": "statistics"
        case "refusals.list": "refusals"
        case "sessions.revoke-all": "sessions revoke --all"
        case "users.set-claims": "users claims"
        case "users.unlink": "unlink"
        case "withdrawals.retry-parked": "withdrawals retry --parked"
        case "console.administrators.list": "console list"
        case "console.administrators.set-role": "console set-role"
        case "console.administrators.remove": "console remove"
        default: name.replacing(".", with: " ")
        }
    }
}

extension DeclaredArgument {
    /// The words of a value; none for a flag that is not set, nil for a value that no words stand for.
    fileprivate func spelled(_ value: JSONValue) -> [String]? {
        let option = "--\(spelledName)"
        switch (value, spelling) {
        case (.bool(let isSet), .invertedFlag): return [isSet ? option : "--no-\(spelledName)"]
        case (.bool(let isSet), _): return isSet ? [option] : []
        case (.array(let values), .option):
            let words = values.map { $0.shellWord }
            guard words.allSatisfy({ $0 != nil }) else { return nil }
            return words.compactMap(\.self).flatMap { $0.wordsAsValue(of: option) }
        case (_, .positional): return value.shellWord.map { [$0] }
        case (.object(let members), .option) where content == .options:
            return members.flatMap { name, value in value.shellWord.map { $0.wordsAsValue(of: "--\(name)") } ?? [] }
        case (.object, .option): return [option, value.serialized().shellWord]
        case (_, .option), (_, .invertedFlag):
            return value.shellWord?.wordsAsValue(of: option)
        }
    }
}

extension JSONValue {
    /// A text or a number as a word of a shell.
    fileprivate var shellWord: String? {
        switch self {
        case .string(let text): text.shellWord
        case .number: serialized()
        default: nil
        }
    }
}

extension String {
    /// A word of a shell (POSIX 1003.1 §2.2.2), in single quotes where it has other characters than those of ids and
    /// addresses.
    fileprivate var shellWord: String {
        let isPlain = wholeMatch(of: /[A-Za-z0-9@%+=:,.\/_\-]+/) != nil
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }

    /// Whether the text of a shell's word begins as an option does.
    fileprivate var beginsWithDash: Bool { hasPrefix("-") || hasPrefix("'-") }

    /// The words of an option with this word as its value.
    fileprivate func wordsAsValue(of option: String) -> [String] {
        beginsWithDash ? ["\(option)=\(self)"] : [option, self]
    }
}
