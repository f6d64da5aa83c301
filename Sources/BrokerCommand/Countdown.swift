import Foundation

/// The remaining time, in the last line of a terminal.
enum Countdown {
    static func time(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest) min"
    }

    /// Replaces the terminal's last line.
    static func report(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[2K\(line)".utf8))
    }
}
