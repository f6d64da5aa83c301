package import BrokerStore
import Foundation
import ProviderKit

/// Resumes the probes of an entry, for an administrator.
package struct ResumeProbes: Sendable {
    let store: Store
    let now: @Sendable () -> Date

    /// The entries whose probes are paused.
    package func paused() async throws -> [ProbePause] {
        try await store.read { try $0.probePauses() }
    }

    /// - Returns: false if they are not paused.
    /// - Throws: A store's error.
    package func callAsFunction(_ provider: String, origin: Origin) async throws -> Bool {
        try await store.write(at: Timestamp(now()), by: origin) { transaction in
            guard try transaction.resumeProbes(of: provider) else { return false }
            try transaction.audit("probes.resumed", of: nil, provider: provider)
            return true
        }
    }
}
