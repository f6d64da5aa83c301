import Broker
import Foundation
import Testing

/// The table of rules in `Docs/AccountPolicy.md`. `TESTS_RECORD=1` writes it anew.
@Suite("the rules of the account policy")
struct AccountRuleTests {
    private static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../Docs/AccountPolicy.md").standardized

    @Test func `each stand on the page with their sentence`() throws {
        var page = try String(contentsOf: Self.path, encoding: .utf8)
        let start = try #require(page.firstRange(of: "<!-- rules: made by AccountRuleTests -->\n")).upperBound
        let end = try #require(page.firstRange(of: "<!-- end of rules -->")).lowerBound
        let rows = AccountRule.allCases.map { "| `\($0.rawValue)` | \($0.sentence) |\n" }
        let table = "| rule | what it decides, and why |\n| --- | --- |\n" + rows.joined()
        if ProcessInfo.processInfo.environment["TESTS_RECORD"] != nil {
            page.replaceSubrange(start..<end, with: table)
            try page.write(to: Self.path, atomically: true, encoding: .utf8)
        } else {
            #expect(page[start..<end] == table)
        }
    }

    @Test func `each have a sentence of their own`() {
        #expect(Set(AccountRule.allCases.map(\.sentence)).count == AccountRule.allCases.count)
    }
}
