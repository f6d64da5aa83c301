import Foundation
import ProviderKit
import Testing

@testable import Broker

/// The table of operations and roles in `Docs/Console.md`. `TESTS_RECORD=1` writes it anew.
@Suite("the page about the console")
struct ConsoleRolesTests {
    @Test func `the page has the roles of every operation`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Docs/Console.md").standardized
        var page = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(page.firstRange(of: "<!-- roles: made by ConsoleRolesTests -->\n")).upperBound
        let end = try #require(page.firstRange(of: "<!-- end of roles -->")).lowerBound
        if ProcessInfo.processInfo.environment["TESTS_RECORD"] != nil {
            page.replaceSubrange(start..<end, with: Self.table)
            try page.write(to: path, atomically: true, encoding: .utf8)
        } else {
            #expect(page[start..<end] == Self.table)
        }
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
