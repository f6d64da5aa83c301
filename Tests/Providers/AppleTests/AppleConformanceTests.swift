import ProviderKitTesting
import Testing

@Suite("Apple keeps the provider contract")
struct AppleConformanceTests {
    static let suite = ConformanceSuite(ScriptedApple.fixture)

    @Test(arguments: suite.checks)
    func `keeps the provider contract`(check: ConformanceCheck) async {
        #expect(await Self.suite.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await Self.suite.grade()) }
}
