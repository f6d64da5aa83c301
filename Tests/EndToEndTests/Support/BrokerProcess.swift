import Foundation
import Subprocess
import Synchronization
import Testing

/// A `broker` that runs beside a test. Its output is collected while it runs; it never outlives the test.
final class BrokerProcess: Sendable {
    /// What it writes to standard output.
    let output = OutputLog()
    /// What it writes to standard error.
    let log = OutputLog()
    private let signals: AsyncStream<Signal>.Continuation
    private let running: Task<TerminationStatus, any Error>
    private let started: StartedProcess

    /// Starts `broker`, lends it to `body`, and kills and reaps it unless it has ended by then.
    static func run<Value>(
        _ arguments: [String], environment: [String: String] = [:], through: [String] = [], in folder: TestFolder,
        _ body: (BrokerProcess) async throws -> Value
    ) async throws -> Value {
        try await run(
            BrokerExecutable.configuration(arguments, environment: environment, through: through, in: folder), body)
    }

    /// Starts `broker` at a terminal, with the keyboard of that terminal.
    static func run<Value>(
        atTerminal arguments: [String], in folder: TestFolder,
        _ body: (BrokerProcess, TestKeyboard) async throws -> Value
    ) async throws -> Value {
        let keyboard = try TestKeyboard(in: folder)
        let configuration = try BrokerExecutable.configuration(
            atTerminal: arguments, keyboard: keyboard.path, in: folder)
        return try await run(configuration) { process in try await body(process, keyboard) }
    }

    /// The same with any other program, such as a provider the broker is to be used with.
    static func run<Value>(
        _ configuration: Configuration, _ body: (BrokerProcess) async throws -> Value
    ) async throws -> Value {
        let process = BrokerProcess(configuration)
        return try await withTaskCancellationHandler {
            do {
                let value = try await body(process)
                try await process.end()
                return value
            } catch {
                try await process.end()
                throw error
            }
        } onCancel: {
            process.kill()
        }
    }

    private init(_ configuration: Configuration) {
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        self.signals = continuation
        let started = StartedProcess()
        self.started = started
        running = Task { [output, log] in
            defer {
                output.finish()
                log.finish()
            }
            return try await Subprocess.run(
                configuration, input: .none, output: .sequence, error: .sequence
            ) { execution in
                started.identifier = execution.processIdentifier.value
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // A process that has ended already takes no signal, and needs none.
                    group.addTask { for await signal in signals { try? execution.send(signal: signal) } }
                    async let outputEnded: Void = Self.collect(execution.standardOutput, in: output)
                    async let logEnded: Void = Self.collect(execution.standardError, in: log)
                    _ = try await (outputEnded, logEnded)
                    group.cancelAll()
                }
            }.terminationStatus
        }
    }

    /// Asks it to stop, as a supervisor does: SIGTERM.
    func terminate() { signals.yield(.terminate) }

    /// Asks it to stop, as Ctrl-C does: SIGINT.
    func interrupt() { signals.yield(.interrupt) }

    /// Sends it a signal.
    func send(_ number: Int32) { signals.yield(Signal(rawValue: number)) }

    /// Ends it without a chance to do anything: SIGKILL.
    func kill() { signals.yield(.kill) }

    /// Its exit code once it has ended; `nil` when a signal ended it.
    func exitCode() async throws -> Int32? {
        try await running.value.exitCode
    }

    /// Asks it to stop and sees that it ends well.
    func stop() async throws {
        terminate()
        let exitCode = try await exitCode()
        #expect(exitCode == 0, "\(log.text)")
    }

    /// Its process, once it has said something.
    var identifier: pid_t { started.identifier }

    /// Everything it has said.
    var everything: String { output.text + "\n" + log.text }

    private func end() async throws {
        kill()
        _ = try await running.value
    }

    private static func collect(_ bytes: SubprocessOutputSequence, in log: OutputLog) async throws {
        for try await line in bytes.strings(bufferingPolicy: .unbounded) { log.append(line) }
        log.finish()
    }
}

/// The number of a process that starts in another task.
private final class StartedProcess: Sendable {
    private let number = Mutex<pid_t>(0)

    var identifier: pid_t {
        get { number.withLock { $0 } }
        set { number.withLock { $0 = newValue } }
    }
}
