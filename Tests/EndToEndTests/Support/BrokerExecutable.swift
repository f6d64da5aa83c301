import Foundation
import Subprocess

/// The `broker` of this build.
enum BrokerExecutable {
    struct Missing: Error, CustomStringConvertible {
        let folders: [String]
        var description: String { "no broker executable in \(folders): build the tests with swift build --build-tests" }
    }

    /// What to run for `broker` with these arguments in a folder of its own: the shell goes there and becomes it, by way
    /// of the program that `through` names, if any. Standard input is `input`, a file that is removed once it is open.
    static func configuration(
        _ arguments: [String], input: String? = nil, environment: [String: String], through: [String] = [],
        in folder: TestFolder
    ) throws -> Configuration {
        var options = PlatformOptions()
        // A session of its own: no terminal to ask at, no signals meant for the test run.
        options.createSession = true
        let redirection = input == nil ? "" : #"exec <"$1" && rm "$1" && shift && "#
        let words = [folder.path] + (input.map { [$0] } ?? []) + through + [try path()] + arguments
        return Configuration(
            executable: .name("sh"), arguments: Arguments(["-c", #"cd "$0" && \#(redirection)exec "$@""#] + words),
            environment: clean(with: environment), platformOptions: options)
    }

    /// The same at a terminal of its own, whose keyboard is a named pipe that exists beforehand.
    static func configuration(
        atTerminal arguments: [String], keyboard: String, in folder: TestFolder
    ) throws -> Configuration {
        let quoted = ([try path()] + arguments).map { "'\($0)'" }.joined(separator: " ")
        // Open for both directions, so that the keyboard stays connected between two keys.
        return Configuration(
            executable: .name("sh"),
            arguments: Arguments([
                "-c", #"cd "$0" && exec 3<>"$1" && exec script -qec "$2" /dev/null <&3"#, folder.path, keyboard, quoted,
            ]), environment: clean(with: ["TERM": "xterm"]))
    }

    /// Found beside the test bundle, where the package manager puts both.
    static func path() throws -> String {
        let folders = ([CommandLine.arguments.first] + [Bundle.main.executablePath, Bundle.main.bundlePath])
            .compactMap(\.self).map { URL(filePath: $0).deletingLastPathComponent().path }
        guard
            let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/broker") })
        else { throw Missing(folders: folders) }
        return "\(folder)/broker"
    }

    /// The test run's environment without what would configure a broker or show it a user's desktop, and with `changes`.
    private static func clean(with changes: [String: String]) -> Environment {
        var updates: [Environment.Key: String?] = [:]
        let others = ["DISPLAY", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "WAYLAND_DISPLAY"]
        for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("BROKER_") || others.contains(name) {
            updates[Environment.Key(stringLiteral: name)] = String?.none
        }
        for (name, value) in changes { updates[Environment.Key(stringLiteral: name)] = value }
        return .inherit.updating(updates)
    }
}

/// What a command that ended has left behind.
struct CommandResult: Sendable, CustomStringConvertible {
    /// `nil` when a signal ended it.
    let exitCode: Int32?
    let output: String
    let errors: String

    var everything: String { output + "\n" + errors }
    var description: String { "exit code \(exitCode.map(String.init) ?? "none")\nstdout: \(output)\nstderr: \(errors)" }

    /// Runs `broker` to its end.
    static func broker(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], through: [String] = [],
        in folder: TestFolder
    ) async throws -> CommandResult {
        // A pipe would end the test run where a command refuses before it reads: swift-subprocess does not close it then.
        let source = try TestFolder()
        try source.write(input, to: "input")
        let result = try await Subprocess.run(
            try BrokerExecutable.configuration(
                arguments, input: source.file("input"), environment: environment, through: through, in: folder),
            input: .none, output: .string(limit: 1 << 22), error: .string(limit: 1 << 22))
        return CommandResult(
            exitCode: result.terminationStatus.exitCode, output: result.standardOutput, errors: result.standardError)
    }
}

extension TerminationStatus {
    var exitCode: Int32? { if case .exited(let code) = self { code } else { nil } }
}
