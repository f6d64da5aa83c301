import Foundation

/// A server in a process of its own. It ends when its standard input does, so it never outlives this process.
final class ServerProcess {
    private let program: ServedProgram
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var announcement: ServerAnnouncement?

    /// Starts it, without waiting until it listens.
    init(_ program: ServedProgram, folder: BenchmarkFolder, sessions: Int) throws {
        self.program = program
        guard let executable = Bundle.main.executableURL else { throw BenchmarkFailure("cannot find myself") }
        process.executableURL = executable
        process.arguments = [
            "--serve", program.rawValue, "--directory", folder.path, "--sessions", String(sessions),
        ]
        process.standardInput = input
        process.standardOutput = output
        // Its log is written as in production; nobody reads it.
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    var processIdentifier: Int32 { process.processIdentifier }

    /// Waits until it listens.
    ///
    /// - Throws: ``BenchmarkFailure`` with what it said instead.
    func listening() throws -> ServerAnnouncement {
        if let announcement { return announcement }
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw BenchmarkFailure("server \(program.rawValue) ended before it listened") }
            line += part
        }
        guard let announcement = try? JSONDecoder().decode(ServerAnnouncement.self, from: line) else {
            throw BenchmarkFailure("server \(program.rawValue): \(String(decoding: line.prefix(500), as: UTF8.self))")
        }
        self.announcement = announcement
        return announcement
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
