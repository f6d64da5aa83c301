import ArgumentParser
import Broker
import ProviderKit

/// A word of a command line that is not a known subcommand.
struct UnknownSubcommand {
    /// The error with the nearest command and the list of all commands.
    let message: TerminalText

    /// Finds the first unknown subcommand before the first option.
    ///
    /// - Returns: `nil` when there is none. Words after a command without subcommands are arguments.
    static func first(in arguments: [String], of root: any ParsableCommand.Type) -> UnknownSubcommand? {
        var subcommands = root.configuration.subcommands
        var parent = root._commandName
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let index = subcommands.firstIndex(where: { $0._commandName == word }) else {
                let shown = subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
                return UnknownSubcommand(message: message(word, of: parent, known: shown))
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
            "\(word)" is not a command of "\(parent)".\(advice)
            Commands: \(known.joined(separator: ", ")). See "\(parent) --help".
            """
    }
}
