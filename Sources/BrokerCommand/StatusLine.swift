import Broker
import Foundation
import Synchronization

/// The last line of a terminal on standard error, which is rewritten in place. Whatever else is written replaces it.
enum StatusLine {
    private static let isShown = Mutex(false)

    /// Whether standard error is a terminal that can rewrite a line.
    static let isPossible =
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

    /// Replaces the line. It is cut to the width of the terminal: what wraps could not be rewritten.
    static func show(_ text: TerminalText) {
        isShown.withLock { isShown in
            isShown = true
            write(String(text.description.prefix(columns - 1)))
        }
    }

    /// Removes the line, if there is one.
    static func clear() {
        isShown.withLock { isShown in
            guard isShown else { return }
            isShown = false
            write("")
        }
    }

    private static func write(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[2K\(line)".utf8))
    }

    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
