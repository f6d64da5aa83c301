import ArgumentParser
import Broker
import Foundation

/// A secret that the user types at the controlling terminal. It is not shown.
enum SecretPrompt {
    private static let maximumLength = 4096

    /// Asks for a secret.
    ///
    /// - Throws: ``CommandFailure`` without a terminal; `ExitCode` 130 after an interruption.
    static func ask(_ question: TerminalText) throws -> String {
        guard let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") else {
            throw CommandFailure(
                code: "NO_TERMINAL", "there is no terminal to ask at: pipe the token to standard input",
                exitCode: .validationFailure)
        }
        let descriptor = terminal.fileDescriptor
        var earlier = termios()
        tcgetattr(descriptor, &earlier)
        var hidden = earlier
        // Without signals from keys: an interruption must not leave the terminal without echo.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(descriptor, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &earlier)
            terminal.write(Data("\n".utf8))
        }
        terminal.write(Data(question.description.utf8))
        return try line(from: descriptor)
    }

    private static func line(from descriptor: Int32) throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < maximumLength, read(descriptor, &byte, 1) == 1 {
            switch byte {
            case 0x0A, 0x0D: return String(decoding: bytes, as: UTF8.self)
            case 0x03, 0x1C: throw ExitCode(130)
            case 0x04 where bytes.isEmpty: return ""
            case 0x08, 0x7F: if !bytes.isEmpty { bytes.removeLast() }
            case 0x15: bytes.removeAll()
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
