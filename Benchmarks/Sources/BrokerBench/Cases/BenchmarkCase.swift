import BenchmarkLoad

/// What is measured in one go, in every round again.
struct BenchmarkCase {
    /// One name, or several where one figure decides how the next is taken.
    let names: [CaseName]
    /// Works for about the given time on each of them.
    let run: (Duration) async throws -> [CaseName: Figure]

    /// A case of one name, after a sixth of the time to warm up.
    init(_ name: CaseName, _ measure: @escaping (Duration) async throws -> Figure) {
        self.init([name]) { duration in
            _ = try await measure(duration / 6)
            return [name: try await measure(duration)]
        }
    }

    init(_ names: [CaseName], run: @escaping (Duration) async throws -> [CaseName: Figure]) {
        self.names = names
        self.run = run
    }
}

/// What one case came to in one round.
struct Figure: Sendable {
    let measurement: LoadMeasurement
    /// Transactions the store committed meanwhile, where that can be seen from outside.
    var commits: Int?
    /// The rate of an open loop.
    var targetPerSecond: Double?

    init(_ measurement: LoadMeasurement, commits: Int? = nil, targetPerSecond: Double? = nil) {
        self.measurement = measurement
        self.commits = commits
        self.targetPerSecond = targetPerSecond
    }
}
