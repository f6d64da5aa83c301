import Foundation

/// A colour of text, which supports the text and never replaces it.
package enum TerminalColor: String {
    case green = "32"
    case yellow = "33"
    case red = "31"

    /// Whether standard output shows colours: a terminal that has them, unless NO_COLOR or CLICOLOR_FORCE decides.
    package static let isShown = isShown(ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1)

    /// The conventions of https://no-color.org and https://bixense.com/clicolors.
    package static func isShown(_ environment: [String: String], isTerminal: Bool) -> Bool {
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
        return isTerminal && environment["TERM"] != "dumb"
    }

    /// The colour of a state by its first word; nil for a state that needs no attention.
    package init?(state: String) {
        switch state.prefix(while: { $0.isLetter }) {
        case "active", "done", "enabled", "live", "valid", "delivered": self = .green
        case "dead", "disabled", "refused", "revoked", "failed": self = .red
        case "expired", "next", "parked", "queued", "retired", "superseded", "suspended", "unreachable": self = .yellow
        default: return nil
        }
    }
}
