import BenchmarkLoad
import Testing

@Suite("When a ratio is worse than recorded")
struct RegressionRuleTests {
    @Test func `a median below the recorded one by more than noise is worse`() {
        #expect(RegressionRule.isWorse([0.16, 0.16, 0.16, 0.16, 0.19], than: 0.2))
    }

    @Test func `a difference within noise is not worse`() {
        #expect(!RegressionRule.isWorse([0.171, 0.172, 0.173, 0.174, 0.175], than: 0.2))
    }

    @Test func `a median that fewer than four rounds of five agree with is not worse`() {
        #expect(!RegressionRule.isWorse([0.1, 0.1, 0.1, 0.2, 0.2], than: 0.2))
    }

    @Test func `a better ratio is not worse`() {
        #expect(!RegressionRule.isWorse([0.3, 0.4, 0.5], than: 0.2))
    }

    @Test func `what was not measured is not worse`() {
        #expect(!RegressionRule.isWorse([], than: 0.2))
    }
}
