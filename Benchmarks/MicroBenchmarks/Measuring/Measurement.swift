/// What a number of operations took together.
struct Measurement: Sendable {
    let operations: Int
    let wall: Duration
    let processor: Duration

    /// Elapsed microseconds divided by operations: with several callers at once less than each of them waited.
    var wallMicroseconds: Double { wall.microseconds / Double(max(operations, 1)) }
    /// Microseconds of processor time for each operation.
    var processorMicroseconds: Double { processor.microseconds / Double(max(operations, 1)) }
}

/// Takes both times of a ``Measurement`` at its beginning and at its end.
struct Stopwatch {
    private let processorStart: Duration
    private let start: ContinuousClock.Instant

    /// Starts.
    init() {
        processorStart = ProcessorClock.now()
        start = .now
    }

    func isBefore(_ duration: Duration) -> Bool { ContinuousClock.now - start < duration }

    func stop(after operations: Int) throws(BenchmarkFailure) -> Measurement {
        guard operations > 0 else { throw BenchmarkFailure("not one operation came to its end") }
        let wall = ContinuousClock.now - start
        return Measurement(operations: operations, wall: wall, processor: ProcessorClock.now() - processorStart)
    }
}
