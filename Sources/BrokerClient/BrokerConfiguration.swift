public import Foundation

/// The registration of an app at its broker: where the broker is, and which client the app is.
public struct BrokerConfiguration: Sendable, Hashable {
    /// The broker's public URL, the `iss` of its tokens (OpenID Connect Core §2).
    public var issuer: URL
    /// The `client_id` of a native client (`broker clients add --type native`).
    public var clientID: String
    /// A redirect URI of that client, exactly as it is registered.
    public var redirectURI: String
    /// The redirect URIs at which providers answer the app itself, where they are others than ``redirectURI``: each provider
    /// has one of its own.
    public var providerRedirectURIs: [ProviderID: String]
    /// The scopes that a sign-in requests.
    public var scopes: [String]

    /// The scopes that every part of the library needs.
    public static let standardScopes = ["openid", "profile", "email", "offline_access", "account"]

    /// - Parameters:
    ///   - issuer: The broker's public URL.
    ///   - clientID: The client's id.
    ///   - redirectURI: A redirect URI of the client.
    ///   - scopes: The scopes to request.
    ///   - providerRedirectURIs: The redirect URIs at which providers answer the app itself.
    public init(
        issuer: URL, clientID: String, redirectURI: String, scopes: [String] = Self.standardScopes,
        providerRedirectURIs: [ProviderID: String] = [:]
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.providerRedirectURIs = providerRedirectURIs
    }

    /// Where a provider answers the app itself.
    func redirectURI(of provider: ProviderID) -> String { providerRedirectURIs[provider] ?? redirectURI }

    /// Whether a URL is at a redirect URI of the app, by scheme, host, port and path.
    func isRedirect(_ url: URL) -> Bool {
        ([redirectURI] + providerRedirectURIs.values).contains { text in
            (try? RedirectURI(text))?.matches(url) ?? false
        }
    }
}
