import Dispatch
import Foundation

/// SIGINT and SIGTERM as a wish to end, so that servers are stopped and folders removed.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    init(_ handler: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            // Not SIG_IGN, which the servers would inherit.
            signal(number) { _ in }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handler() }
            source.activate()
            return source
        }
    }

    func stop() {
        for source in sources { source.cancel() }
    }
}
