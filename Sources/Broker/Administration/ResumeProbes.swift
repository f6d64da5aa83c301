package import BrokerStore
import ProviderKit

extension AdminContext {
    /// The entries whose probes are paused.
    package func pausedProbes() async throws -> [ProbePause] {
        try await store.read { try $0.probePauses() }
    }

    /// Resumes the probes of an entry.
    ///
    /// - Returns: false if they are not paused.
    /// - Throws: A store's error.
    package func resumeProbes(_ provider: String, origin: Origin) async throws -> Bool {
        try await write(by: origin) { transaction in
            guard try transaction.resumeProbes(of: provider) else { return false }
            try transaction.audit("probes.resumed", of: nil, provider: provider)
            return true
        }
    }
}
