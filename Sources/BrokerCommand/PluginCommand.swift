import ArgumentParser
import Broker
import Foundation
import ProviderKit

struct PluginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "Work on a provider plugin of one's own.", subcommands: [Test.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test", abstract: "Grade the plugins of a package with the conformance suite.",
            discussion: """
                Runs the tests named grade of a Swift package, which print ConformanceSuite.grade(), and shows each \
                plugin's grade, the objection of each check that it fails with the shortest fix, and the reasons why \
                checks do not apply. It needs the Swift toolchain, and no broker. The exit code is 1 unless every plugin \
                passes every check that applies to it.

                Examples:
                  broker plugin test --package Examples/CustomBroker
                  broker plugin test --package . --json
                """.paragraphs)

        @Option(name: .long, help: "The folder of the package.")
        var package: String

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                guard FileManager.default.fileExists(atPath: package + "/Package.swift") else {
                    throw CommandFailure(code: "NOT_A_PACKAGE", "\(package) has no Package.swift: name its folder")
                }
                let (text, hasRun) = try Self.test(package: package)
                let report = PluginGradeReport(text)
                guard !report.plugins.isEmpty else {
                    throw CommandFailure(
                        code: "NO_GRADE",
                        hasRun
                            ? "the package prints no grade: add a test named grade that prints suite.grade()"
                            : "the package's tests did not run: mend what swift test has printed")
                }
                output(report.document, text: TerminalText(escapingLines: report.lines.joined(separator: "\n")))
                guard report.isFull else { throw ExitCode.failure }
            }
        }

        /// The output of the package's tests, and whether they ran to their end; the compiler's stands on standard error.
        private static func test(package: String) throws -> (text: String, hasRun: Bool) {
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["swift", "test", "--package-path", package, "--filter", "[gG]rade"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            do {
                try process.run()
            } catch {
                throw CommandFailure(code: "NO_TOOLCHAIN", "swift cannot be run: install the Swift toolchain")
            }
            let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (String(decoding: text, as: UTF8.self), process.terminationStatus == 0)
        }
    }
}

/// The grades in the output of a package's tests, as `ConformanceSuite.grade()` prints them.
struct PluginGradeReport {
    /// The grade of one plugin.
    struct Plugin {
        let kind: String
        let passed: Int
        let applicable: Int
    }

    /// The lines of the grades, and of the checks below them.
    let lines: [String]
    let plugins: [Plugin]

    init(_ output: String) {
        let words = ["GRADE ", "FAILED ", "  FIX ", "NOT-APPLICABLE "]
        lines = output.split(whereSeparator: \.isNewline).map(String.init)
            .filter { line in words.contains { line.hasPrefix($0) } }
        plugins = lines.compactMap { line in
            guard let match = line.wholeMatch(of: /GRADE (\S+) (\d{1,6})\/(\d{1,6})/), let passed = Int(match.2),
                let applicable = Int(match.3)
            else { return nil }
            return Plugin(kind: String(match.1), passed: passed, applicable: applicable)
        }
    }

    /// Whether every plugin passed every check.
    var isFull: Bool { plugins.allSatisfy { $0.passed == $0.applicable } }

    var document: JSONValue {
        let plugins: [JSONValue] = plugins.map {
            ["kind": .string($0.kind), "passed": .integer($0.passed), "applicable": .integer($0.applicable)]
        }
        let others = lines.filter { !$0.hasPrefix("GRADE ") }.map { JSONValue.string($0) }
        return ["plugins": .array(plugins), "remarks": .array(others)]
    }
}
