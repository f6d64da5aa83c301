import Broker
import Foundation
import ProviderKit
import Testing

/// The tables of `Docs/Tokens.md`. `TESTS_RECORD=1` writes them anew.
@Suite("the page about tokens")
struct TokensPageTests {
    private static let path = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "../../../Docs/Tokens.md").standardized

    @Test func `has the claims that are declared and the members that are tested`() throws {
        var page = try String(contentsOf: Self.path, encoding: .utf8)
        for (name, table) in [("claims", Self.claims), ("features", Self.features), ("wires", Self.wires)] {
            let start = try #require(page.firstRange(of: "<!-- \(name): made by TokensPageTests -->\n")).upperBound
            let end = try #require(page.firstRange(of: "<!-- end of \(name) -->")).lowerBound
            if ProcessInfo.processInfo.environment["TESTS_RECORD"] != nil {
                page.replaceSubrange(start..<end, with: table)
                try page.write(to: Self.path, atomically: true, encoding: .utf8)
            } else {
                #expect(page[start..<end] == table)
            }
        }
    }

    private static var claims: String {
        let documents: [SessionClaim.Document] = [.idToken, .accessToken, .userInfo, .introspection]
        let rows = SessionClaim.all.map { claim in
            let marks = documents.map { claim.documents.contains($0) ? "yes" : "" }
            return ["`\(claim.name)`"] + marks + [
                claim.scope.map { "`\($0.rawValue)`" } ?? "", claim.source, claim.text,
            ]
        }
        return table(["claim"] + documents.map(\.rawValue) + ["scope", "source", "meaning"], rows)
    }

    private static var features: String {
        let rows = ShownFeature.allCases.flatMap { feature in
            [true, false].map { isIdentityToolkit in
                [feature.rawValue, isIdentityToolkit ? "Identity Toolkit" : "OpenID Connect"]
                    + Document.allCases.map { document in
                        switch feature.cell(in: document, isIdentityToolkit: isIdentityToolkit) {
                        case .member(let path): "`\(path.joined(separator: "."))`"
                        case .excluded(let section): section
                        }
                    }
            }
        }
        return table(["", "family"] + Document.allCases.map(\.rawValue), rows)
    }

    private static var wires: String {
        let rows = Feature.allCases.map { feature in
            [feature.rawValue]
                + Wire.allCases.map { wire in
                    switch feature.cell(on: wire) {
                    case .tested: "yes"
                    case .excluded(let section): section
                    }
                }
        }
        return table([""] + Wire.allCases.map(\.rawValue), rows)
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
