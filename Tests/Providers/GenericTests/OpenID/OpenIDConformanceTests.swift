import ProviderKitTesting
import Testing

@Suite("oidc keeps the provider contract")
struct OpenIDConformanceTests {
    static let suites = Dictionary(
        uniqueKeysWithValues: ScriptedOpenID.Dialect.allCases.map { ($0, ConformanceSuite(ScriptedOpenID.variant($0))) }
    )

    @Test(arguments: ScriptedOpenID.Dialect.allCases, ConformanceSuite.allChecks)
    func `keeps the provider contract`(dialect: ScriptedOpenID.Dialect, check: ConformanceCheck) async {
        #expect(await Self.suites[dialect]?.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await ConformanceSuite(ScriptedOpenID.fixture).grade()) }
}
