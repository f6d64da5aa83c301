import BenchmarkLoad
import Foundation

/// One or more `broker serve` on one store that they have to themselves, with people who have signed in.
final class Brokers {
    let files: BrokerFiles
    /// What the first broker took to its first answer, with its keys in the store already.
    let startTime: Duration
    private(set) var processes: [ServerProcess] = []

    /// Starts them; their files are in `files`. `command` is the program, with what comes before its other
    /// arguments, and `environment` is added to this program's.
    init(
        _ files: BrokerFiles, command: [String], count: Int, environment: [String: String] = [:]
    ) async throws {
        self.files = files
        // The first start makes the schema and the keys; it is the second that says how long a restart takes.
        try Self.start(command, files, number: 0, environment).stop()
        let start = ContinuousClock.now
        let first = try Self.start(command, files, number: 0, environment)
        processes = [first]
        do {
            _ = try await SingleRequest.get("/readyz", port: first.port)
            startTime = ContinuousClock.now - start
            for number in 1..<max(count, 1) {
                processes.append(try Self.start(command, files, number: number, environment))
            }
        } catch {
            first.stop()
            throw error
        }
    }

    /// The first broker's memory once the work that follows a start is over, if it is asked for nothing else meanwhile.
    func idleMemory() async throws -> ProcessMemory {
        try await Task.sleep(for: Self.settling)
        return try ProcessMemory(of: processes[0].identifier)
    }

    /// The broker gives the pages of its start back after ten seconds.
    private static let settling = Duration.seconds(12)

    func stop() {
        for process in processes { process.stop() }
    }

    var ports: [Int] { processes.map(\.port) }
    var identifiers: [Int32] { processes.map(\.identifier) }

    /// How many transactions were ever committed to the SQLite file.
    ///
    /// The index of the write-ahead log counts them in its second field (SQLite's "WAL-mode File Format", 2.1), so this
    /// costs the broker nothing.
    func commits() -> UInt32? {
        guard let file = FileHandle(forReadingAtPath: files.databaseFile + "-shm"),
            let header = try? file.read(upToCount: 12), header.count == 12
        else { return nil }
        return header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self) }
    }

    private static func start(
        _ command: [String], _ files: BrokerFiles, number: Int, _ environment: [String: String]
    ) throws -> ServerProcess {
        try ServerProcess(
            command[0],
            command.dropFirst() + ["serve", "--json", "--config", files.configuration, "--listen", "127.0.0.1:0"],
            environment: environment, log: files.folder + "/serve-\(number).log"
        ) { line in
            (ServerProcess.member("broker", of: line) as? String)?.split(separator: ":").last.flatMap { Int($0) }
        }
    }
}
