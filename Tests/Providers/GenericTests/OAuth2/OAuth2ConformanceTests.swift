import ProviderKitTesting
import Testing

@Suite("oauth2 keeps the provider contract")
struct OAuth2ConformanceTests {
    static let suite = ConformanceSuite(ScriptedOAuth2.fixture)

    @Test(arguments: suite.checks)
    func `keeps the provider contract`(check: ConformanceCheck) async {
        #expect(await Self.suite.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await Self.suite.grade()) }
}
