import BrokerStore
import ProviderKit

/// The context of the providers: the configured ones with the way to them, and the settings of the project. Both follow
/// the files of the operator and what administrators write to the store.
package final class ProvidersContext: StoreLayer {
    package let stored: StoreContext
    /// The broker's public URL, below which the redirect URIs are.
    let publicURL: String
    /// The HTTP clients of everything that leaves the broker.
    let clients: EgressClients
    /// The entries of `plugins.json` and of the store.
    package let configured: ProviderConfiguration
    package let settings: LiveProjectSettings
    let codec: StoredProviderCodec
    package let storedConfiguration: StoredConfiguration
    /// The administrators of the console that the configuration names.
    let administrators: [ConsoleSettings.NamedAdministrator]

    /// Reads what administrators have written to the store.
    ///
    /// - Throws: ``ConfigurationError`` for an entry of the file that would make its users new ones, or a store's
    ///   error.
    init(
        _ stored: StoreContext, _ configured: ProviderConfiguration, _ clients: EgressClients,
        _ configuration: Configuration
    ) async throws {
        self.stored = stored
        self.configured = configured
        self.clients = clients
        publicURL = configuration.publicURL
        settings = LiveProjectSettings(configuration)
        codec = StoredProviderCodec(stored.masterKey, plugins: configured.plugins)
        administrators = configuration.console.administrators
        storedConfiguration = StoredConfiguration(
            stored, codec: codec, providers: configured, settings: settings, administrators: administrators)
        try await storedConfiguration.reload()
    }

    /// The providers as they are this moment.
    package var current: ProviderDirectory { configured.current }
}
