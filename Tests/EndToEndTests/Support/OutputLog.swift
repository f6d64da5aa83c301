import Synchronization

/// The lines a child process has written so far, and a way to wait for one that is still to come.
final class OutputLog: Sendable {
    private struct Watcher {
        let matches: @Sendable (String) -> Bool
        let continuation: CheckedContinuation<String?, Never>
    }

    private struct State {
        var lines: [String] = []
        var isComplete = false
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    var text: String { state.withLock { $0.lines.joined(separator: "\n") } }

    func append(_ line: String) {
        let reached = state.withLock { state in
            state.lines.append(line)
            let reached = state.watchers.filter { $0.matches(line) }
            state.watchers.removeAll { $0.matches(line) }
            return reached
        }
        for watcher in reached { watcher.continuation.resume(returning: line) }
    }

    /// The process has closed this output: all waits end.
    func finish() {
        let left = state.withLock { state in
            state.isComplete = true
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in left { watcher.continuation.resume(returning: nil) }
    }

    /// The first line, now or later, that `matches`; `nil` when the process ends without it.
    func firstLine(where matches: @escaping @Sendable (String) -> Bool = { _ in true }) async -> String? {
        await withCheckedContinuation { continuation in
            let known: String?? = state.withLock { state in
                if let line = state.lines.first(where: matches) { return line }
                if state.isComplete { return .some(nil) }
                state.watchers.append(Watcher(matches: matches, continuation: continuation))
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
