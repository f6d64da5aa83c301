import Broker
import ProviderKit

/// The manual page in roff (man(7)), made of the help of all commands.
struct ManualPage {
    let text: String

    /// - Parameters:
    ///   - help: What ArgumentParser dumps of the command tree.
    ///   - version: The program's version.
    /// - Throws: ``JSONParseError`` or ``JSONDecodingError``.
    init(help: String, version: String) throws {
        let limits = JSONLimits(maximumBytes: 16 << 20)
        let root = try JSONValue.decode(Dump.self, parsing: help.utf8, limits: limits).command
        var lines = [".TH BROKER 1 \"\" \"broker \(version)\" \"User Commands\""]
        lines += [".SH NAME", "broker \\- \(Self.escape(root.abstract ?? ""))"]
        lines += [".SH SYNOPSIS", ".B broker", "\\fIcommand\\fR [\\fIoptions\\fR]"]
        lines += [".SH DESCRIPTION"] + Self.paragraphs(root.discussion)
        lines += [".SH COMMANDS"]
        for command in root.shown { lines += Self.section(command, parent: root.commandName) }
        lines += Self.closing
        text = lines.joined(separator: "\n")
    }

    private static func section(_ command: Command, parent: String) -> [String] {
        let name = "\(parent) \(command.commandName)"
        guard command.shown.isEmpty else {
            let own = [".SS \"\(escape(name))\"", escape(command.abstract ?? "")] + paragraphs(command.discussion)
            return own + command.shown.flatMap { section($0, parent: name) }
        }
        var lines = [".SS \"\(escape(name))\(command.synopsis)\"", escape(command.abstract ?? "")]
        lines += paragraphs(command.discussion)
        for argument in (command.arguments ?? []).filter(\.isShown) {
            lines += [".TP", argument.label, argument.explanation]
        }
        return lines
    }

    /// Paragraphs are filled; indented lines, such as examples, stay as they are.
    private static func paragraphs(_ text: String?) -> [String] {
        var lines: [String] = []
        var isVerbatim = false
        for line in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(" ") != isVerbatim {
                lines.append(isVerbatim ? ".fi" : ".nf")
                isVerbatim.toggle()
            }
            lines.append(line.isEmpty ? ".PP" : escape(String(line)))
        }
        return isVerbatim ? lines + [".fi"] : lines
    }

    /// Text with roff's special characters escaped: the backslash, the hyphen, and a control character at the start.
    fileprivate static func escape(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    private static let closing =
        [".SH ENVIRONMENT"]
        + ProgramVariable.all.flatMap { name, text in
            [
                ".TP", "\\fB\(name)\\fR",
                escape(text.prefix(1).uppercased() + text.dropFirst().replacing("`", with: "") + "."),
            ]
        } + [
            ".TP", "\\fBNO_COLOR\\fR, \\fBCLICOLOR_FORCE\\fR", "Never or always colour the output.",
            ".TP", "\\fBCOLUMNS\\fR", "The width of tables.",
            ".SH FILES",
            ".TP", "\\fIbroker.json\\fR", "The configuration of the broker in the working folder.",
            ".TP", "\\fI$XDG_CONFIG_HOME/broker/servers.json\\fR", "The logins of \\fBbroker login\\fR.",
            ".SH EXIT STATUS",
            ".TP", "0", "Done.", ".TP", "1", "Refused or failed.", ".TP", "64", "Wrong usage.",
            ".TP", "78", "Wrong configuration.",
        ]

    private struct Dump: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let shouldDisplay: Bool
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// The subcommands, without `help`, which every command has.
        var shown: [Command] { (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" } }

        /// The positional arguments.
        var synopsis: String {
            (arguments ?? []).filter { $0.kind == "positional" && $0.shouldDisplay }.map { argument in
                let name = ManualPage.escape("<\(argument.valueName ?? "value")>")
                return argument.isOptional ? " [\(name)]" : " \(name)"
            }.joined()
        }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let defaultValue: String?
        let isOptional: Bool
        let shouldDisplay: Bool

        /// Whether it is worth a line in each command: `--help` and `--version` are not.
        var isShown: Bool { shouldDisplay && !["help", "version"].contains(valueName) }

        var label: String {
            let value = ManualPage.escape(valueName ?? "value")
            let names = (names ?? []).map { ManualPage.escape(($0.kind == "long" ? "--" : "-") + $0.name) }
            guard !names.isEmpty else { return "\\fI\(value)\\fR" }
            let bold = names.map { "\\fB\($0)\\fR" }.joined(separator: ", ")
            return kind == "option" ? "\(bold) \\fI\(value)\\fR" : bold
        }

        var explanation: String {
            let standard = defaultValue.map { " (default: \($0))" } ?? ""
            return ManualPage.escape((abstract ?? "") + standard)
        }
    }
}
