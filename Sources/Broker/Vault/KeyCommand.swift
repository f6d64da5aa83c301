import Foundation
import Synchronization

/// A program that prints a master key, such as the client of a key management service.
///
/// It runs without a shell, with nothing on its standard input, for a bounded time. What it prints is never logged: its
/// standard error is discarded, and errors tell its exit status only.
struct KeyCommand: Sendable {
    private let command: [String]
    private let environment: [String: String]
    private let timeout: Duration

    /// A key has 43 characters and a line end.
    private static let longestOutput = 1024

    /// - Parameters:
    ///   - command: The program's absolute path, then its arguments.
    ///   - environment: What it inherits.
    ///   - timeout: The time it may take.
    init(_ command: [String], environment: [String: String], timeout: Duration = .seconds(30)) {
        self.command = command
        self.environment = environment
        self.timeout = timeout
    }

    /// Runs it and waits for its end.
    ///
    /// - Returns: What it printed.
    /// - Throws: ``ConfigurationError`` when others on the host can replace it, or when it fails, prints too much or
    ///   does not end in time.
    func run() throws(ConfigurationError) -> String {
        let program = command[0]
        try FileExposure.requirePrivateWriting(program, named: "the command of the master key")
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do {
            try process.run()
        } catch {
            throw failure("cannot be run.", fix: "Name an executable file by its absolute path.")
        }
        let deadline = ContinuousClock.now + timeout
        do throws(ConfigurationError) {
            let text = try read(output.fileHandleForReading.fileDescriptor, until: deadline)
            guard ended.wait(timeout: .now() + Self.seconds(until: deadline)) == .success else { throw tooSlow }
            guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                throw failure(
                    "failed with status \(process.terminationStatus).",
                    fix: "Run it by hand as the broker's user to see why; its messages are not logged.")
            }
            return text
        } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
    }

    /// Reads to the end of the output. A descendant that holds the pipe open must not hold up the start for good.
    private func read(
        _ descriptor: Int32, until deadline: ContinuousClock.Instant
    ) throws(ConfigurationError) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.longestOutput + 1)
        while true {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(max(Self.seconds(until: deadline) * 1000, 0))
            let ready = poll(&state, 1, milliseconds)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw tooSlow }
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot be read.") }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
            guard bytes.count <= Self.longestOutput else {
                throw failure("prints more than a master key.", fix: "Let it print 43 characters of base64url.")
            }
        }
    }

    private static func seconds(until deadline: ContinuousClock.Instant) -> Double {
        (deadline - .now) / .seconds(1)
    }

    private var tooSlow: ConfigurationError {
        failure("did not end within \(timeout.components.seconds) seconds.", fix: "Run it by hand to see why.")
    }

    private func failure(_ problem: String, fix: String? = nil) -> ConfigurationError {
        ConfigurationError("masterKey", "the command \(command[0]) \(problem)", fix: fix)
    }
}
