import ArgumentParser
import Broker
import Foundation
import ProviderKit

/// How the lines of the log are written to standard error.
enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For people: the time of day, the level, the message, and the other members as `name=value`.
    case text
    /// For programs: one JSON object for each line.
    case json

    /// The format without `--log-format`: the variable's, otherwise text at a terminal.
    static func standard(
        _ variable: String? = ProgramVariable.logFormat.value, isTerminal: Bool = isatty(STDERR_FILENO) == 1
    ) -> LogFormat {
        variable.flatMap { LogFormat(rawValue: $0.lowercased()) } ?? (isTerminal ? .text : .json)
    }

    /// A line that `JSONLogHandler` wrote, in this format. No value in it forges a line or moves the cursor.
    func line(_ json: String) -> TerminalText {
        guard self == .text, let members = (try? JSONValue(parsing: json.utf8))?.object else {
            return TerminalText(serializedJSON: json)
        }
        func text(_ name: String) -> String { members[name].map(Self.plain) ?? "" }
        // The time alone, in UTC: what is on the screen is of today.
        let beginning =
            "\(text("time").dropFirst(11))  \(text("level").padding(toLength: 8, withPad: " ", startingAt: 0))"
        let others = members.filter { !["time", "level", "logger", "message"].contains($0.name) }
            .map { "\($0.name)=\(Self.quoted(Self.plain($0.value)))" }
        return TerminalText(escaping: ([beginning, text("message")] + others).joined(separator: " "))
    }

    private static func plain(_ value: JSONValue) -> String { value.string ?? value.serialized() }

    /// A value with spaces in quotation marks, so that it ends visibly.
    private static func quoted(_ text: String) -> String {
        text.isEmpty || text.contains(" ") || text.contains("\"") ? JSONValue.string(text).serialized() : text
    }
}
