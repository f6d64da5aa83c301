import BrokerStore
import ProviderKit

/// The context of what is still to happen outside of the store: withdrawals and refreshes at providers, events for
/// apps.
package final class OutboxContext: StoreLayer {
    package let stored: StoreContext
    package let providers: ProvidersContext
    /// The grants that are to be revoked at their providers.
    package let withdrawals: Withdrawals
    /// The events for webhooks and the logout tokens for clients.
    package let events: Events
    /// Nil when the configuration turns probes off.
    package let grantProbes: GrantProbes?

    init(_ providers: ProvidersContext, _ sessions: SessionContext, _ configuration: Configuration) {
        stored = providers.stored
        self.providers = providers
        withdrawals = Withdrawals(providers)
        let allowsLoopback = configuration.allowsInsecureLoopbackDeliveries
        let sender = EventSender(clients: providers.clients, allowsInsecureLoopback: allowsLoopback)
        events = Events(
            stored: stored, webhooks: Webhooks(stored, sender: sender, allowsInsecureLoopback: allowsLoopback),
            logoutTokens: LogoutTokens(issuer: configuration.publicURL, keys: sessions.openIDSigningKeys),
            sender: sender)
        let probes = configuration.grantProbes
        grantProbes = probes.isEnabled ? GrantProbes(providers, probes) : nil
    }
}
