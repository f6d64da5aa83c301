import Foundation

/// A yes/no question at the controlling terminal, even when standard input is a pipe.
enum Confirmation {
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
        guard let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") else {
            throw CommandFailure(code: "NOT_CONFIRMED", "there is no terminal for the question: add --yes to confirm")
        }
        return terminal
    }
}
