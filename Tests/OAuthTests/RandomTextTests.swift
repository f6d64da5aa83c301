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

    @Test func `time-ordered texts of one moment differ`() {
        let now = Date()

        #expect(Set((0..<100).map { _ in RandomText.timeOrdered(20, at: now) }).count == 100)
    }
}
