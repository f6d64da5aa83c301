import BrokerStore
package import Foundation
package import ProviderKit

/// The table of contents of the service: the context of each layer, made of those below.
package struct BrokerCore: StoreLayer {
    package let configuration: Configuration
    package let stored: StoreContext
    package let providers: ProvidersContext
    package let sessions: SessionContext
    package let outbox: OutboxContext
    package let accounts: AccountContext
    package let redirects: RedirectContext
    let toolkit: IdentityToolkitContext
    package let openID: OpenIDContext
    package let admin: AdminContext

    /// Opens the store and creates every context.
    ///
    /// - Parameters:
    ///   - configuration: What the operator decided.
    ///   - plugins: The providers of this build.
    ///   - environment: Where `{"env": …}` secrets are looked up.
    ///   - asksProviders: `false` for work that asks none, which then needs none of their secrets.
    ///   - now: The clock.
    /// - Returns: The core, to be closed by the caller.
    /// - Throws: ``ConfigurationError`` or a store's error; nothing is left open.
    package static func open(
        _ configuration: Configuration, plugins: [ProviderPlugin], environment: [String: String],
        asksProviders: Bool = true, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> BrokerCore {
        let masterKey = try MasterKey.load(configuration, environment: environment, now: now)
        let clients = EgressClients(
            privateNetworks: configuration.privateNetworks, timeout: configuration.providerTimeout)
        do {
            let factory = ProviderFactory(
                path: configuration.pluginsPath, plugins: plugins, clients: clients, environment: environment,
                publicURL: configuration.publicURL, now: now)
            let configured =
                asksProviders ? try ProviderConfiguration(factory) : ProviderConfiguration(describing: factory)
            try configuration.makeDataFolder()
            let store = try await Store.open(configuration.database)
            do {
                let stored = StoreContext(store, masterKey, clock: now)
                return try await BrokerCore(configuration, stored, configured, clients)
            } catch {
                await store.close()
                throw error
            }
        } catch {
            await clients.shutdown()
            throw error
        }
    }

    private init(
        _ configuration: Configuration, _ stored: StoreContext, _ configured: ProviderConfiguration,
        _ clients: EgressClients
    ) async throws {
        self.configuration = configuration
        self.stored = stored
        try await stored.adoptMasterKey()
        try await AuditChain(stored.masterKey).begin(in: stored.store, at: stored.now)
        try await stored.checkProject(configuration.project.id)
        providers = try await ProvidersContext(stored, configured, clients, configuration)
        sessions = try await SessionContext(stored, configuration)
        outbox = OutboxContext(providers, sessions, configuration)
        accounts = try AccountContext(outbox, sessions, configuration)
        redirects = RedirectContext(accounts)
        toolkit = IdentityToolkitContext(redirects, configuration)
        openID = try await OpenIDContext(redirects)
        admin = AdminContext(openID, configuration)
    }

    /// Closes everything that was opened. The core must not be used afterwards.
    package func close() async {
        await providers.clients.shutdown()
        await store.close()
    }
}
