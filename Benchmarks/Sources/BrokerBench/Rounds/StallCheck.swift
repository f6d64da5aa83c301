import BenchmarkLoad
import Foundation
import NIOCore
import NIOHTTP1

/// Looks for moments in which a broker under half its load answers late and the bare route does not, while an operator
/// rotates keys and changes providers, and the broker cleans up and copies its write-ahead log.
final class StallCheck {
    static let limit = Duration.milliseconds(20)
    /// How late the bare route has to be for a stall to be the machine's.
    private static let machineLimit = Duration.milliseconds(10)
    private static let connections = 32
    private static let bareRate = 200.0

    private let settings: Settings
    private let issuer: Issuer
    private let folder: RunFolder
    private let bare: ServerProcess
    private let brokers: Brokers

    /// A moment in which an operator did something.
    struct Intervention: Sendable {
        let moment: NIODeadline
        let name: String
    }

    /// What came of a run.
    struct Outcome: Sendable {
        /// The load of each operation, and what its answers took.
        let operations: [(operation: CaseName.Operation, perSecond: Double, result: LoadResult)]
        let bare: LoadResult
        let interventions: [Intervention]
        let start: NIODeadline

        /// Those that are too long even without the time in which the bare route stalled.
        func stalls(_ result: LoadResult) -> [Stall] {
            Stall.merge(result.stalls, without: bare.stalls, over: StallCheck.limit)
        }
    }

    /// Starts the servers, with the broker's store on a disk.
    init(_ settings: Settings) async throws {
        self.settings = settings
        issuer = try await Issuer(people: settings.sessions)
        folder = try RunFolder(in: settings.diskFolder)
        bare = try ServerProcess(
            settings.bareServer, ["--executor", settings.executor.rawValue], log: folder.path + "/bare.log"
        ) { line in ServerProcess.member("port", of: line) as? Int }
        let files = try BrokerFiles(
            of: settings.broker, in: folder.folder("broker"), signing: .es256, database: .sqlite, issuer: issuer.url)
        brokers = try await Brokers(files, command: [settings.broker], count: 1)
    }

    func run(for seconds: Int) async throws -> Outcome {
        let cases = try await BrokerCases(brokers, issuer: issuer, idTokens: issuer.idTokens)
        let (lookups, refreshes) = (cases.lookup, cases.refresh)
        let (broker, bare) = (brokers.ports[0], bare.port)
        // Each takes a quarter of what the broker could do if it did nothing else.
        let lookupRate = try await saturation(lookups) / 4
        let refreshRate = try await saturation(refreshes) / 4
        // Some of the refreshes that a session may make in a minute are used up by then.
        let needed = Int((refreshRate * 60 / 7).rounded(.up))
        guard settings.sessions >= needed else {
            throw BenchmarkFailure("\(Int(refreshRate)) refreshes a second need --sessions \(needed) or more")
        }
        let start = NIODeadline.now()
        async let lookup = Self.load(lookups, at: broker, lookupRate, seconds, noticing: Self.limit)
        async let refresh = Self.load(refreshes, at: broker, refreshRate, seconds, noticing: Self.limit)
        async let hello = Self.load(
            RepeatedRequest(.benchmark(.GET, "/hello"), expecting: "ok"), at: bare, Self.bareRate, seconds,
            noticing: Self.machineLimit)
        let interventions = try await intervene(until: start + .seconds(Int64(seconds)))
        return try await Outcome(
            operations: [(.lookup, lookupRate, lookup), (.refreshES256, refreshRate, refresh)], bare: hello,
            interventions: interventions, start: start)
    }

    func close() async {
        bare.stop()
        brokers.stop()
        folder.remove()
        await issuer.stop()
    }

    private func saturation(_ conversation: some Conversation) async throws -> Double {
        try await Load(ports: brokers.ports, connections: 64).measure(
            conversation, at: .asFastAsAnswered(for: .seconds(3)), on: ProcessorClock(of: brokers.identifiers)
        ).perSecond
    }

    private static func load(
        _ conversation: some Conversation, at port: Int, _ rate: Double, _ seconds: Int, noticing slowness: Duration
    ) async throws -> LoadResult {
        try await Load(ports: [port], connections: connections, noticing: slowness)
            .run(conversation, at: .perSecond(rate, for: .seconds(seconds)))
    }

    /// Does something every twenty seconds: rotates the keys once an hour, since a new key signs an hour after it was
    /// published, and changes `plugins.json` otherwise.
    private func intervene(until end: NIODeadline) async throws -> [Intervention] {
        var interventions: [Intervention] = []
        while NIODeadline.now() + .seconds(20) < end {
            try await Task.sleep(for: .seconds(20))
            let number = interventions.count
            let rotates = number % 180 == 1
            interventions.append(
                Intervention(moment: .now(), name: rotates ? "keys rotated" : "plugins.json changed"))
            if !rotates {
                try brokers.files.rename(to: "Benchmark \(number)")
            } else {
                try await Program.runBeside(
                    settings.broker, ["keys", "rotate", "--config", brokers.files.configuration])
            }
        }
        return interventions
    }
}
