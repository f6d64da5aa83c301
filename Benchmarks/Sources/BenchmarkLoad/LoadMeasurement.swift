/// What a load took, and what it took of the servers.
package struct LoadMeasurement: Sendable {
    package var result: LoadResult
    package let wall: Duration
    package let processor: Duration

    package init(result: LoadResult, wall: Duration, processor: Duration) {
        self.result = result
        self.wall = wall
        self.processor = processor
    }

    /// Answers of the wanted kind in a second.
    package var perSecond: Double { Double(result.answers) / max(wall.inSeconds, 1e-6) }

    /// Processor time of the servers for each answer, whatever kind it was.
    package var processorMicroseconds: Double {
        processor.microseconds / Double(max(result.answers + result.failureCount, 1))
    }
}

extension Load {
    /// Runs a load and takes both times between its first question and its last answer.
    ///
    /// - Throws: ``BenchmarkFailure`` when there was not one good answer.
    package func measure(
        _ conversation: some Conversation, at pace: Pace, on clock: ProcessorClock
    ) async throws -> LoadMeasurement {
        var (processor, wall) = (Duration.zero, Duration.zero)
        var start = ContinuousClock.now
        let result = try await run(
            conversation, at: pace,
            began: {
                processor = try clock.now()
                start = .now
            },
            ended: {
                wall = ContinuousClock.now - start
                processor = try clock.now() - processor
            })
        guard result.answers > 0 else {
            throw BenchmarkFailure("not one good answer: \(result.firstFailure ?? "nothing was asked")")
        }
        return LoadMeasurement(result: result, wall: wall, processor: processor)
    }
}
