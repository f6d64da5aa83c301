package import Foundation
package import ProviderKit

/// The providers this broker offers, found by id.
package struct ProviderDirectory: Sendable {
    /// The enabled ones, in the order of the file.
    package let providers: [ConfiguredProvider]
    /// The entries that are off: their options are not looked at, so they may be half filled in.
    package let disabled: [PluginsFile.Entry]

    /// No providers at all, for work that asks none.
    package static let none = ProviderDirectory()

    private init() {
        providers = []
        disabled = []
    }

    /// Brings every enabled entry to life.
    ///
    /// - Throws: ``ConfigurationError``.
    package init(
        _ file: PluginsFile, plugins: [ProviderPlugin], clients: EgressClients, secrets: SecretSource,
        now: @escaping @Sendable () -> Date
    ) throws(ConfigurationError) {
        var providers: [ConfiguredProvider] = []
        disabled = file.entries.filter { !$0.isEnabled }
        for entry in file.entries where entry.isEnabled {
            guard let plugin = plugins.first(where: { $0.kind == entry.use }) else { continue }
            let upstream = HTTPUpstream(
                clients: clients, allowsInsecureLoopback: entry.allowsInsecureLoopback, gate: UpstreamGate(), now: now)
            let tokens = ProviderTokens(keySets: ProviderKeySets(now: now), upstream: upstream, now: now)
            let context = ProviderContext(
                id: entry.id, upstream: upstream, tokens: tokens, now: now,
                allowsInsecureLoopback: entry.allowsInsecureLoopback)
            let provider = try Self.provider(entry, plugin, context, file: file.path, secrets: secrets)
            providers.append(
                ConfiguredProvider(
                    id: entry.id, kind: entry.use,
                    trustsEmail: entry.trustEmail ?? Self.trustsEmail(provider),
                    mergesAutomatically: entry.autoMerge, provider: provider))
        }
        self.providers = providers
    }

    /// The enabled provider with this id that takes this kind of credential.
    ///
    /// - Throws: ``BrokerError/unknownProvider(_:)``, ``BrokerError/credentialKindNotAccepted(_:)``.
    func provider(_ id: String, accepting kind: Credential.Kind) throws(BrokerError) -> ConfiguredProvider {
        guard let found = provider(id) else { throw .unknownProvider(id) }
        guard found.provider.accepts.contains(kind) else { throw .credentialKindNotAccepted(kind) }
        return found
    }

    /// The enabled provider with this id.
    package func provider(_ id: String) -> ConfiguredProvider? {
        providers.first { $0.id.utf8.elementsEqual(id.utf8) }
    }

    private static func provider(
        _ entry: PluginsFile.Entry, _ plugin: ProviderPlugin, _ context: ProviderContext, file: String,
        secrets: SecretSource
    ) throws(ConfigurationError) -> any IdentityProvider {
        do {
            return try plugin.provider(
                options: entry.options, decoder: StrictFile.decoder(secrets: secrets),
                path: entry.pointer + "/options", in: context)
        } catch let error as JSONDecodingError {
            throw ConfigurationError(file, error)
        } catch let error as ProviderError {
            throw ConfigurationError(file, at: entry.pointer, error.reason + ".")
        } catch {
            throw ConfigurationError(file, at: entry.pointer, "the plugin refused its options.")
        }
    }

    /// Only the four public services are known to prove addresses; every other instance needs the operator's word.
    private static func trustsEmail(_ provider: any IdentityProvider) -> Bool {
        ["github", "gitlab", "apple", "1pass"].contains(type(of: provider).kind.rawValue) && provider.isPublicInstance
    }
}
