import ProviderKit
import Testing

@testable import Broker

/// The table of operations and roles in `Docs/Console.md`. `TESTS_RECORD=1` writes it anew.
@Suite("the page about the console")
struct ConsoleRolesTests {
    @Test func `the page has the roles of every operation`() throws {
        try RecordedPage("Docs/Console.md", madeBy: "ConsoleRolesTests").check([("roles", Self.table)])
    }

    private static var table: String {
        let roles = ConsoleRole.allCases
        let head = "| Operation | Scope |" + roles.map { " \($0.rawValue) |" }.joined()
        let line = "|---|---|" + roles.map { _ in "---|" }.joined()
        let rows = AdminOperations.all.map { operation in
            let scope = operation.declaration.scope
            let cells = roles.map { role in scope.map(role.scopes.contains) ?? true ? " yes |" : " |" }
            return "| `\(operation.name)` | \(scope.map { "`\($0.rawValue)`" } ?? "any") |" + cells.joined()
        }
        return ([head, line] + rows).joined(separator: "\n") + "\n"
    }
}
