import BenchmarkLoad
import Foundation
import NIOHTTP1

/// Counts what a broker does for an answer, which hardly depends on the machine: one client, one request after the other,
/// with a counter beside the broker.
struct AnswerCounts {
    /// What is counted.
    enum Unit: String, CaseIterable {
        /// Calls of `malloc` and its like.
        case allocations
        /// Instructions of the processor outside of the kernel, as Callgrind sees them.
        case instructions

        /// The part of a count by which two runs may differ. Threads that wait for each other spin.
        var noise: Double { self == .instructions ? 0.1 : GrowthRule.noise }
    }

    let settings: Settings
    let unit: Unit

    /// For how long each operation is repeated. What the broker does every two seconds without being asked is subtracted:
    /// under Callgrind there are few answers in that time.
    private static let seconds = 4.0

    /// By operation, for each answer.
    func run() async throws -> [String: Double] {
        let issuer = try await Issuer(people: settings.sessions)
        let folder = try RunFolder(in: settings.memoryFolder)
        defer { folder.remove() }
        do {
            var counts = try await count(.es256, issuer, folder) { cases in
                try await [
                    (.keySet, cases.keySet), (.lookupKnown, cases.knownLookup(for: Self.seconds)),
                    (.lookupUnseen, cases.unseenLookup(for: Self.seconds)), (.refreshES256, cases.refresh),
                    (.signIn, cases.signIn(for: Self.seconds)),
                ]
            }
            counts.merge(try await count(.rs256, issuer, folder) { [(.refreshRS256, $0.refresh)] }) { $1 }
            await issuer.stop()
            return counts
        } catch {
            await issuer.stop()
            throw error
        }
    }

    private func count(
        _ signing: BrokerFiles.Signing, _ issuer: Issuer, _ folder: RunFolder,
        _ conversations: (BrokerCases) async throws -> [(CaseName.Operation, any Conversation)]
    ) async throws -> [String: Double] {
        let files = try BrokerFiles(
            of: settings.broker, in: folder.folder(signing.rawValue), signing: signing, database: .sqlite,
            issuer: issuer.url)
        let counter = counter(in: files.folder)
        let brokers = try await Brokers(
            files, command: try counter.command(running: settings.broker), count: 1, environment: counter.environment)
        defer { brokers.stop() }
        let cases = try await BrokerCases(brokers, issuer: issuer, idTokens: issuer.idTokens)
        let idle = try await perIdleSecond(of: brokers, counter)
        var counts: [String: Double] = [:]
        for (operation, conversation) in try await conversations(cases) {
            counts[operation.rawValue] = try await perAnswer(conversation, at: brokers, counter, idle: idle)
        }
        return counts
    }

    private func perIdleSecond(of brokers: Brokers, _ counter: any Counter) async throws -> Double {
        let process = brokers.identifiers[0]
        let (before, start) = (try counter.read(process), ContinuousClock.now)
        try await Task.sleep(for: .seconds(Self.seconds))
        return (try counter.read(process) - before) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private func counter(in folder: String) -> any Counter {
        switch unit {
        case .allocations: AllocationCounter(library: settings.allocationCounter, folder: folder)
        case .instructions: InstructionCounter(library: settings.mainThreadKeeper, folder: folder)
        }
    }

    private func perAnswer(
        _ conversation: any Conversation, at brokers: Brokers, _ counter: any Counter, idle: Double
    ) async throws -> Double {
        var (count, start) = (0.0, ContinuousClock.now)
        let process = brokers.identifiers[0]
        let result = try await Load(ports: brokers.ports, connections: 1).run(
            conversation, at: .asFastAsAnswered(for: .seconds(Self.seconds)),
            began: { (count, start) = (-(try counter.read(process)), .now) },
            ended: {
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                count += try counter.read(process) - idle * seconds
            })
        guard result.failureCount == 0, result.answers > 0 else {
            throw BenchmarkFailure(result.firstFailure ?? "no answer")
        }
        return count / Double(result.answers)
    }
}

/// Counts what a process does.
protocol Counter {
    /// What is added to the environment of the process.
    var environment: [String: String] { get }

    /// What runs a program so that it is counted: a program with its first arguments.
    func command(running executable: String) throws -> [String]

    /// What the process has done so far.
    func read(_ process: Int32) throws -> Double
}

/// Counts in the process, by a library that is preloaded into it.
struct AllocationCounter: Counter {
    private let library: String
    private let file: String

    init(library: String, folder: String) {
        (self.library, file) = (library, folder + "/allocations")
    }

    var environment: [String: String] { ["LD_PRELOAD": library, "ALLOCATION_COUNTER_FILE": file] }

    func command(running executable: String) -> [String] { [executable] }

    func read(_: Int32) throws -> Double {
        let bytes = try Data(contentsOf: URL(filePath: file))
        guard bytes.count == 8 else { throw BenchmarkFailure("the broker counts no allocations") }
        return Double(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    }
}

/// Counts by running the process on Valgrind's processor. It lacks some extensions of real ones, such as those for SHA-256:
/// what they speed up counts for more than it costs.
struct InstructionCounter: Counter {
    private let library: String
    private let folder: String

    init(library: String, folder: String) {
        (self.library, self.folder) = (library, folder)
    }

    var environment: [String: String] { ["LD_PRELOAD": library] }

    func command(running executable: String) throws -> [String] {
        // Valgrind ends over what Swift's compiler writes for debuggers.
        let stripped = folder + "/broker"
        try Program.run("/usr/bin/objcopy", ["--strip-debug", executable, stripped])
        return [
            "/usr/bin/valgrind", "--tool=callgrind", "--quiet", "--callgrind-out-file=\(dump).%p",
            "--vgdb-prefix=\(folder)/vgdb", stripped,
        ]
    }

    private var dump: String { folder + "/callgrind" }

    func read(_ process: Int32) throws -> Double {
        // Every dump counts from the one before.
        try Program.run("/usr/bin/callgrind_control", ["--vgdb-prefix=\(folder)/vgdb", "--dump", "\(process)"])
        var total = 0.0
        for number in 1... {
            let path = "\(dump).\(process).\(number)"
            guard let text = FileManager.default.contents(atPath: path) else { break }
            total += try Self.total(of: text)
        }
        return total
    }

    private static func total(of dump: Data) throws -> Double {
        for line in String(decoding: dump.suffix(200), as: UTF8.self).split(separator: "\n")
        where line.hasPrefix("totals:") {
            if let count = Double(line.dropFirst("totals:".count).trimmingCharacters(in: .whitespaces)) { return count }
        }
        throw BenchmarkFailure("Callgrind says no total")
    }
}
