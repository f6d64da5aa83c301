import Histogram

/// How long answers took: an HDR histogram of microseconds with three significant digits, from 1 us to 60 s.
package struct LatencyHistogram: Sendable {
    /// In microseconds; what took longer counts as this.
    package static let highest: UInt64 = 60_000_000

    private var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: highest, numberOfSignificantValueDigits: .three)

    package init() {}

    package var count: UInt64 { histogram.totalCount }

    package mutating func record(_ latency: Duration) {
        histogram.record(min(UInt64(max(latency.microseconds, 1).rounded()), Self.highest))
    }

    package mutating func add(_ other: LatencyHistogram) {
        histogram.add(other.histogram)
    }

    /// How long so many percent of the answers took at most.
    ///
    /// - Parameter percentile: 0 to 100.
    /// - Returns: microseconds; 0 without any value.
    package func value(at percentile: Double) -> UInt64 {
        count == 0 ? 0 : min(histogram.valueAtPercentile(percentile), maximum)
    }

    /// The longest, in microseconds; 0 without any value.
    package var maximum: UInt64 { count == 0 ? 0 : histogram.maxRecorded }

    /// Every bucket that is not empty: its value in microseconds, then how many there are of it.
    package var buckets: [[UInt64]] {
        histogram.recordedValues().map { [$0.value, $0.count] }
    }
}

extension LatencyHistogram: Encodable {
    private enum CodingKeys: String, CodingKey { case count, p50, p90, p99, p999, maximum, buckets }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(value(at: 50), forKey: .p50)
        try container.encode(value(at: 90), forKey: .p90)
        try container.encode(value(at: 99), forKey: .p99)
        try container.encode(value(at: 99.9), forKey: .p999)
        try container.encode(maximum, forKey: .maximum)
        try container.encode(buckets, forKey: .buckets)
    }
}

extension Duration {
    /// The duration as a number of microseconds.
    package var microseconds: Double {
        Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
    }

    /// The duration as a number of seconds.
    package var inSeconds: Double { microseconds / 1e6 }
}
