import ArgumentParser
import Broker
import Foundation

/// A yes/no question at the controlling terminal, even when standard input is a pipe.
enum Confirmation {
    /// The path of the controlling terminal; a test names a file that does not exist.
    @TaskLocal static var terminalPath = "/dev/tty"

    /// Shows a question and reads the answer. Input typed before the question is discarded.
    ///
    /// - Throws: ``CommandFailure`` when there is no terminal.
    static func ask(_ question: TerminalText) throws(CommandFailure) -> Bool {
        let terminal = try terminal()
        // Input typed before the question was shown must not answer it.
        tcflush(terminal.fileDescriptor, TCIFLUSH)
        terminal.write(Data(question.description.utf8))
        let answer = String(decoding: terminal.availableData, as: UTF8.self)
        return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespacesAndNewlines).lowercased())
    }

    /// Shows a question and continues after a yes.
    ///
    /// - Throws: ``CommandFailure`` `NOT_CONFIRMED` with `outcome`, or when there is no terminal.
    static func require(_ question: TerminalText, otherwise outcome: String) throws(CommandFailure) {
        guard try ask(question) else { throw CommandFailure(code: "NOT_CONFIRMED", outcome) }
    }

    /// Checks that a terminal is available, before work that ends with a question.
    ///
    /// - Throws: ``CommandFailure`` when there is no terminal.
    static func requireTerminal() throws(CommandFailure) { _ = try terminal() }

    private static func terminal() throws(CommandFailure) -> FileHandle {
        guard let terminal = FileHandle(forUpdatingAtPath: terminalPath) else {
            throw CommandFailure(code: "NOT_CONFIRMED", "there is no terminal for the question: add --yes to confirm")
        }
        return terminal
    }
}

/// The option of a command whose effect cannot be undone (``CommandEffect``).
///
/// Such a command asks at a terminal and needs `--yes` in a script. It calls ``requireAnswer()`` before anything else: a
/// script without `--yes` fails before the store is opened.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    /// Checks that the question is answered already, or that there is a terminal for it.
    ///
    /// - Throws: ``CommandFailure`` `NOT_CONFIRMED`.
    func requireAnswer() throws(CommandFailure) {
        if !yes { try Confirmation.requireTerminal() }
    }

    /// Shows what is about to be done, says that it cannot be undone, and continues after a yes.
    ///
    /// - Throws: ``CommandFailure`` `NOT_CONFIRMED` with `outcome`, or when there is no terminal.
    func requireIrreversible(_ question: TerminalText, otherwise outcome: String) throws(CommandFailure) {
        try require("\(question)\nThis cannot be undone. [y/N] ", otherwise: outcome)
    }

    /// Continues after a yes.
    ///
    /// - Throws: ``CommandFailure`` `NOT_CONFIRMED` with `outcome`, or when there is no terminal.
    func require(_ question: TerminalText, otherwise outcome: String) throws(CommandFailure) {
        if !yes { try Confirmation.require(question, otherwise: outcome) }
    }
}
