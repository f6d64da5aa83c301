import OAuth
import Testing

@Suite("A list of scopes")
struct ScopeListTests {
    @Test(arguments: ["openid", "!", "#[]~", "read:user", "https://example.com/a.b"])
    func `has scopes of printable ASCII`(scope: String) {
        #expect(ScopeList.isScope(scope))
        #expect(ScopeList(checking: " a  \(scope) ")?.scopes == ["a", scope])
    }

    @Test(arguments: ["a\"b", "a\\b", "a\tb", "a\u{7F}", "\u{E9}", "a\n"])
    func `has no quotes, backslashes, control characters or other letters`(scope: String) {
        #expect(!ScopeList.isScope(scope))
        #expect(ScopeList(checking: "a \(scope)") == nil)
    }

    @Test func `is read by its separator and written with spaces`() {
        #expect(ScopeList(checking: "a,b", separator: UInt8(ascii: ","))?.text == "a b")
        #expect(ScopeList(checking: "a b", separator: UInt8(ascii: ",")) == nil)
        #expect(ScopeList(checking: "")?.scopes == [])
        #expect(ScopeList("b  a").text == "b a" && !ScopeList.isScope("") && !ScopeList.isScope("a b"))
    }
}
