import Broker
import ProviderKit
import Testing

/// The tables of `Docs/Tokens.md`. `TESTS_RECORD=1` writes them anew.
@Suite("the page about tokens")
struct TokensPageTests {
    @Test func `has the claims that are declared and the members that are tested`() throws {
        try RecordedPage("Docs/Tokens.md", madeBy: "TokensPageTests").check([
            ("claims", Self.claims), ("features", Self.features), ("wires", Self.wires),
        ])
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
