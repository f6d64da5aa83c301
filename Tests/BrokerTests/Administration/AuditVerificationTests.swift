import ProviderKit
import Testing

@testable import Broker

@Suite("one verification of the audit at a time")
struct AuditVerificationTests {
    private static let report = AuditReport(
        entries: 1, findings: [], findingCount: 0, next: nil, removed: 0, head: nil, unsealed: 0, oldestUnsealed: nil)

    @Test func `the same stretch joins the one that runs, and another one is told that one runs`() async throws {
        let verification = AuditVerification()
        let (first, second) = (
            AuditVerification.Stretch(after: nil, expected: nil), AuditVerification.Stretch(after: 20, expected: nil)
        )
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let running = try verification.report(on: first) {
            for await _ in ends { break }
            return Self.report
        }
        let joined = try verification.report(on: first) { throw TestFailure("a second one") }
        #expect(joined == running)
        #expect(throws: AdminFailure.verificationRuns) {
            try verification.report(on: second) { throw TestFailure("a second one") }
        }

        end.yield()

        #expect(try await running.value == Self.report)
        var later = Self.report
        later.entries = 2
        let next = try verification.report(on: second) { [later] in later }
        #expect(try await next.value == later)
        let again = try verification.report(on: first) { [later] in later }
        #expect(try await again.value == later, "a report is not kept")
    }

    @Test func `one that failed ends too`() async throws {
        let verification = AuditVerification()
        let stretch = AuditVerification.Stretch(after: nil, expected: nil)
        let failing = try verification.report(on: stretch) { throw TestFailure("no store") }
        await #expect(throws: TestFailure.self) { try await failing.value }
        let next = try verification.report(on: stretch) { Self.report }
        #expect(try await next.value == Self.report)
    }
}
