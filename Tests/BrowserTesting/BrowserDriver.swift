import Foundation
import NIOPosix

/// The chromedriver that the tests of this process share: started by the first that needs it, gone with the process,
/// however that ends.
///
/// No browser on the machine is a failure of the tests, not a reason to leave them out.
actor BrowserDriver {
    static let shared = BrowserDriver()

    private var started: Task<Running, any Error>?

    /// A driver that answers.
    private struct Running: Sendable {
        let port: Int
        /// The end of the pipe whose closing ends the driver.
        let leash: FileHandle
    }

    /// Where it listens.
    func url() async throws -> String {
        "http://127.0.0.1:\(try await running().port)"
    }

    private func running() async throws -> Running {
        if let started { return try await started.value }
        let task = Task {
            for _ in 1..<Self.attempts {
                if let running = try? await Self.startOnThread() { return running }
            }
            return try await Self.startOnThread()
        }
        started = task
        return try await task.value
    }

    /// One that did not come up would fail every browser test of the process.
    private static let attempts = 3

    /// Starting blocks its thread for a moment, which must not be one of those that all tests share.
    private static func startOnThread() async throws -> Running {
        try await NIOThreadPool.singleton.runIfActive { try start() }
    }

    private static func start() throws -> Running {
        let process = Process()
        process.executableURL = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "browser-driver")
        process.arguments = [newFolder()]
        let (input, output, problems) = (Pipe(), Pipe(), Pipe())
        // Other children must not keep the driver alive.
        for descriptor in [input.fileHandleForWriting.fileDescriptor, output.fileHandleForReading.fileDescriptor] {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw BrowserFailure("fcntl: \(errno)") }
        }
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, problems)
        try process.run()
        let line = String(bytes: output.fileHandleForReading.availableData, encoding: .utf8) ?? ""
        guard let match = line.wholeMatch(of: /ready (\d+)\n/), let port = Int(match.1) else {
            let reason = String(bytes: problems.fileHandleForReading.availableData, encoding: .utf8) ?? ""
            throw BrowserFailure("The browser's driver did not start. \(reason)")
        }
        return Running(port: port, leash: input.fileHandleForWriting)
    }

    private static func newFolder() -> String {
        let parent =
            ProcessInfo.processInfo.environment["TESTS_TMP"] ?? FileManager.default.temporaryDirectory.path
        return "\(parent)/browser-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }
}
