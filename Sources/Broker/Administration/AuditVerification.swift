import Synchronization

/// The verification of the audit that this broker runs: one at a time, since each reads and hashes thousands of entries.
final class AuditVerification: Sendable {
    /// What is verified.
    struct Stretch: Sendable, Hashable {
        /// The last entry before it; nil at the beginning.
        let after: Int64?
        let expected: AuditHead?
    }

    private let running = Mutex<(stretch: Stretch, report: Task<AuditReport, any Error>)?>(nil)

    /// The verification of a stretch: the one that runs, or a new one.
    ///
    /// - Parameters:
    ///   - stretch: The stretch.
    ///   - verify: Verifies it.
    /// - Returns: The verification.
    /// - Throws: ``AdminFailure/verificationRuns`` while another stretch is verified.
    func report(
        on stretch: Stretch, _ verify: @escaping @Sendable () async throws -> AuditReport
    ) throws(AdminFailure) -> Task<AuditReport, any Error> {
        try running.withLock { running throws(AdminFailure) in
            if let running {
                guard running.stretch == stretch else { throw .verificationRuns }
                return running.report
            }
            let report = Task {
                defer { end() }
                return try await verify()
            }
            running = (stretch, report)
            return report
        }
    }

    private func end() { running.withLock { $0 = nil } }
}

extension AdminFailure {
    /// Another administrator verifies another stretch of the audit.
    static let verificationRuns = AdminFailure(
        code: "AUDIT_VERIFICATION_RUNNING",
        "another administrator verifies the audit at this moment: try again in a few seconds")
}
