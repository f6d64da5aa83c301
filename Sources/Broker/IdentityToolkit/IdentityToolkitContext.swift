import BrokerStore
import ProviderKit

/// The context of Identity Toolkit's API: the flows of its methods, and its callers.
package final class IdentityToolkitContext: StoreLayer {
    package let stored: StoreContext
    let providers: ProvidersContext
    let sessions: SessionContext
    let outbox: OutboxContext
    let accounts: AccountContext
    let redirects: RedirectContext
    let apiKeys: [Configuration.APIKey]
    /// The one project of this broker, and its number.
    let projectID: String
    let projectNumber: String
    let publicURL: String
    /// The domains that users may be sent back to.
    let domains: AuthorizedDomains
    /// Which apps get the provider tokens that the broker has exchanged, unless their API key says otherwise.
    let providerTokens: Policy.ProviderTokenAudience

    init(_ redirects: RedirectContext, _ configuration: Configuration) {
        stored = redirects.stored
        providers = redirects.providers
        sessions = redirects.sessions
        accounts = redirects.accounts
        outbox = accounts.outbox
        self.redirects = redirects
        apiKeys = configuration.apiKeys
        projectID = configuration.project.id
        projectNumber = configuration.project.number
        publicURL = configuration.publicURL
        domains = AuthorizedDomains(providers.settings, publicURL: configuration.publicURL)
        providerTokens = configuration.policy.providerTokens
    }
}
