import BrokerStore
import ProviderKit

/// A fresh authorization code of a provider that a client sends with a deletion or a revocation; unverified.
package struct ProviderCode: Sendable {
    /// The id of the entry; nil for the only linked one that takes codes.
    package let provider: String?
    package let code: String
    /// The redirect URI of a code that a browser brought; nil for a code of a device.
    package let redirectURI: String?
    /// The client that requested it; nil when the app does not say.
    package let clientID: String?

    package init(provider: String?, code: String, redirectURI: String?, clientID: String?) {
        self.provider = provider
        self.code = code
        self.redirectURI = redirectURI
        self.clientID = clientID
    }
}

extension AccountContext {
    /// Exchanges a provider's authorization code for a grant of an identity that is linked already.
    ///
    /// - Parameters:
    ///   - code: The code. It is used up, whatever follows.
    ///   - identities: The user's identities.
    /// - Returns: The identity that the code belongs to, and the grant.
    /// - Throws: ``BrokerError``: ``BrokerError/providerNotLinked(_:)`` without a request to the provider,
    ///   ``BrokerError/providerCodeExpired`` for a used, expired or foreign code, and an error of kind
    ///   `INVALID_IDP_RESPONSE` for a code of another user.
    func exchange(
        _ code: ProviderCode, among identities: [Identity]
    ) async throws -> (identity: Identity, grant: UpstreamGrant) {
        let (identity, configured, provider) = try provider(of: code, among: identities)
        try configured.checkClient(code.clientID)
        let credential = Credential(
            .authorizationCode(.init(code: code.code, redirectURI: code.redirectURI)))
        guard credential.isWellFormed, case .authorizationCode(let sent) = credential.proof else {
            throw BrokerError.providerCodeExpired
        }
        let user: ExternalIdentity
        do {
            user = try await configured.ask(about: credential) {
                try await configured.attempts.checking(credential) {
                    try await provider.exchange(sent, of: code.clientID)
                }
            }
        } catch BrokerError.authorizationCodeRejected {
            throw BrokerError.providerCodeExpired
        }
        guard user.subject.hasSameBytes(as: identity.subject), configured.instance.hasSameBytes(as: identity.issuer)
        else { throw BrokerError.providerAnswerUnusable("The authorization code belongs to another user.") }
        guard let grant = user.grant else {
            throw BrokerError.providerAnswerUnusable("The provider gave no token for the authorization code.")
        }
        return (identity, grant)
    }

    private func provider(
        of code: ProviderCode, among identities: [Identity]
    ) throws(BrokerError) -> (Identity, ConfiguredProvider, any CodeExchange) {
        let directory = providers.current
        if let id = code.provider {
            guard let configured = directory.provider(id) else { throw .unknownProvider(id) }
            guard let provider = configured.provider as? any CodeExchange else {
                throw .credentialKindNotAccepted(.authorizationCode)
            }
            guard let identity = identities.first(where: { $0.provider.hasSameBytes(as: id) }) else {
                throw .providerNotLinked(id)
            }
            return (identity, configured, provider)
        }
        let candidates = identities.compactMap { identity -> (Identity, ConfiguredProvider, any CodeExchange)? in
            guard let configured = directory.provider(identity.provider),
                let provider = configured.provider as? any CodeExchange
            else { return nil }
            return (identity, configured, provider)
        }
        guard let only = candidates.first, candidates.count == 1 else { throw .providerNotLinked(nil) }
        return only
    }
}

extension ConfiguredProvider {
    /// Refuses a client that a request names and the entry does not have.
    ///
    /// - Throws: ``BrokerError/operationNotAllowed(_:)``.
    func checkClient(_ clientID: String?) throws(BrokerError) {
        guard let clientID else { return }
        guard hasClient(clientID) else {
            throw .operationNotAllowed("clientId names no client of \(id).")
        }
    }
}
