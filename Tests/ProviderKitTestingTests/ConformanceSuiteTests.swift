import ProviderKit
import ProviderKitTesting
import Testing

@Suite("The conformance suite")
struct ConformanceSuiteTests {
    static let honest = ConformanceSuite(StudyFixture.fixture())

    @Test(arguments: honest.checks)
    func `a plugin that keeps every rule passes every check`(check: ConformanceCheck) async {
        #expect(await Self.honest.outcome(of: check) == .passed)
    }

    @Test(arguments: ConformanceSuite.allChecks)
    func `a plugin that breaks a rule fails the check of that rule`(check: ConformanceCheck) async {
        let outcome = await check.run(StudyFixture.fixture(breaking: check.id))
        #expect(outcome.failure != nil)
        #expect(outcome.failure?.contains(StudyFixture.secret) != true, "a failure names a secret")
    }

    @Test func `every check has a name of its own and a sentence`() {
        let ids = ConformanceSuite.allChecks.map(\.id)

        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil })
        #expect(ConformanceSuite.allChecks.allSatisfy { !$0.sentence.isEmpty })
    }

    @Test func `the grade has the passed checks and lists the failed ones`() async {
        let good = await Self.honest.grade()
        let empty = ProviderFixture(ProviderPlugin(StudyProvider.self), id: "study.example", options: [:]) { _ in
            ProviderScript(endpoints: [], signIns: [])
        }
        let bad = await ConformanceSuite(empty).grade()

        #expect(good == "GRADE study \(Self.honest.checks.count)/\(Self.honest.checks.count)")
        #expect(bad.contains("FAILED study subject-is-an-id: ") && bad.contains("NOT-APPLICABLE study "))
    }

    @Test func `an exemption is shown with its reason`() async {
        let fixture = ProviderFixture(
            ProviderPlugin(StudyProvider.self), id: "study.example", options: [:],
            exemptions: ["subject-is-an-id": "users are known by address here"]
        ) { _ in ProviderScript(endpoints: [], signIns: []) }

        let check = ConformanceSuite.allChecks.first { $0.id == "subject-is-an-id" }

        #expect(await check?.run(fixture) == .notApplicable("users are known by address here"))
    }
}
