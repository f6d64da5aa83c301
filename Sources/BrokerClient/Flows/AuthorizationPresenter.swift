public import Foundation
import StrictJSON

/// Shows the broker's authorization page, or a provider's, and returns the redirect it ends with.
///
/// The redirect may also arrive through ``BrokerAuth/handle(_:)``, for example when the provider's app opened this app.
/// Whichever comes first is used; the presenter is cancelled then.
public protocol AuthorizationPresenter: Sendable {
    /// The redirect URI to send, for presenters that know it only now, such as one that listens on a loopback port
    /// (RFC 8252 §7.3). The default is the configured one.
    ///
    /// - Parameter configured: The redirect URI of the configuration.
    /// - Returns: A redirect URI that the broker accepts for the client.
    /// - Throws: ``BrokerAuthError`` when no redirect could be received.
    func redirectURI(for configured: String) async throws(BrokerAuthError) -> String

    /// Shows the page until it redirects. A presenter that others can reach, such as one that listens on a port, waits on
    /// when something else than ``AuthorizationPresentation/isRedirect(_:)`` arrives: the sign-in ends with what it returns.
    ///
    /// - Parameter request: The page and how to show it.
    /// - Returns: The redirect, unchanged.
    /// - Throws: ``BrokerAuthError/userCancelled`` when the user closed the page.
    func authorize(_ request: AuthorizationPresentation) async throws(BrokerAuthError) -> URL

    /// Closes the page. ``authorize(_:)`` returns then, with an error that is ignored. Called also when no page is shown.
    func cancel()
}

extension AuthorizationPresenter {
    /// The configured redirect URI.
    public func redirectURI(for configured: String) async throws(BrokerAuthError) -> String { configured }
}

/// An authorization page to show.
public struct AuthorizationPresentation: Sendable {
    /// The address of the page.
    public let url: URL
    /// The redirect URI of the request.
    public let redirectURI: String
    /// The scheme of ``redirectURI``, in lower case and without a colon.
    public let callbackScheme: String
    /// Whether the browser shares no cookies with others and stores none.
    public let isEphemeral: Bool
    /// Whether the address is a provider's, whose installed app may have claimed it as a universal link. Such an app is
    /// tried before any browser.
    public let opensProviderApp: Bool
    /// The `state` of the request, which the address of the page need not contain.
    private let state: String

    /// - Parameters:
    ///   - url: The address of the page.
    ///   - redirectURI: The redirect URI of the request.
    ///   - callbackScheme: Its scheme, in lower case and without a colon.
    ///   - isEphemeral: Whether the browser shares no cookies with others and stores none.
    ///   - state: The `state` of the request.
    ///   - opensProviderApp: Whether the address is a provider's.
    public init(
        url: URL, redirectURI: String, callbackScheme: String, isEphemeral: Bool, state: String,
        opensProviderApp: Bool = false
    ) {
        self.url = url
        self.redirectURI = redirectURI
        self.callbackScheme = callbackScheme
        self.isEphemeral = isEphemeral
        self.opensProviderApp = opensProviderApp
        self.state = state
    }

    /// Whether a URL is the redirect of the request, by scheme, host, port, path and `state`.
    ///
    /// - Parameter url: Any URL.
    /// - Returns: Whether it answers the request.
    public func isRedirect(_ url: URL) -> Bool {
        guard let expected = try? RedirectURI(redirectURI), expected.matches(url) else { return false }
        return AuthorizationResponse.state(of: url)?.hasSameBytes(as: state) == true
    }
}
