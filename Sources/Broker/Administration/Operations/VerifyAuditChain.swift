import BrokerStore

/// `audit.verify`: verifies a stretch of the audit's hash chain.
package struct VerifyAuditChain: AdminOperation {
    package static let declaration = OperationDeclaration(
        "audit.verify", "Verifies a stretch of the audit's hash chain.", .readAudit, .reads,
        [
            .option("after", "`next` of the answer for the stretch before; the beginning when absent."),
            .option("expected", "An earlier end of the chain, as `number:seal`, which the chain has to contain."),
        ], heading: "Verify the audit")
    package typealias Answer = AuditReport

    let after: Int64?
    let expected: String?

    package init(after: Int64? = nil, expected: String? = nil) {
        self.after = after
        self.expected = expected
    }

    package func run(for call: AdminCall) async throws -> AuditReport {
        if let after, after < 0 { throw AdminFailure.parameter("after", "takes the number of an entry") }
        let head = expected.flatMap { AuditHead($0) }
        guard expected == nil || head != nil else {
            throw AdminFailure.parameter("expected", "takes the end of a chain as audit verify prints it: number:seal")
        }
        return try await call.admin.verifyAudit(after: after, expecting: head)
    }
}

extension VerifyAuditChain {
    /// Verifies the chain stretch by stretch, and adds the reports up.
    ///
    /// - Parameters:
    ///   - expected: An earlier end of the chain, as `number:seal`, which the chain has to contain.
    ///   - runner: Runs the operation.
    /// - Returns: The report.
    /// - Throws: An error of the operation.
    package static func wholeChain(
        expecting expected: String?, by runner: some OperationRunner
    ) async throws -> AuditReport {
        var total = try await VerifyAuditChain(expected: expected).report(by: runner)
        while let next = total.next {
            var sum = try await VerifyAuditChain(after: next).report(by: runner)
            sum.findings = total.findings + sum.findings.prefix(max(100 - total.findings.count, 0))
            sum.entries += total.entries
            sum.findingCount += total.findingCount
            total = sum
        }
        return total
    }

    /// The report on the stretch, once other administrators' verifications let it run.
    private func report(by runner: some OperationRunner) async throws -> AuditReport {
        for _ in 0..<60 {
            do {
                return try await runner.run(self)
            } catch let failure as AdminFailure where failure.code == AdminFailure.verificationRuns.code {
                try await Task.sleep(for: .seconds(1))
            }
        }
        return try await runner.run(self)
    }
}
