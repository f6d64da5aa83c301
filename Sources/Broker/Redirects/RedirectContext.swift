import BrokerStore
import ProviderKit

/// The context of what a user agent or a device does at a provider: the attempts that wait for a provider's answer.
package final class RedirectContext: StoreLayer {
    package let stored: StoreContext
    package let providers: ProvidersContext
    let sessions: SessionContext
    package let accounts: AccountContext
    package let attempts: SignInAttempts

    init(_ accounts: AccountContext) {
        stored = accounts.stored
        providers = accounts.providers
        sessions = accounts.sessions
        self.accounts = accounts
        attempts = SignInAttempts(stored, limiter: sessions.limiter)
    }
}
