import ProviderKitTesting
import Testing

@Suite("Plugins of other kinds keep the provider contract")
struct PluginConformanceTests {
    static let suites = [ScriptedOpaqueTokens.fixture, ScriptedDirectory.fixture].map(ConformanceSuite.init)

    @Test(arguments: suites.indices, ConformanceSuite.allChecks)
    func `keeps the provider contract`(position: Int, check: ConformanceCheck) async {
        #expect(await Self.suites[position].outcome(of: check).failure == nil)
    }

    @Test(arguments: suites.indices)
    func grade(position: Int) async { print(await Self.suites[position].grade()) }
}
