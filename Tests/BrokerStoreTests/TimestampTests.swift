import BrokerStore
import Foundation
import Testing

@Suite("Moments")
struct TimestampTests {
    @Test(
        arguments: [
            (0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (.min, -9_223_372_036_854_776),
        ] as [(Int64, Int64)])
    func `are rounded down to seconds`(milliseconds: Int64, seconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func `keep their milliseconds through a conversion to a date`() {
        #expect(Timestamp(Timestamp.noon.date) == .noon)
    }

    @Test func `move by durations`() {
        #expect(Timestamp.noon.advanced(by: .milliseconds(1500)).milliseconds == Timestamp.noon.milliseconds + 1500)
        #expect(Timestamp.noon.advanced(by: .seconds(-2)).milliseconds == Timestamp.noon.milliseconds - 2000)
    }

    @Test func `never overflow`() {
        #expect(Timestamp(seconds: .max).milliseconds == .max)
        #expect(Timestamp(seconds: .min).milliseconds == .min)
        #expect(Timestamp(Date(timeIntervalSince1970: .infinity)).milliseconds == .max)
        #expect(Timestamp(milliseconds: .max).advanced(by: .seconds(1)).milliseconds == .max)
        #expect(Timestamp(milliseconds: .min).advanced(by: .seconds(-1)).milliseconds == .min)
    }
}
