/// Runs all cases again and again, each time in another order, so that what disturbs the machine disturbs all alike.
struct Rounds {
    let count: Int
    /// How long each case works in each round, after a sixth of it to warm up.
    let duration: Duration

    /// - Parameters:
    ///   - cases: what to measure.
    ///   - isRoundOver: called after each round.
    /// - Returns: the rounds in their order.
    /// - Throws: ``BenchmarkFailure`` naming the case that failed.
    func run(
        _ cases: [BenchmarkCase], isRoundOver: (_ number: Int, _ round: Round) -> Void
    ) async throws(BenchmarkFailure) -> [Round] {
        var rounds: [Round] = []
        for number in 1...max(count, 1) {
            var round = Round(loadBefore: LoadAverage.now)
            for benchmark in cases.shuffled() {
                round.measurements[benchmark.name] = try await measure(benchmark)
            }
            round.loadAfter = LoadAverage.now
            rounds.append(round)
            isRoundOver(number, round)
        }
        return rounds
    }

    private func measure(_ benchmark: BenchmarkCase) async throws(BenchmarkFailure) -> Measurement {
        do {
            _ = try await benchmark.run(duration / 6)
            return try await benchmark.run(duration)
        } catch {
            throw BenchmarkFailure("\(benchmark.name.rawValue): \(error)")
        }
    }
}

/// One measurement of every case, taken close to each other: what is compared is compared within a round.
struct Round: Sendable {
    var measurements: [CaseName: Measurement] = [:]
    /// Runnable processes of the whole machine, averaged over a minute, when the round began.
    let loadBefore: Double
    /// The same when it ended.
    var loadAfter = 0.0

    init(loadBefore: Double) {
        self.loadBefore = loadBefore
    }
}
