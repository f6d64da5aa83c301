import ArgumentParser
import Foundation
import UnixSignals

/// Lets Ctrl-C end work that waits: the work is cancelled, what was opened is closed, and the exit code says why.
enum Interruption {
    /// - Throws: ``CommandFailure`` with exit code 130 (128 + SIGINT) when the work was interrupted.
    static func heeding<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // Afterwards Ctrl-C ends the process at once again.
        defer { signal(SIGINT, SIG_DFL) }
        let signals = await UnixSignalsSequence(trapping: .sigint)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                for await _ in signals { return nil }
                // The work has ended: its task says how.
                throw CancellationError()
            }
            guard let ended = try await group.next(), let value = ended else {
                throw CommandFailure(
                    code: "INTERRUPTED", "interrupted: nothing was changed", exitCode: ExitCode(128 + SIGINT))
            }
            return value
        }
    }
}
