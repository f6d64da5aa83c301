import Broker
import Foundation

extension TerminalText {
    /// Writes the text and a line end to standard output without buffering: a pipe's reader may wait for the line.
    func show() {
        StatusLine.clear()
        print(description)
        fflush(nil)
    }

    /// Writes the text and a line end to standard error; a closed pipe is ignored.
    func warn() {
        StatusLine.clear()
        try? FileHandle.standardError.write(contentsOf: Data("\(description)\n".utf8))
    }
}
