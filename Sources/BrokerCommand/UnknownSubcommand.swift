import ArgumentParser
import ProviderKit

/// A word of a command line that names no subcommand.
struct UnknownSubcommand {
    /// What is wrong, the nearest command, and where all of them are listed.
    let message: TerminalText

    /// Looks for such a word among those before the first option.
    ///
    /// - Returns: `nil` when there is none. Words after a command without subcommands are arguments.
    static func first(in arguments: [String], of root: any ParsableCommand.Type) -> UnknownSubcommand? {
        var subcommands = root.configuration.subcommands
        var parent = root._commandName
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
            let names = subcommands.map { $0._commandName }
            guard let index = names.firstIndex(of: word) else {
                return UnknownSubcommand(message: message(word, of: parent, known: names))
            }
            parent += " \(word)"
            subcommands = subcommands[index].configuration.subcommands
        }
        return nil
    }

    private static func message(_ word: String, of parent: String, known: [String]) -> TerminalText {
        let nearest = NearestName.nearest(to: word, among: known)
        let advice: TerminalText = nearest.map { " Did you mean \"\(parent) \($0)\"?" } ?? ""
        return """
            "\(word)" is no command of "\(parent)".\(advice)
            Commands: \(known.joined(separator: ", ")). See "\(parent) --help".
            """
    }
}
