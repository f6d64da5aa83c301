package import BrokerStore

/// A provider that signs a user in, with what the user has granted there.
package struct ConnectedProvider: Sendable {
    package let identity: Identity
    /// The scopes of the stored grants, in the provider's words; nil where none is stored.
    package let scopes: [String]?
    /// What would become of the grants if the identity or the user were deleted now.
    package let withdrawal: WithdrawalForecast
}

extension AccountContext {
    /// The providers that sign the user of a session in, in the order in which they were linked.
    ///
    /// - Throws: A store's error.
    package func connectedProviders(of facts: SessionFacts) async throws -> [ConnectedProvider] {
        let grants = try await store.read { try $0.grants(of: facts.user.key) }
        return facts.identities.map { identity in
            let own = grants.filter { $0.identityKey == identity.key }
            let scopes = Set(own.flatMap { $0.scopes.split(separator: " ").map(String.init) }).sorted()
            return ConnectedProvider(
                identity: identity, scopes: own.isEmpty ? nil : scopes,
                withdrawal: outbox.withdrawals.forecast(of: identity, hasGrant: !own.isEmpty))
        }
    }
}
