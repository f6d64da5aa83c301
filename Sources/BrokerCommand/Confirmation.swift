import Foundation

/// Asks the person at the terminal, which standard input need not be.
enum Confirmation {
    /// Shows a question and reads the answer, which counts only when it was typed after the question was shown.
    ///
    /// - Throws: ``CommandFailure`` when there is no terminal to ask at.
    static func ask(_ question: TerminalText) throws(CommandFailure) -> Bool {
        let terminal = try terminal()
        // Keys typed before the question was shown do not answer it.
        tcflush(terminal.fileDescriptor, TCIFLUSH)
        terminal.write(Data(question.description.utf8))
        let answer = String(decoding: terminal.availableData, as: UTF8.self)
        return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespacesAndNewlines).lowercased())
    }

    /// Tells before anything else is done that nobody could be asked at its end.
    ///
    /// - Throws: ``CommandFailure`` when there is no terminal to ask at.
    static func requireTerminal() throws(CommandFailure) { _ = try terminal() }

    private static func terminal() throws(CommandFailure) -> FileHandle {
        guard let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") else {
            throw CommandFailure(code: "NOT_CONFIRMED", "there is no terminal to ask at: --yes goes on without asking")
        }
        return terminal
    }
}
