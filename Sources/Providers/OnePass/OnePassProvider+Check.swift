public import ProviderKit

extension OnePassProvider: ConfigurationCheck {
    /// The discovery document.
    public var probeURL: String? { OpenIDDiscovery.documentURL(below: api.url) }

    /// Reads discovery and keys, then redeems a code that cannot exist: 1Pass answers `invalid_grant` to a client it
    /// knows, `invalid_client` to one it does not.
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
