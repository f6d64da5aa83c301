import Synchronization

/// The requests to a simulator, and the faults for the next ones.
final class Traffic<Endpoint: Hashable & Sendable>: Sendable {
    private struct PlannedFault {
        let fault: SimulatorFault
        /// How many more requests it hits; `nil` for all of them.
        var remaining: Int?
    }

    private struct State {
        var hits: [Endpoint: Int] = [:]
        var faults: [Endpoint: [PlannedFault]] = [:]
        var requests: [(endpoint: Endpoint, request: RecordedRequest)] = []

        mutating func takeFault(at endpoint: Endpoint) -> SimulatorFault? {
            guard let next = faults[endpoint]?.first else { return nil }
            if let remaining = next.remaining {
                faults[endpoint]?[0].remaining = remaining - 1
                if remaining == 1 { faults[endpoint]?.removeFirst() }
            }
            return next.fault
        }
    }

    /// How many requests are kept; counters go on.
    private static var capacity: Int { 1000 }

    private let state = Mutex(State())

    /// Counts a request and takes the fault that waits for it.
    func arrive(at endpoint: Endpoint, _ request: RecordedRequest) -> SimulatorFault? {
        state.withLock { state in
            state.hits[endpoint, default: 0] += 1
            state.requests.append((endpoint, request))
            if state.requests.count > 2 * Self.capacity { state.requests.removeFirst(Self.capacity) }
            return state.takeFault(at: endpoint)
        }
    }

    /// Lets `fault` hit the next `times` requests, after faults planned earlier; all of them when `times` is `nil`.
    func plan(_ fault: SimulatorFault, at endpoint: Endpoint, times: Int?) {
        guard times ?? 1 > 0 else { return }
        state.withLock { $0.faults[endpoint, default: []].append(PlannedFault(fault: fault, remaining: times)) }
    }

    func clearFaults() {
        state.withLock { $0.faults = [:] }
    }

    func hits(at endpoint: Endpoint) -> Int {
        state.withLock { $0.hits[endpoint] ?? 0 }
    }

    func requests(at endpoint: Endpoint) -> [RecordedRequest] {
        state.withLock { state in state.requests.filter { $0.endpoint == endpoint }.map(\.request) }
    }
}
