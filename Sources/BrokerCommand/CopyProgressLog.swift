import BrokerStore
import Synchronization

/// The progress of a copy on standard error: one line at each new phase, otherwise at most one a second.
final class CopyProgressLog: Sendable {
    private struct Last {
        var stage = ""
        var at = ContinuousClock.now
    }

    private let last = Mutex(Last())

    func note(_ progress: StoreCopy.Progress) {
        let (stage, line) = Self.text(progress)
        let isDue = last.withLock { last in
            guard stage != last.stage || ContinuousClock.now - last.at >= .seconds(1) else { return false }
            last = Last(stage: stage)
            return true
        }
        if isDue { line.warn() }
    }

    private static func text(_ progress: StoreCopy.Progress) -> (stage: String, line: TerminalText) {
        switch progress {
        case .copying(let table, let rows): ("copying \(table)", "copying \(table): \(rows.rowsText)")
        case .following(let waiting): ("following", "applying changes: \(waiting) left")
        case .comparing: ("comparing", "comparing both databases")
        case .removing(let table, let rows): ("removing \(table)", "removing \(table): \(rows.rowsText)")
        }
    }
}
