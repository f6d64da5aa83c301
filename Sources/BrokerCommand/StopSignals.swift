import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// The handling of SIGTERM and SIGINT: the first signal shuts the server down gracefully, the second ends it at once.
///
/// Every acknowledged write is in the store, so the second signal loses none.
struct StopSignals {
    private let sequence: UnixSignalsSequence

    /// Replaces the signals' default action, which ends the process.
    init() async {
        sequence = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    /// Runs `body`; a signal shuts `group` down.
    func watching(_ group: ServiceGroup, _ body: () async throws -> Void) async throws {
        let watch = Task {
            var isStopping = false
            for await signal in sequence {
                guard !isStopping else { exit(at: signal) }
                isStopping = true
                Logger.current.info(
                    "signal received; finishing requests in progress", metadata: ["signal": "\(signal)"])
                await group.triggerGracefulShutdown()
            }
        }
        defer { watch.cancel() }
        try await body()
    }

    private func exit(at signal: UnixSignal) -> Never {
        Logger.current.warning("second signal received; ending at once", metadata: ["signal": "\(signal)"])
        // The exit code by which a shell reports a process that a signal ended.
        _exit(128 + signal.rawValue)
    }
}
