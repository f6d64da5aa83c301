import ArgumentParser
import Foundation
import UnixSignals

/// Cancels work on SIGINT (Ctrl-C), SIGHUP (lost connection) and SIGTERM. Resources are closed, and the exit code names
/// the signal.
enum Interruption {
    /// - Throws: ``CommandFailure`` with exit code 128 + the signal (130 for Ctrl-C) when the work was interrupted.
    static func heeding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Afterwards the signals end the process at once again.
        defer { for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) } }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return try await withThrowingTaskGroup(of: Ending<Value>.self) { group in
            defer { group.cancelAll() }
            group.addTask { .done(try await work()) }
            group.addTask {
                for await signal in signals { return .interrupted(by: signal.rawValue) }
                // The work has ended: its task has the result.
                throw CancellationError()
            }
            switch try await group.next() {
            case .done(let value): return value
            case .interrupted(let number):
                throw CommandFailure(
                    code: "INTERRUPTED", "interrupted: nothing was changed", exitCode: ExitCode(128 + number))
            case nil: throw CancellationError()
            }
        }
    }

    private enum Ending<Value: Sendable>: Sendable {
        case done(Value)
        case interrupted(by: Int32)
    }
}
