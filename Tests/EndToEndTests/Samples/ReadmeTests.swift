import Foundation
import Subprocess
import Testing

/// The lines of the README, pasted into a shell.
@Suite("The README's sixty seconds", .timeLimit(.minutes(20)))
struct ReadmeTests {
    @Test func `its lines sign in, refresh, look up and sign out`() async throws {
        try await FreePort.run { port in
            let lines = try DocumentedCode.section("Sixty seconds with curl", "sh", in: "README.md")
            let result = try await Self.paste(
                lines.replacing("--port 9099", with: "--port \(port)") + "\nkill $!",
                demo: #"exec "$BROKER" demo "$@""#)

            if result.output.contains("LISTEN") || result.errors.contains("LISTEN") { throw FreePort.Taken() }
            #expect(result.output.contains(#""email":"ada@example.com""#), "\(result)")
            #expect(result.output.contains(#""refresh_token":"#) && result.output.contains(#""users":["#), "\(result)")
            #expect(!result.output.contains(#""error""#), "\(result)")
        }
    }

    @Test func `waiting for the demo ends when its build fails`() async throws {
        let lines = try DocumentedCode.section("Sixty seconds with curl", "sh", in: "README.md")
        let waiting = lines.split(separator: "\n").prefix { !$0.hasPrefix("field()") }.joined(separator: "\n")

        let result = try await Self.paste(waiting + "\necho ended", demo: "echo 'error: no such module' >&2; exit 1")

        #expect(result.output == "ended\n" && result.errors.contains("No such process"), "\(result)")
        #expect(result.errors.contains("error: no such module"), "\(result)")
    }

    /// Runs lines in a shell, in a folder whose `scripts/demo` is `demo`.
    private static func paste(_ lines: String, demo: String) async throws -> CommandResult {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.file("scripts"), withIntermediateDirectories: true)
        try folder.write("#!/bin/sh\n\(demo)\n", to: "scripts/demo", permissions: 0o700)
        var options = PlatformOptions()
        options.createSession = true
        let result = try await Subprocess.run(
            .name("bash"), arguments: ["-c", "cd '\(folder.path)'\n" + lines],
            environment: .inherit.updating(["BROKER": try BrokerExecutable.path(), "TMPDIR": folder.path]),
            platformOptions: options, output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        return CommandResult(
            exitCode: result.terminationStatus.exitCode, output: result.standardOutput, errors: result.standardError)
    }
}
