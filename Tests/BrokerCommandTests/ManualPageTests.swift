import ArgumentParser
import Broker
import Foundation
import Testing

@testable import BrokerCommand

@Suite("The manual page and the completion scripts")
struct ManualPageTests {
    private static func page() throws -> String {
        try ManualPage(help: RootCommand._dumpHelp(), version: "1.2.3").text
    }

    /// Every command that does something and is shown, with the words that call it.
    private static func commands(of type: any ParsableCommand.Type, calledBy name: String) -> [String] {
        let subcommands = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        guard !subcommands.isEmpty else { return [name] }
        return subcommands.flatMap { commands(of: $0, calledBy: "\(name) \($0._commandName)") }
    }

    @Test func `the page has a section for every command, with its options`() throws {
        let page = try Self.page().replacing("\\-", with: "-")

        for command in Self.commands(of: RootCommand.self, calledBy: "broker") {
            #expect(page.contains(".SS \"\(command)"), "\(command)")
        }
        #expect(page.contains("\\fB--limit\\fR \\fIlimit\\fR\nThe maximum number of users, 1 to 1000 (default: 100)."))
        #expect(page.contains(".TH BROKER 1 \"\" \"broker 1.2.3\""))
    }

    @Test func `no text of the help is read as a request of roff`() throws {
        let requests: Set<Substring> = [".TH", ".SH", ".SS", ".B", ".TP", ".PP", ".nf", ".fi"]

        for line in try Self.page().split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(requests.contains(line.prefix { $0 != " " }), "\(line)")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
    func `groff formats the page without a warning`() throws {
        let page = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString).1")
        defer { try? FileManager.default.removeItem(at: page) }
        try Data(Self.page().utf8).write(to: page)

        let (status, errors) = try Self.run("/usr/bin/groff", ["-man", "-ww", "-z", "-Kutf8", page.path])

        #expect(status == 0 && errors.isEmpty, "\(errors)")
    }

    @Test(arguments: [
        ("/bin/bash", CompletionShell.bash), ("/usr/bin/zsh", .zsh), ("/usr/bin/fish", .fish),
    ])
    func `the shell accepts its completion script`(path: String, shell: CompletionShell) throws {
        let script = RootCommand.completionScript(for: shell)
        #expect(script.contains("broker") && script.contains("withdrawals"))
        guard FileManager.default.isExecutableFile(atPath: path) else { return }
        let file = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(script.utf8).write(to: file)

        let (status, errors) = try Self.run(path, ["-n", file.path])

        #expect(status == 0 && errors.isEmpty, "\(errors)")
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, errors: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let errors = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: errors, as: UTF8.self))
    }
}

@Suite("Colours")
struct TerminalColorTests {
    @Test(
        arguments: [
            ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
            (["TERM": "dumb"], true, false), (["CLICOLOR_FORCE": "1"], false, true),
            (["CLICOLOR_FORCE": "0"], false, false), (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false),
        ] as [([String: String], Bool, Bool)])
    func `the terminal and the environment decide`(environment: [String: String], isTerminal: Bool, isShown: Bool) {
        #expect(TerminalColor.isShown(environment, isTerminal: isTerminal) == isShown)
    }

    @Test(
        arguments: [
            ("valid", TerminalColor.green), ("enabled, probes paused", .green), ("revoked (signed out)", .red),
            ("parked", .yellow), ("off", nil), ("", nil),
        ] as [(String, TerminalColor?)])
    func `a state has the colour of its first word`(state: String, color: TerminalColor?) {
        #expect(TerminalColor(state: state) == color)
    }
}
