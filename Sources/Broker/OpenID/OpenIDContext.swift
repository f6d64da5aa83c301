import BrokerStore
import ProviderKit

/// The context of the broker as OpenID Provider: its clients, and the flows that they and their users begin.
package final class OpenIDContext: StoreLayer {
    package let stored: StoreContext
    package let providers: ProvidersContext
    package let sessions: SessionContext
    package let outbox: OutboxContext
    package let accounts: AccountContext
    package let redirects: RedirectContext
    let policy: Policy
    /// The `iss` of its tokens: the broker's public URL.
    package let issuer: String
    package let clients: Clients
    package let tokens: OpenIDTokens
    package let verifier: OpenIDTokenVerifier
    package let devices: DeviceAuthorizations
    let assertions: ServiceAccountAssertions
    let earlyPolls = EarlyPolls()

    /// Reads the origins of public clients.
    ///
    /// - Throws: A store's error.
    init(_ redirects: RedirectContext) async throws {
        stored = redirects.stored
        providers = redirects.providers
        sessions = redirects.sessions
        accounts = redirects.accounts
        outbox = accounts.outbox
        self.redirects = redirects
        policy = accounts.policy
        issuer = providers.publicURL
        clients = Clients(stored)
        tokens = sessions.openIDTokens
        verifier = sessions.openIDVerifier
        devices = DeviceAuthorizations(stored, limiter: sessions.limiter)
        assertions = ServiceAccountAssertions(
            accounts: sessions.serviceAccounts, tokenURI: providers.publicURL + ServiceAccountKeyFile.tokenPath)
        try await clients.origins.reload()
    }
}
