import BenchmarkLoad
import Testing

@Suite("When a count is more than recorded")
struct GrowthRuleTests {
    @Test func `a count above the recorded one by more than noise is more`() {
        #expect(GrowthRule.isMore(1035, than: 1000))
    }

    @Test func `a count within noise, or below, is not more`() {
        #expect(!GrowthRule.isMore(1030, than: 1000) && !GrowthRule.isMore(900, than: 1000))
    }

    @Test func `noise can be wider`() {
        #expect(GrowthRule.isMore(1110, than: 1000, beyond: 0.1) && !GrowthRule.isMore(1090, than: 1000, beyond: 0.1))
    }

    @Test func `what was not recorded is more`() {
        #expect(GrowthRule.isMore(12, than: nil))
    }
}
