import ProviderKitTesting
import Testing

@Suite("GitLab keeps the provider contract")
struct GitLabConformanceTests {
    static let suite = ConformanceSuite(ScriptedGitLab.fixture)

    @Test(arguments: suite.checks)
    func `keeps the provider contract`(check: ConformanceCheck) async {
        #expect(await Self.suite.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await Self.suite.grade()) }
}
