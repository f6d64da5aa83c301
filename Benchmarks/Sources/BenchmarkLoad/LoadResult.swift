/// What came of a load.
package struct LoadResult: Sendable {
    /// From when a question was due to its answer; of questions answered with 200 to 299 and a body as expected, and of
    /// those that were due and never sent.
    package var latencies = LatencyHistogram()
    package var answers = 0
    /// Everything else, counted by what it was: a status, `body`, `closed`, `unsent`.
    package var failures: [String: Int] = [:]
    /// What the first of them said.
    package var firstFailure: String?
    /// Answers slower than a load was told to notice, in no order.
    package var stalls: [Stall] = []
    /// Connections that had nothing left to ask with.
    package var exhausted = 0

    package init() {}

    package var failureCount: Int { failures.values.reduce(0, +) }

    mutating func fail(_ kind: String, _ reason: String) {
        failures[kind, default: 0] += 1
        if firstFailure == nil { firstFailure = reason }
    }
}
