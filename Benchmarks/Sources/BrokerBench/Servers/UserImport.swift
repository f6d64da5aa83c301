import BenchmarkLoad
import Foundation

/// The import of made-up users by `broker users import`.
enum UserImport {
    /// Imports `count` users.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - files: The files of the broker.
    ///   - broker: The program.
    ///   - record: The JSON object of the user with a number, from 0.
    /// - Returns: The seconds that it took.
    /// - Throws: ``BenchmarkFailure`` when the broker refuses them.
    static func run(
        _ count: Int, into files: BrokerFiles, by broker: String, _ record: (Int) -> String
    ) throws -> Double {
        let path = files.folder + "/users.jsonl"
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw BenchmarkFailure("\(path) cannot be written")
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        for start in stride(from: 0, to: count, by: 10_000) {
            let lines = (start..<min(start + 10_000, count)).map { record($0) + "\n" }
            try file.write(contentsOf: Data(lines.joined().utf8))
        }
        try file.close()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let start = ContinuousClock.now
        try Program.run(broker, ["users", "import", path, "--format", "jsonl", "--config", files.configuration])
        return (ContinuousClock.now - start).inSeconds
    }

    /// The local id of the user with a number.
    static func localID(_ number: Int) -> String {
        String(repeating: "0", count: 28 - String(number).count) + String(number)
    }
}
