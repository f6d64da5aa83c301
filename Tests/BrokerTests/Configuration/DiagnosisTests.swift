import Foundation
import NIOHTTP1
import Testing

@testable import Broker

@Suite("the table of diagnoses")
struct DiagnosisTests {
    @Test func `Docs/Doctor.md has every code with its texts, and no other`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Doctor.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }

        #expect(rows.map(String.init) == Diagnosis.allCases.map(Self.row))
    }

    @Test func `the page explains every code in each language, to everybody`() async throws {
        try await TestBroker.run { broker in
            for language in PageLanguages.embedded.all.map(\.tag) {
                let page = try await broker.send(.GET, "/diagnose", headers: ["Accept-Language": language])

                #expect(page.status == 200)
                for diagnosis in Diagnosis.allCases { #expect(page.text.contains(">\(diagnosis.rawValue)<")) }
                #expect(page.text.contains("<html lang=\"\(language)\""))
            }
        }
    }

    private static func row(_ diagnosis: Diagnosis) -> String {
        let kind = diagnosis.isFound ? diagnosis.isWarning ? "warning" : "problem" : "explained"
        let text = diagnosis.text
        return "| `\(diagnosis.rawValue)` | \(kind) | \(text.symptom) | \(text.cause) | \(text.remedy) |"
    }
}
