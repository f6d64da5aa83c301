import ProviderKit

extension ConfiguredProvider {
    /// What users call it.
    package var displayName: String { label ?? ownName }

    /// The plugin's own name for its service, with the operator's name for further installations (`gitlab.acme`); an entry
    /// of a plugin that is many providers has the operator's name alone (`oidc.keycloak`).
    var ownName: String {
        if let known = FirebaseProviderID(rawValue: id) { return known.displayName }
        let plugin = type(of: provider)
        // Simulators and mirrors stand under the service's own id.
        guard let dot = id.firstIndex(of: "."), !provider.isPublicInstance, plugin.publicInstance?.id != id else {
            return plugin.displayName ?? id
        }
        let given = String(id[id.index(after: dot)...])
        return plugin.displayName.map { "\($0) (\(given))" } ?? given
    }
}

extension ProviderDirectory {
    /// What users call a provider, also one that is no longer configured.
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
