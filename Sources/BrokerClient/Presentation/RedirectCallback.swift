import Foundation

/// The end of a web session: the redirect URI, in the two forms that a web session can watch for.
enum RedirectCallback: Sendable, Hashable {
    /// A claimed `https` address (RFC 8252 §7.2).
    case https(host: String, path: String)
    /// A private-use scheme (RFC 8252 §7.1).
    case customScheme(String)

    /// - Returns: Nil for a redirect URI that no web session can watch for, such as a loopback address.
    init?(redirectURI: String) {
        guard let components = URLComponents(string: redirectURI), let scheme = components.scheme?.lowercased() else {
            return nil
        }
        switch scheme {
        case "https":
            guard let host = components.host, !host.isEmpty else { return nil }
            self = .https(host: host, path: components.path.isEmpty ? "/" : components.path)
        case "http": return nil
        default: self = .customScheme(scheme)
        }
    }
}
