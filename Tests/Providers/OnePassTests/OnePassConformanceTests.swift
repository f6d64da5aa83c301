import ProviderKitTesting
import Testing

@Suite("1Pass keeps the provider contract")
struct OnePassConformanceTests {
    static let suite = ConformanceSuite(ScriptedOnePass.fixture)

    @Test(arguments: suite.checks)
    func `keeps the provider contract`(check: ConformanceCheck) async {
        #expect(await Self.suite.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await Self.suite.grade()) }
}
