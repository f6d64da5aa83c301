import ProviderKitTesting
import Testing

@Suite("GitHub keeps the provider contract")
struct GitHubConformanceTests {
    static let suite = ConformanceSuite(ScriptedGitHub.fixture)

    @Test(arguments: suite.checks)
    func `keeps the provider contract`(check: ConformanceCheck) async {
        #expect(await Self.suite.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await Self.suite.grade()) }
}
