public import ProviderKit

extension GitLabProvider: ConfigurationCheck {
    /// The discovery document.
    public var probeURL: String? { OpenIDDiscovery.documentURL(below: instance) }

    /// Loads discovery and keys, then redeems an invalid code: GitLab returns `invalid_grant` to a known client,
    /// `invalid_client` to an unknown one.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        let probe = ConfigurationProbe(context)
        do {
            let document = try await probe.discovery(at: instance)
            return [await probe.keySet(at: document.keySetURL), await clientFinding(probe)].compactMap(\.self)
        } catch {
            return [error]
        }
    }

    private func clientFinding(_ probe: ConfigurationProbe) async -> ConfigurationFinding? {
        await probe.client(
            oauth,
            fix: "Copy Application ID and Secret from the application's page at \(instance) once more. Leave "
                + "clientSecret out only for an application that is not confidential.")
    }
}
