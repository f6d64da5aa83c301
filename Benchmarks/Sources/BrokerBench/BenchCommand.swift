import ArgumentParser
import BenchmarkLoad
import Foundation

@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "BrokerBench",
        abstract: "Measures a broker over real sockets beside what of it cannot be saved, in one interleaved run.",
        discussion: """
            Starts its own brokers, on stores of their own, and a bare server as the yardstick; never touches others. \
            Only --check can fail. How to read the figures: Docs/Benchmarks.md.

            Examples:
              BrokerBench --broker .build/release/broker
              BrokerBench --broker .build/release/broker --baseline ./broker-of-last-week --regime cpu
              BrokerBench --broker .build/release/broker --rounds 9 --sessions 200000 --json figures.json
              BrokerBench --broker .build/release/broker --regime cpu --database postgresql --brokers 2
            """)

    @Option(help: "The broker to measure, built with optimization.")
    var broker: String

    @Option(help: "Another build of the broker, to be measured in the same rounds and compared with.")
    var baseline: String?

    @Option(help: "The executor of the bare route that ratios are taken with: pool or event-loops. Both are measured.")
    var executor = Settings.Executor.eventLoops

    @Option(help: "How often every case is measured.")
    var rounds = 5

    @Option(help: "How long a case works in each round, after a sixth of it to warm up.")
    var seconds = 3.0

    @Option(
        help: "How many people sign in before anything is measured; a session may refresh ten times a minute.")
    var sessions = 20_000

    @Option(help: "cpu, durability or latency; may be given several times. All when absent.")
    var regime: [CaseName.Regime] = []

    @Option(help: "Measures only operations whose name in the table contains this text, such as 'sign-in, RS256'.")
    var only: String?

    @Option(help: "sqlite or postgresql; the latter in a cluster of its own.")
    var database = Settings.DatabaseKind.sqlite

    @Option(
        name: .customLong("postgresql-cluster"),
        help: "What starts that cluster: Tests/PostgreSQLTesting/postgresql-cluster of the broker's sources.")
    var postgreSQLCluster: String?

    @Option(help: "The folder of scripts that run other servers, Benchmarks/Peers, to measure them as well.")
    var peers: String?

    @Option(help: "How many brokers share a store; from two on they are compared with one.")
    var brokers = 1

    @Option(help: "A folder in memory, for the stores of the regime cpu.")
    var memoryFolder = "/dev/shm"

    @Option(help: "A folder on a disk, for the stores of the other regimes.")
    var diskFolder = FileManager.default.temporaryDirectory.path

    @Option(help: "Instead of rounds, looks for stalls at half load for so long, while keys and providers change.")
    var stallSeconds: Int?

    @Option(
        help: "Instead of rounds, measures stores of so many users: numbers with commas, such as 10000,1000000.",
        transform: Self.sizes)
    var scale: [Int] = []

    @Option(
        help: "Instead of rounds, searches stores of so many users; with --database. Numbers as with --scale.",
        transform: Self.sizes)
    var search: [Int] = []

    @Option(
        help: """
            Instead of rounds, counts allocations or instructions for an answer; with --check or --record of such counts.
            """)
    var count: AnswerCounts.Unit?

    @Option(help: "Writes everything to this file as well.")
    var json: String?

    @Option(help: "Fails when ratios are worse than those in this file, by more than noise.")
    var check: String?

    @Option(help: "Writes the ratios of this run to a file, for --check.")
    var record: String?

    @Option(help: "What was measured, such as a commit, for the report.")
    var label = ""

    @Flag(help: "One short round with few people, to see that everything works; its figures say nothing.")
    var quick = false

    func validate() throws {
        guard (1...1000).contains(rounds) else { throw ValidationError("--rounds must be 1 to 1000.") }
        guard seconds >= 0.1, seconds <= 600 else { throw ValidationError("--seconds must be 0.1 to 600.") }
        guard (200...1_000_000).contains(sessions) else { throw ValidationError("--sessions must be 200 to 1000000.") }
        guard database == .sqlite || postgreSQLCluster != nil else {
            throw ValidationError("--database postgresql needs --postgresql-cluster.")
        }
        guard (1...16).contains(brokers) else { throw ValidationError("--brokers must be 1 to 16.") }
    }

    func run() async throws {
        let settings = try settings()
        if let stallSeconds { return try await Self.lookForStalls(settings, seconds: stallSeconds) }
        if !scale.isEmpty {
            print(ScaleReport(points: try await ScaleCurve(settings: settings).points(scale)).text)
            return
        }
        for size in search { print(SearchReport(try await SearchCurve(settings: settings).point(size)).text) }
        if !search.isEmpty { return }
        if let count { return try await countAnswers(in: count, settings) }
        let work = Task { try await Self.measure(settings) }
        let signals = Interruption { work.cancel() }
        defer { signals.stop() }
        let report = BenchReport(try await work.value, settings: settings, label: label)
        print(TableReport(report).text)
        if let json { try report.json().write(to: URL(filePath: json)) }
        if let record { try RecordedRatios(report).write(to: record) }
        if let check { try self.check(report, against: RecordedRatios(contentsOf: check)) }
    }

    private func countAnswers(in unit: AnswerCounts.Unit, _ settings: Settings) async throws {
        let counts = try await AnswerCounts(settings: settings, unit: unit).run()
        print("\(unit.rawValue.capitalized) for an answer")
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print(String(format: "  %@: %.1f", name, count)) }
        if let record { try RecordedCounts(counts, of: unit).write(to: record) }
        guard let check else { return }
        let growth = try RecordedCounts(contentsOf: check, of: unit).growth(in: counts)
        print("\nChecked against \(check): \(growth.isEmpty ? "none is more" : "more are")")
        for line in growth { print("  \(line)") }
        if !growth.isEmpty { throw ExitCode.failure }
    }

    private func check(_ report: BenchReport, against recorded: RecordedRatios) throws {
        let regressions = try recorded.regressions(in: report)
        print("\nChecked against ratios of \(recorded.machine): \(regressions.isEmpty ? "none is worse" : "worse are")")
        for regression in regressions { print("  \(regression)") }
        if !regressions.isEmpty { throw ExitCode.failure }
    }

    private func settings() throws -> Settings {
        let settings = Settings(
            broker: URL(filePath: broker).path, baseline: baseline.map { URL(filePath: $0).path },
            bareServer: try Self.neighbour("BareServer"), nioServer: try Self.neighbour("NIOServer"),
            epollServer: try Self.neighbour("EpollServer"),
            allocationCounter: try Self.neighbour("libAllocationCounter.so"),
            mainThreadKeeper: try Self.neighbour("libMainThreadKeeper.so"), executor: executor,
            rounds: quick ? 1 : rounds, seconds: quick ? 0.25 : seconds, sessions: quick ? 3000 : sessions,
            regimes: Set(regime.isEmpty ? CaseName.Regime.allCases : regime), only: only, database: database,
            postgreSQLCluster: postgreSQLCluster, peers: peers.map { URL(filePath: $0).path }, brokers: brokers,
            memoryFolder: memoryFolder, diskFolder: diskFolder)
        if settings.regimes.contains(.cpu), try RunFolder.fileSystem(of: memoryFolder) != "tmpfs" {
            throw ValidationError("--memory-folder \(memoryFolder) is on a disk: that would be another regime.")
        }
        if settings.usesDisk, try RunFolder.fileSystem(of: diskFolder) == "tmpfs" {
            throw ValidationError("--disk-folder \(diskFolder) is in memory: that would be another regime.")
        }
        return settings
    }

    private static func measure(_ settings: Settings) async throws -> [Round] {
        let runner = try await RoundRunner(settings)
        do {
            var rounds: [Round] = []
            for number in 1...settings.rounds {
                let round = try await runner.run(number)
                rounds.append(round)
                let note = "round \(number) of \(settings.rounds), load average \(round.conditions.loadAfter)\n"
                FileHandle.standardError.write(Data(note.utf8))
            }
            await runner.close()
            return rounds
        } catch {
            await runner.close()
            throw error
        }
    }

    private static func sizes(_ text: String) throws -> [Int] {
        let numbers = text.split(separator: ",").map { Int($0) }
        guard !numbers.isEmpty, numbers.allSatisfy({ (200...20_000_000).contains($0 ?? 0) }) else {
            throw ValidationError("takes numbers from 200 to 20000000.")
        }
        return numbers.compactMap(\.self)
    }

    private static func lookForStalls(_ settings: Settings, seconds: Int) async throws {
        let check = try await StallCheck(settings)
        do {
            print(StallReport(outcome: try await check.run(for: seconds)).text)
            await check.close()
        } catch {
            await check.close()
            throw error
        }
    }

    private static func neighbour(_ name: String) throws -> String {
        guard let own = Bundle.main.executableURL else {
            throw BenchmarkFailure("this program does not know where it is")
        }
        return own.deletingLastPathComponent().appending(path: name).path
    }
}

extension AnswerCounts.Unit: ExpressibleByArgument {}
extension CaseName.Regime: ExpressibleByArgument {}
extension Settings.DatabaseKind: ExpressibleByArgument {}
extension Settings.Executor: ExpressibleByArgument {}
