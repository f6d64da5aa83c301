import Foundation
import OAuth
import Testing

@Suite("Random text")
struct RandomTextTests {
    @Test func `time-ordered text is sorted by its millisecond, byte by byte`() {
        let moments = [-1, 0, 0.01, 0.1, 1_700_000_000, 1_700_000_000.01, 1_999_999_999, 9_999_999_999].map {
            Date(timeIntervalSince1970: $0)
        }

        let texts = moments.map { RandomText.timeOrdered(20, at: $0) }

        let times = texts.map { Array($0.utf8.prefix(8)) }
        #expect(times[0] == times[1], "there is no time before 1970")
        #expect(zip(times.dropFirst(), times.dropFirst(2)).allSatisfy { $0.lexicographicallyPrecedes($1) })
        #expect(texts.allSatisfy { $0.wholeMatch(of: /[0-9A-Za-z]{20}/) != nil })
    }

    @Test(arguments: [-.infinity, -1e300, 1e15, 1e300, .infinity, .nan])
    func `time-ordered text survives any clock`(seconds: Double) {
        let text = RandomText.timeOrdered(20, at: Date(timeIntervalSince1970: seconds))

        #expect(text.wholeMatch(of: /[0-9A-Za-z]{20}/) != nil)
        #expect(text.hasPrefix(seconds > 0 ? "zzzzzzzz" : "00000000"))
    }

    @Test func `the time of time-ordered text is one of before`() {
        let now = Date(timeIntervalSince1970: 2_000_000_000)
        let text = RandomText.timeOrdered(20, at: now)

        #expect(RandomText.time(ofOrdered: text, count: 20, before: now) == now)
        #expect(RandomText.time(ofOrdered: text, count: 19, before: now) == nil)
        #expect(RandomText.time(ofOrdered: text, count: 20, before: now.addingTimeInterval(-100_000)) == nil)
    }

    @Test func `time-ordered texts of one moment differ`() {
        let now = Date()

        #expect(Set((0..<100).map { _ in RandomText.timeOrdered(20, at: now) }).count == 100)
    }
}
