import BenchmarkLoad
import Testing

@Suite("Which rounds count")
struct RoundRuleTests {
    private static func round(_ otherCores: Double = 0, _ yardstick: Double? = 20) -> RoundRule.Evidence {
        .init(otherCores: otherCores, yardstickMicroseconds: yardstick)
    }

    @Test func `a quiet machine and a steady yardstick count`() {
        let objections = RoundRule.objections(to: [Self.round(), Self.round(0.9, 22.9), Self.round(0.5, 17.1)])

        #expect(objections == [nil, nil, nil])
    }

    @Test func `a round in which others took more than a core does not`() {
        let objections = RoundRule.objections(to: [Self.round(), Self.round(1.1), Self.round()])

        #expect(objections.map { $0 == nil } == [true, false, true])
    }

    @Test(arguments: [23.1, 16.9])
    func `a round whose bare route is far off the median of the run does not`(yardstick: Double) {
        let objections = RoundRule.objections(to: [Self.round(), Self.round(0, yardstick), Self.round()])

        #expect(objections.map { $0 == nil } == [true, false, true])
    }

    @Test func `without a bare route only the others are looked at`() {
        #expect(RoundRule.objections(to: [Self.round(0, nil)]) == [nil])
    }
}
