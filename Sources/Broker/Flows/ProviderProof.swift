import BrokerStore
import Logging
import ProviderKit

/// The first half of every federated flow: find the plugin, let it ask the provider, re-validate what it says.
struct ProviderProof: Sendable {
    let providers: ProviderDirectory
    let profiles: FirstTimeProfiles

    /// A credential a provider has borne out.
    struct Proven: Sendable {
        let evidence: Evidence
        /// The ID token it rests on, where there is one.
        let token: VerifiedIDToken?
    }

    /// - Throws: ``BrokerError``, or a ``StoreError`` when what is told only once could not be kept. What the operator
    ///   needs to know goes to the log, without any credential.
    func callAsFunction(_ credential: Credential, from providerID: String) async throws -> Proven {
        let provider = try providers.provider(providerID, accepting: credential.kind)
        let profiles = profiles
        let scope = SignInScope { token in
            guard let told = credential.firstTimeProfile else { return }
            try await profiles.keep(told, with: token, from: provider)
        }
        do {
            // Clients give up after thirty seconds; what they no longer wait for must not sign them in.
            let identity = try await SignInScope.$current.withValue(scope) {
                try await Deadline.run(within: .seconds(20)) { try await provider.provider.verify(credential) }
            }
            guard credential.kind != .idToken || scope.token != nil else {
                throw ProviderError(.configuration, at: .verifyIDToken, "the plugin took an ID token unverified")
            }
            let evidence = try Evidence(identity, from: provider)
            return Proven(evidence: try await profiles.complete(evidence, from: provider), token: scope.token)
        } catch is DeadlineExceeded {
            log(ProviderError(.upstream, at: .fetchProfile, "no verdict within 20 s"), of: provider)
            throw BrokerError.providerUnavailable(retryAfter: nil)
        } catch let error as ProviderError {
            if let failure = scope.failure { throw failure }
            log(error, of: provider)
            throw BrokerError(error)
        } catch let error as BrokerError {
            throw error
        } catch let error as StoreError {
            throw error
        } catch {
            throw BrokerError.credentialRejected
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
