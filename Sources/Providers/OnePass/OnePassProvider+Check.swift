public import ProviderKit

extension OnePassProvider: ConfigurationCheck {
    /// The discovery document.
    public var probeURL: String? { OpenIDDiscovery.documentURL(below: api.url) }

    /// Loads discovery and keys, then redeems an invalid code: 1Pass returns `invalid_grant` to a known client,
    /// `invalid_client` to an unknown one.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        let probe = ConfigurationProbe(api.context)
        let document: OpenIDConfiguration
        do throws(ConfigurationFinding) {
            document = try await probe.discovery(at: api.url, issuer: api.issuer)
        } catch {
            return [error]
        }
        let client = await probe.client(
            api.client(at: document),
            fix: "Copy client id and secret from the developer console once more. A public client must have no "
                + "clientSecret, a confidential one needs it.")
        return .distinct(await probe.keySet(at: document.keySetURL), client)
    }
}
