import Foundation
import StrictJSON

/// The redirect URI of a request, and what counts as a redirect to it.
struct RedirectURI: Sendable, Hashable {
    static let loopbackHosts: Set<String> = ["127.0.0.1", "[::1]", "::1", "localhost"]

    /// As it is sent.
    let text: String
    /// In lower case.
    let scheme: String
    private let host: String
    private let port: Int?
    private let path: String

    /// - Throws: ``BrokerAuthError/notConfigured(_:)`` for anything but an absolute URI without a fragment.
    init(_ text: String) throws(BrokerAuthError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, !scheme.isEmpty,
            parts.fragment == nil
        else { throw .notConfigured("redirectURI is no absolute URI") }
        self.text = text
        self.scheme = scheme.lowercased()
        host = (parts.percentEncodedHost ?? "").lowercased()
        port = parts.port
        path = Self.path(of: parts)
    }

    /// Whether a URL goes here: by scheme, host, port and path. The port of a loopback host does not count, since it is
    /// free (RFC 8252 §7.3).
    func matches(_ url: URL) -> Bool {
        guard let parts = URLComponents(string: url.absoluteString), let scheme = parts.scheme else { return false }
        let host = (parts.percentEncodedHost ?? "").lowercased()
        return scheme.lowercased() == self.scheme && host == self.host
            && Self.path(of: parts).hasSameBytes(as: path)
            && (parts.port == port || Self.loopbackHosts.contains(host))
    }

    /// An empty path below a host is the same as its root.
    private static func path(of parts: URLComponents) -> String {
        let path = parts.percentEncodedPath
        return path.isEmpty && parts.percentEncodedHost?.isEmpty == false ? "/" : path
    }
}
