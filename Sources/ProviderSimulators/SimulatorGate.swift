import Synchronization

/// A barrier for tests of concurrency: requests wait at it until it is opened.
public final class SimulatorGate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var nextTicket = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Makes a closed gate.
    public init() {}

    /// Lets everybody through, now and later.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting {
            continuation.resume()
        }
    }

    /// Returns once `count` requests have reached the gate since it was made.
    public func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                guard state.arrived < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    /// Waits until the gate is open or the task is cancelled.
    func pass() async {
        let ticket = arrive()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayPass = state.withLock { state in
                    guard !state.isOpen, !Task.isCancelled else { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if mayPass { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }

    private func arrive() -> Int {
        let (ticket, reached) = state.withLock { state in
            state.arrived += 1
            state.nextTicket += 1
            let arrived = state.arrived
            let reached = state.watchers.filter { $0.count <= arrived }.map(\.continuation)
            state.watchers.removeAll { $0.count <= arrived }
            return (state.nextTicket, reached)
        }
        for continuation in reached {
            continuation.resume()
        }
        return ticket
    }
}
