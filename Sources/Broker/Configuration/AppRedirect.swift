/// A redirect URI at which an app receives a provider's authorization response itself: an item of `appRedirects` in
/// `plugins.json` (RFC 8252 §7).
package struct AppRedirect: Sendable, Equatable {
    /// As it is registered at the provider, and as a native client of the broker registers it.
    package let redirectURI: String
    /// The client at the provider that it is registered for; nil for the entry's own.
    package let clientID: String?

    /// - Throws: ``ConfigurationError`` for what is no redirect URI of an app.
    init(_ redirectURI: String, of clientID: String?, in place: ProviderEntry.Place, at index: Int)
        throws(ConfigurationError)
    {
        let pointer = "/appRedirects/\(index)"
        let isPlain = redirectURI.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        guard isPlain, redirectURI.utf8.count <= 2000, let parts = URIParts(redirectURI) else {
            throw place.error(
                at: pointer + "/redirectUri", "is no absolute URI without a fragment.",
                fix: "Write one such as com.example.app:/callback.")
        }
        // Nor a query: an answer at a longer redirect URI could pass for one at a shorter, of another provider.
        guard !redirectURI.utf8.contains(UInt8(ascii: "?")) else {
            throw place.error(
                at: pointer + "/redirectUri", "has a query.",
                fix: "Write another path, such as com.example.app:/callback.")
        }
        guard parts.scheme != "http" || Self.isLoopback(parts.authority) else {
            throw place.error(
                at: pointer + "/redirectUri", "is plain http.",
                fix: "Use a scheme of the app, https, or http on 127.0.0.1 or [::1] (RFC 8252 §7).")
        }
        guard clientID?.isEmpty != true else { throw place.error(at: pointer + "/clientId", "is empty.") }
        self.redirectURI = redirectURI
        self.clientID = clientID
    }

    private static func isLoopback(_ authority: String?) -> Bool {
        authority.flatMap(URIParts.hostAndPort).map { ["127.0.0.1", "[::1]"].contains($0.host) } ?? false
    }
}
