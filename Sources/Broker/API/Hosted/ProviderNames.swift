import ProviderKit

extension ConfiguredProvider {
    /// What people call it: the service's own name, and for further installations what the operator called them.
    var displayName: String {
        let service =
            switch kind.rawValue {
            case "github": "GitHub"
            case "gitlab": "GitLab"
            case "apple": "Apple"
            case "1pass": "1Pass"
            default: ""
            }
        guard let dot = id.firstIndex(of: "."), !provider.isPublicInstance else {
            return service.isEmpty ? id : service
        }
        let given = id[id.index(after: dot)...]
        // Simulators and mirrors stand under the service's own id.
        if type(of: provider).publicInstance?.id == id { return service.isEmpty ? id : service }
        return service.isEmpty ? String(given) : "\(service) (\(given))"
    }

    /// Whether people can be sent there with a browser.
    var hasPage: Bool { provider is any RedirectSignIn && provider.accepts.contains(.authorizationCode) }
}

extension ProviderDirectory {
    /// Those people can be sent to with a browser.
    var withPage: [ConfiguredProvider] { providers.filter(\.hasPage) }

    /// What people call a provider, also one that is no longer configured.
    func displayName(of id: String) -> String { provider(id)?.displayName ?? id }
}
