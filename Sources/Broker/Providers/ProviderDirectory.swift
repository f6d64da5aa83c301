import ProviderKit

/// The providers a broker offers at one moment, found by id.
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

    /// Brings every enabled entry to life. An entry that says what it said before keeps its instance, with all it has
    /// learned about its provider.
    ///
    /// - Throws: ``ConfigurationError``.
    init(
        _ sources: [ProviderSource], by factory: ProviderFactory, keeping earlier: ProviderDirectory = .none
    ) throws(ConfigurationError) {
        var providers: [ConfiguredProvider] = []
        for source in sources where source.entry.isEnabled {
            if let known = earlier.provider(source.entry.id), known.source == source {
                providers.append(known)
            } else {
                providers.append(try factory.provider(from: source))
            }
        }
        try Self.checkClients(of: providers, in: factory.path)
        self.providers = Self.labelled(providers)
        disabled = sources.map(\.entry).filter { !$0.isEnabled }
    }

    /// Refuses two entries that are one client at one provider: an answer to either would count for both.
    private static func checkClients(of providers: [ConfiguredProvider], in path: String) throws(ConfigurationError) {
        for (position, provider) in providers.enumerated() {
            let twin = providers[..<position].first {
                $0.instance.hasSameBytes(as: provider.instance)
                    && $0.provider.clientID.hasSameBytes(as: provider.provider.clientID)
            }
            guard let twin else { continue }
            throw ConfigurationError(
                path, at: (provider.source?.entry.pointer ?? "") + "/options/clientId",
                "is the client of \(twin.id) already.",
                fix: "Register a client of its own for \(provider.id) at the provider, or remove one of the entries.")
        }
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
        providers.first { $0.id.hasSameBytes(as: id) }
    }
}

extension ProviderDirectory {
    /// The name users see, also of a provider that is no longer configured.
    package func displayName(of id: String) -> String { provider(id)?.displayName ?? id }

    /// The providers with their labels: the entries' `displayName`, and the id beside a name that several have.
    static func labelled(_ providers: [ConfiguredProvider]) -> [ConfiguredProvider] {
        let names = providers.map { $0.source?.entry.displayName ?? $0.ownName }
        let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        return zip(providers, names).map { provider, name in
            var labelled = provider
            labelled.label = counts[name.lowercased()] == 1 ? name : "\(name) (\(provider.id))"
            return labelled
        }
    }
}
