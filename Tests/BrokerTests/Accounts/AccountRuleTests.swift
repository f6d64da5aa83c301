import Broker
import Testing

/// The table of rules in `Docs/AccountPolicy.md`. `TESTS_RECORD=1` writes it anew.
@Suite("the rules of the account policy")
struct AccountRuleTests {
    @Test func `each stand on the page with their sentence`() throws {
        let rows = AccountRule.allCases.map { "| `\($0.rawValue)` | \($0.sentence) |\n" }
        let table = "| rule | what it decides, and why |\n| --- | --- |\n" + rows.joined()
        try RecordedPage("Docs/AccountPolicy.md", madeBy: "AccountRuleTests").check([("rules", table)])
    }

    @Test func `each have a sentence of their own`() {
        #expect(Set(AccountRule.allCases.map(\.sentence)).count == AccountRule.allCases.count)
    }
}
