import BrokerStore
package import ProviderKit

/// Where a federated flow gets its evidence from.
package enum FederatedSource: Sendable {
    /// A credential, to be proven by its provider now.
    case credential(Credential, provider: String)
    /// A token this broker gave out when the provider had proven it already.
    case pendingToken(String)
}

/// Proves a source, whichever it is.
struct FederatedProof: Sendable {
    let proof: ProviderProof
    let pendingTokens: PendingTokens

    /// - Throws: ``BrokerError``.
    func callAsFunction(_ source: FederatedSource, at now: Timestamp) async throws -> ProvenSource {
        switch source {
        case .credential(let credential, let provider):
            return ProvenSource(
                evidence: try await proof(credential, from: provider), pendingToken: nil,
                isOneTime: credential.isOneTime)
        case .pendingToken(let token):
            let evidence = try await pendingTokens.evidence(behind: token, at: now)
            // The operator may have switched the provider off since.
            guard proof.providers.provider(evidence.key.provider) != nil else {
                throw BrokerError.unknownProvider(evidence.key.provider)
            }
            return ProvenSource(evidence: evidence, pendingToken: token, isOneTime: true)
        }
    }
}

/// Evidence with what it takes to use it again.
struct ProvenSource: Sendable {
    let evidence: Evidence
    /// The token it came by, to be used up when something is written.
    let pendingToken: String?
    /// Whether the client could not send the same credential a second time.
    let isOneTime: Bool
}

extension Credential {
    /// Codes are spent by their first use, nonce-bound ID tokens count once.
    fileprivate var isOneTime: Bool {
        switch proof {
        case .authorizationCode: true
        case .idToken(let token): token.rawNonce != nil
        case .accessToken, .assertion: false
        }
    }
}
