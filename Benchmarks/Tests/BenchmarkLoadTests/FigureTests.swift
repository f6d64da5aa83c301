import BenchmarkLoad
import Foundation
import RawGroupCommit
import Testing

@Suite("Figures")
struct FigureTests {
    @Test func `a histogram keeps three digits from a microsecond to a minute`() {
        var histogram = LatencyHistogram()
        for value in [1, 999, 1_234_567, 59_000_000] { histogram.record(.microseconds(value)) }

        let values = histogram.buckets.map { Double($0[0]) }
        for (value, wanted) in zip(values, [1, 999, 1_234_567, 59_000_000.0]) {
            #expect(abs(value / wanted - 1) < 0.001)
        }
        #expect(values.count == 4)
    }

    @Test func `what took longer than a minute counts as a minute, and nothing as a microsecond`() {
        var histogram = LatencyHistogram()
        histogram.record(.seconds(3600))
        histogram.record(.zero)

        #expect(histogram.count == 2)
        #expect(histogram.maximum == LatencyHistogram.highest)
        #expect(histogram.value(at: 50) == 1)
    }

    @Test func `histograms of rounds add up`() {
        var (first, second) = (LatencyHistogram(), LatencyHistogram())
        for value in 1...100 { first.record(.microseconds(value)) }
        for value in 901...1000 { second.record(.microseconds(value)) }

        first.add(second)

        #expect(first.count == 200)
        #expect(first.value(at: 50) == 100)
        #expect(first.value(at: 99) == 998)
        #expect(first.maximum == 1000)
    }

    @Test func `the raw dump of a histogram holds every value`() throws {
        var histogram = LatencyHistogram()
        for value in [5, 5, 70] { histogram.record(.microseconds(value)) }

        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(histogram)) as? [String: Any]

        #expect(json?["buckets"] as? [[Int]] == [[5, 2], [70, 1]])
        #expect(json?["count"] as? Int == 3)
        #expect(json?["maximum"] as? Int == 70)
    }

    private static let medians: [(values: [Double], median: Double)] = [
        ([3, 1, 2], 2), ([4, 1, 2, 3], 2.5), ([7], 7),
    ]

    @Test(arguments: medians)
    func `the median is in the middle`(values: [Double], median: Double) throws {
        let spread = try #require(Spread(values))

        #expect(spread.median == median)
        #expect(spread.minimum == values.min())
        #expect(spread.maximum == values.max())
    }

    @Test func `each value is taken before any is taken again`() throws {
        let ring = Ring([10, 20, 30])
        var values: [Int] = []
        for _ in 0..<6 {
            let (place, value) = try #require(ring.take())
            values.append(value)
            ring.putBack(place, as: value + 1)
        }

        #expect(values == [10, 20, 30, 11, 21, 31])
    }

    @Test func `a value that is out is nobody else's`() throws {
        let ring = Ring([1, 2])
        let first = try #require(ring.take())
        let second = try #require(ring.take())

        #expect(ring.take() == nil)
        ring.putBack(second.place)
        #expect(ring.take()?.value == 2)
        #expect(first.value == 1)
        #expect(ring.count == 0)
    }

    @Test func `what the machine did is read from the line of all processors`() throws {
        let activity = try #require(
            MachineActivity(parsing: "cpu  100 20 30 4000 500 6 7 80 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n"))

        #expect(activity.busy / activity.stolen == 163.0 / 80)
        #expect(MachineActivity(parsing: "intr 1 2 3 4 5 6 7 8 9") == nil)
    }

    @Test func `a bare group commit updates as many rows as it says`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "raw-\(UUID().uuidString)").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let loop = try RawGroupCommit(path: path, rows: 50)

        let outcome = try loop.run(updatesPerCommit: 16, for: .milliseconds(50))

        #expect(outcome.commits > 0)
        #expect(outcome.updates == outcome.commits * 16)
    }
}
