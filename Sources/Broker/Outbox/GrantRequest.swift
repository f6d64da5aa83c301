import BrokerStore
import ProviderKit

/// A request to a provider about a stored grant.
enum GrantRequest: Sendable {
    /// New tokens for the refresh token.
    case refresh(any GrantRefresh)
    /// Whether an access token without expiry is still valid, and with which scopes.
    case check(any IdentityProvider)

    /// `nil` when the provider cannot be asked: it has no such request, or the entry is for another client or instance now.
    init?(_ tokens: UpstreamGrant, of identity: Identity, at provider: ConfiguredProvider) {
        let plugin = provider.provider
        let clients = (plugin as? any GrantRevocation)?.clientIDs ?? [plugin.clientID]
        guard provider.isInstallation(of: identity.issuer),
            clients.contains(where: { $0.hasSameBytes(as: tokens.clientID) })
        else { return nil }
        if tokens.refreshToken != nil, let refreshing = plugin as? any GrantRefresh {
            self = .refresh(refreshing)
        } else if tokens.expiresAt == nil, plugin.accepts.contains(.accessToken) {
            self = .check(plugin)
        } else {
            return nil
        }
    }

    /// Asks the provider.
    ///
    /// - Parameter tokens: The grant.
    /// - Returns: The grant with its present tokens and scopes.
    /// - Throws: ``ProviderError``.
    func send(_ tokens: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        switch self {
        case .refresh(let plugin):
            let fresh = try await plugin.refresh(tokens)
            return UpstreamGrant(
                clientID: tokens.clientID, accessToken: fresh.accessToken, refreshToken: fresh.refreshToken,
                scopes: fresh.scopes, expiresAt: fresh.expiresAt)
        case .check(let plugin):
            let found = try await plugin.verify(Credential(.accessToken(tokens.accessToken)))
            return UpstreamGrant(
                clientID: tokens.clientID, accessToken: tokens.accessToken,
                scopes: found.grant?.scopes ?? tokens.scopes, expiresAt: found.grant?.expiresAt)
        }
    }

    /// Whether an error says that the provider has withdrawn the grant, and not that something else was wrong with it.
    func isRefusal(_ error: ProviderError) -> Bool {
        switch self {
        case .refresh: error.fault == .credential && error.step == .refresh
        case .check: error.fault == .credential && error.step == .introspect
        }
    }
}
