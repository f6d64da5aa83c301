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

@Suite("oauth2 keeps the provider contract in every dialect")
struct OAuth2DialectConformanceTests {
    @Test(arguments: ScriptedDialects.all.map(\.id), ConformanceSuite.allChecks)
    func `keeps the provider contract`(dialect: String, check: ConformanceCheck) async throws {
        let fixture = try #require(ScriptedDialects.all.first { $0.id == dialect })
        #expect(await ConformanceSuite(fixture).outcome(of: check).failure == nil)
    }
}
