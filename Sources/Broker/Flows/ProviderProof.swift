import BrokerStore
import Logging
import ProviderKit

/// The first half of every federated flow: find the plugin, let it ask the provider, re-validate what it says.
struct ProviderProof: Sendable {
    let providers: ProviderDirectory

    /// - Throws: ``BrokerError``. What the operator needs to know goes to the log, without any credential.
    func callAsFunction(_ credential: Credential, from providerID: String) async throws(BrokerError) -> Evidence {
        let provider = try providers.provider(providerID, accepting: credential.kind)
        do {
            // Clients give up after thirty seconds; what they no longer wait for must not sign them in.
            let identity = try await Deadline.run(within: .seconds(20)) {
                try await provider.provider.verify(credential)
            }
            return try Evidence(identity, from: provider)
        } catch is DeadlineExceeded {
            log(ProviderError(.upstream, at: .fetchProfile, "no verdict within 20 s"), of: provider)
            throw .providerUnavailable(retryAfter: nil)
        } catch let error as ProviderError {
            log(error, of: provider)
            throw BrokerError(error)
        } catch let error as BrokerError {
            throw error
        } catch {
            throw .credentialRejected
        }
    }

    private func log(_ error: ProviderError, of provider: ConfiguredProvider) {
        let level: Logger.Level =
            switch error.fault {
            case .credential, .cancelled, .nonce: .info
            case .upstream: .warning
            case .configuration: .error
            }
        Logger.current.log(
            level: level, "provider did not vouch",
            metadata: [
                "provider": "\(provider.id)", "fault": "\(error.fault.rawValue)", "step": "\(error.step.rawValue)",
                "reason": "\(error.reason)",
            ])
    }
}

extension BrokerError {
    init(_ error: ProviderError) {
        self =
            switch error.fault {
            case .credential: .credentialRejected
            case .cancelled: .cancelledAtProvider
            case .upstream: .providerUnavailable(retryAfter: error.retryAfter)
            case .configuration: .providerMisconfigured
            case .nonce: .missingOrInvalidNonce
            }
    }
}
