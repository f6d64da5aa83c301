import ArgumentParser
import Broker
import Foundation
import Logging

@main
struct BenchmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "MicroBenchmarks",
        abstract: "Measures what the broker does inside beside what of it cannot be saved, in one interleaved run.",
        discussion: """
            What the broker does as a program, over sockets, is measured by BrokerBench. Processor time is the figure to reason with: on a busy machine elapsed time says little. Nothing here \
            passes or fails.

            Examples:
              MicroBenchmarks
              MicroBenchmarks --rounds 9 --seconds 3 --json figures.json
              MicroBenchmarks --only ES256 --only JSON
            """)

    @Option(help: "How often every case is measured.")
    var rounds = 5

    @Option(help: "How long a case works in each round.")
    var seconds = 1.0

    @Option(help: "Only the cases with this in their name or their group's; may be given several times.")
    var only: [String] = []

    @Option(help: "Writes the figures to this file as well.")
    var json: String?

    @Option(help: "Where the databases of the store cases go; the disk decides what a commit costs.")
    var directory = FileManager.default.temporaryDirectory.path

    @Option(help: "How many sessions each store holds, at least 100.")
    var sessions = 10_000

    func validate() throws {
        guard (1...1000).contains(rounds) else { throw ValidationError("--rounds must be 1 to 1000.") }
        guard seconds >= 0.01, seconds <= 600 else { throw ValidationError("--seconds must be 0.01 to 600.") }
        guard (100...1_000_000).contains(sessions) else { throw ValidationError("--sessions must be 100 to 1000000.") }
    }

    func run() async throws {
        LoggingSystem.bootstrap { label in
            JSONLogHandler(label: label, level: .warning) { line, _ in
                FileHandle.standardError.write(Data("\(line)\n".utf8))
            }
        }
        let folder = try BenchmarkFolder(in: directory)
        defer { folder.remove() }
        let workbench = try await Workbench(folder, sessions: sessions, selection: Selection(only))
        guard !workbench.cases.isEmpty else { throw ValidationError("--only leaves no case.") }
        let report = try await measure(workbench.cases)
        await workbench.close()
        print(TableReport(report: report).text)
        if let json { try report.json().write(to: URL(filePath: json)) }
    }

    private func measure(_ cases: [BenchmarkCase]) async throws -> BenchmarkReport {
        let done = try await Rounds(count: rounds, duration: .seconds(seconds)).run(cases) { number, round in
            let note = "round \(number) of \(rounds), load average \(round.loadBefore) → \(round.loadAfter)\n"
            FileHandle.standardError.write(Data(note.utf8))
        }
        return BenchmarkReport(cases, done, seconds: seconds)
    }
}
