import ProviderKit
import Testing

@testable import BrokerCommand

@Suite("The grades of a package's plugins")
struct PluginGradeReportTests {
    @Test func `the report has each grade with its objections, and nothing else of the output`() {
        let report = PluginGradeReport(
            """
            Test run started.
            GRADE acme 101/103
            FAILED acme tells-users-apart: another user is not that one
              FIX Take subject and address from this sign-in's responses.
            NOT-APPLICABLE acme 2 checks: has no ID tokens
            GRADE other 90/90
            Test run with 2 tests passed.
            """)

        #expect(report.lines.count == 5)
        #expect(report.plugins.map(\.kind) == ["acme", "other"])
        #expect(!report.isFull)
        #expect(report.document["plugins"]?.array?.first?["passed"] == 101)
        #expect(report.document["remarks"]?.array?.count == 3)
    }

    @Test func `only plugins that pass every check have the full grade`() {
        #expect(PluginGradeReport("GRADE acme 103/103\n").isFull)
        #expect(PluginGradeReport("no grade at all").plugins.isEmpty)
    }
}
