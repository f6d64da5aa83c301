import BenchmarkLoad
import Foundation

/// A server in a process of its own.
final class ServerProcess {
    private let process = Process()
    private let input = Pipe()
    private let log: String

    var identifier: Int32 { process.processIdentifier }

    /// Starts it and waits until it says on its standard output, in one line, where it listens.
    ///
    /// - Parameters:
    ///   - executable: the program.
    ///   - arguments: what it gets.
    ///   - environment: what is added to this program's.
    ///   - log: the file its standard error goes to.
    ///   - announcement: finds the port in that line.
    /// - Throws: ``BenchmarkFailure`` with what it said instead.
    init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], log: String,
        announcement: (_ line: Data) -> Int?
    ) throws {
        self.log = log
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw BenchmarkFailure("\(log) cannot be written")
        }
        let output = Pipe()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
        try process.run()
        guard let line = Self.firstLine(output.fileHandleForReading), let port = announcement(line) else {
            let errors = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            stop()
            throw BenchmarkFailure("\(executable) did not start: \(errors.suffix(1000))")
        }
        self.port = port
    }

    /// Where it listens, at 127.0.0.1.
    private(set) var port = 0

    /// Asks it to end, by the end of its input and by SIGTERM, and waits until it has.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// A member of the object that a line holds as JSON.
    static func member(_ name: String, of line: Data) -> Any? {
        (try? JSONSerialization.jsonObject(with: line) as? [String: Any])?[name]
    }

    private static func firstLine(_ file: FileHandle) -> Data? {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = file.availableData
            guard !part.isEmpty else { return nil }
            line += part
        }
        return line
    }
}

/// A program that runs to its end.
enum Program {
    /// Runs a program to its end on a thread of its own, so that no task waits for it.
    ///
    /// - Throws: ``BenchmarkFailure`` when it ends with anything but 0.
    static func runBeside(_ executable: String, _ arguments: [String]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { _ = try run(executable, arguments) })
            }
        }
    }

    /// - Returns: its standard output.
    /// - Throws: ``BenchmarkFailure`` when it ends with anything but 0.
    @discardableResult
    static func run(_ executable: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let words = String(decoding: complaint.suffix(1000), as: UTF8.self)
            throw BenchmarkFailure("\(executable) ended with \(process.terminationStatus): \(words)")
        }
        return text
    }
}
