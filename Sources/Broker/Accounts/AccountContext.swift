import BrokerStore
import ProviderKit

/// The context of the accounts: the policy by which sign-ins find their users, and the writes of what they prove.
package final class AccountContext: StoreLayer {
    package let stored: StoreContext
    package let providers: ProvidersContext
    package let sessions: SessionContext
    package let outbox: OutboxContext
    let policy: Policy
    let settings: LiveProjectSettings
    let writer: IdentityWriter
    let pendingTokens: PendingTokens
    let mergeSnapshots: MergeSnapshots
    /// Seals the secrets of devices.
    let deviceSealer: Sealer
    /// The providers that are not asked during a refresh.
    let pauses = ProviderPauses()

    /// - Throws: ``ConfigurationError`` for a step-up rule that no session can meet.
    init(_ outbox: OutboxContext, _ sessions: SessionContext, _ configuration: Configuration) throws {
        stored = outbox.stored
        providers = outbox.providers
        self.sessions = sessions
        self.outbox = outbox
        policy = configuration.policy
        settings = providers.settings
        try policy.checkStepUp()
        let (vault, masterKey) = (stored.vault, stored.masterKey)
        writer = IdentityWriter(vault: vault, rules: sessions.rules, autoLinkProfile: policy.autoLinkProfile)
        pendingTokens = PendingTokens(stored)
        mergeSnapshots = MergeSnapshots(vault: vault, masterKey: masterKey)
        deviceSealer = Sealer(masterKey, for: .vault)
    }
}
