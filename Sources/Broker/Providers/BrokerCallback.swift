import Foundation

/// The addresses at which the broker itself takes authorization responses. Their codes are redeemed by the attempts they
/// belong to only.
struct BrokerCallback: Sendable {
    private let origin: WebOrigin?

    /// Scheme, host and port as they compare (RFC 6454 §4).
    private struct WebOrigin: Equatable {
        let scheme, host: String
        let port: Int?

        init?(_ url: URL?) {
            guard let scheme = url?.scheme?.lowercased(), let host = url?.host()?.lowercased() else { return nil }
            self.scheme = scheme
            self.host = host
            port = url?.port ?? (scheme == "https" ? 443 : scheme == "http" ? 80 : nil)
        }
    }

    init(_ publicURL: String) {
        origin = WebOrigin(URL(string: publicURL))
    }

    /// Whether a redirect URI is below the broker's own origin.
    func hasSameOrigin(as redirectURI: String) -> Bool {
        origin != nil && WebOrigin(URL(string: redirectURI)) == origin
    }

    /// Whether a redirect URI is one of these addresses in any spelling.
    func isTarget(_ redirectURI: String?) -> Bool {
        guard let redirectURI, let url = URL(string: redirectURI), let origin, WebOrigin(url) == origin else {
            return false
        }
        let path = url.standardized.path(percentEncoded: false).lowercased()
        return Self.paths.contains { path.utf8.starts(with: $0.utf8) }
    }

    private static let paths = ["/oauth/callback/", "/__/auth/", "/emulator/auth/"]
}
