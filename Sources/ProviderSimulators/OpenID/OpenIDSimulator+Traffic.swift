extension OpenIDSimulator {
    /// Makes an endpoint misbehave.
    ///
    /// Faults of one endpoint happen in the order they were planned. Each hits the next `times` requests, or all until
    /// ``clearFaults()`` when `times` is `nil`.
    public func fail(_ endpoint: Endpoint, with fault: SimulatorFault, times: Int? = nil) {
        core.traffic.plan(fault, at: endpoint, times: times)
    }

    /// Forgets every planned fault.
    public func clearFaults() {
        core.traffic.clearFaults()
    }

    /// How many requests an endpoint has had, those hit by faults included.
    public func hits(_ endpoint: Endpoint) -> Int {
        core.traffic.hits(at: endpoint)
    }

    /// The requests an endpoint has had, oldest first; at least the last thousand of the simulator are kept.
    public func requests(_ endpoint: Endpoint) -> [RecordedRequest] {
        core.traffic.requests(at: endpoint)
    }
}
