public import ProviderKit

extension OAuth2Provider: ConfigurationCheck {
    /// Asks, as our client, about a code that cannot exist.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        .distinct(
            await ConfigurationProbe(context).client(
                client, redirectURI: Self.checkRedirectURI, fix: Self.clientFix))
    }

    /// Of the right form, so that only the code is wrong.
    static let checkRedirectURI = "http://localhost/configuration-check"
    static let clientFix =
        "Compare options.clientId, its secret or key, and tokenEndpointAuthMethod with the provider's page."
}
