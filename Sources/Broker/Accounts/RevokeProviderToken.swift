package import BrokerStore
import ProviderKit

/// The client's proof of the grant.
package enum GrantProof: Sendable {
    case code(ProviderCode)
    case accessToken(String)
    case refreshToken(String)
}

extension AccountContext {
    /// Revokes the user's grant at a provider for a client (contract §2.11, `accounts:revokeToken`). The user, the
    /// identity and the sessions stay: apps delete the account afterwards.
    ///
    /// - Parameters:
    ///   - presented: The user's session.
    ///   - provider: The id of the entry.
    ///   - proof: What the client has of the grant.
    ///   - clientID: The client that obtained a token; nil for the client of the stored grant.
    ///   - origin: The request.
    /// - Returns: The receipts of the queued withdrawals.
    /// - Throws: ``BrokerError``; then nothing is queued, though a code is used up.
    @discardableResult
    package func revokeProviderToken(
        _ presented: PresentedSession, provider: String, _ proof: GrantProof, clientID: String?, origin: Origin
    ) async throws -> [WithdrawalReceipt] {
        let judged = try await sessions.verifier.judge(presented, at: now)
        let facts = try await store.read { try $0.liveSession(behind: judged) }
        let known = try linked(provider, clientID, among: facts.identities)
        var grant: UpstreamGrant?
        if case .code(let code) = proof { grant = try await exchange(code, among: facts.identities).grant }
        let order = outbox.withdrawals.order(.revoke)
        let now = now
        return try await store.write(at: now) { [self, grant] transaction in
            let facts = try transaction.liveSession(behind: judged)
            guard let identity = facts.identities.first(where: { $0.key == known.identity.key }) else {
                throw BrokerError.providerNotLinked(provider)
            }
            let origin = origin.acting(as: .user, facts.user.localID)
            let stored = try transaction.grants(of: facts.user.key).filter { $0.identityKey == identity.key }
            // The provider ends everything that the user granted to the app, so all stored grants are void afterwards.
            var receipts = try order.queue([identity], of: facts.user, in: transaction, by: origin)
                .filter { $0.state != .nothingStored }
            let presented = grant ?? proof.grant(of: clientID ?? stored.first?.clientID ?? known.clientID)
            let isStored = stored.contains { row in
                (try? self.stored.vault.open(row, of: identity))?.sharesToken(with: presented) == true
            }
            if !isStored {
                receipts.append(
                    try order.queue(presented, of: identity, user: facts.user.localID, in: transaction, by: origin))
            }
            try transaction.removeGrants(ofIdentity: identity.key)
            // The next sign-in is a first one again, with a name and an address of its own.
            try transaction.removeFirstTimeProfile(identity.identity)
            return receipts
        }
    }

    /// - Returns: The linked identity of the entry, and the entry's client.
    private func linked(
        _ id: String, _ clientID: String?, among identities: [Identity]
    ) throws(BrokerError) -> (identity: Identity, clientID: String) {
        guard let configured = providers.current.provider(id) else { throw .unknownProvider(id) }
        guard configured.provider is any CodeExchange else {
            throw .operationNotAllowed("\(id) takes no tokens for revocation. Unlink it with deleteProvider.")
        }
        try configured.checkClient(clientID)
        guard let identity = identities.first(where: { $0.provider.hasSameBytes(as: id) }) else {
            throw .providerNotLinked(id)
        }
        return (identity, configured.provider.clientID)
    }
}

extension GrantProof {
    /// The grant of a token that the client has; nothing shows whose it is, as with any revocation (RFC 7009 §2).
    fileprivate func grant(of clientID: String) -> UpstreamGrant {
        switch self {
        case .code: UpstreamGrant(clientID: clientID, accessToken: "")
        case .accessToken(let token): UpstreamGrant(clientID: clientID, accessToken: token)
        case .refreshToken(let token): UpstreamGrant(clientID: clientID, accessToken: "", refreshToken: token)
        }
    }
}
