import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// What SIGTERM and SIGINT mean to a server: the first lets it finish what was begun, the second does not wait for that.
///
/// Nothing acknowledged is lost by the second: it is in the store already.
struct StopSignals {
    private let sequence: UnixSignalsSequence

    /// From now on the signals no longer end the process by themselves.
    init() async {
        sequence = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    /// Runs `body`, during which a signal shuts `group` down.
    func watching(_ group: ServiceGroup, _ body: () async throws -> Void) async throws {
        let watch = Task {
            var isStopping = false
            for await signal in sequence {
                guard !isStopping else { exit(at: signal) }
                isStopping = true
                Logger.current.info("Signal caught: finishing what was begun.", metadata: ["signal": "\(signal)"])
                await group.triggerGracefulShutdown()
            }
        }
        defer { watch.cancel() }
        try await body()
    }

    private func exit(at signal: UnixSignal) -> Never {
        Logger.current.warning("Signal caught again: ending at once.", metadata: ["signal": "\(signal)"])
        // As a shell reports a process that a signal has ended.
        _exit(128 + signal.rawValue)
    }
}
