import ProviderKitTesting
import Testing

@Suite("oidc keeps the provider contract")
struct OpenIDConformanceTests {
    static let suite = ConformanceSuite(ScriptedOpenID.fixture)

    @Test(arguments: suite.checks)
    func `keeps the provider contract`(check: ConformanceCheck) async {
        #expect(await Self.suite.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await Self.suite.grade()) }
}
