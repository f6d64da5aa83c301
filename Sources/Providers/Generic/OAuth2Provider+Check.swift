public import ProviderKit

extension OAuth2Provider: ConfigurationCheck {
    /// Asks, as our client, about a code that cannot exist.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        .distinct(await ConfigurationProbe(context).client(client, fix: Self.clientFix))
    }

    static let clientFix =
        "Compare options.clientId, its secret or key, and tokenEndpointAuthMethod with the provider's page."
}
