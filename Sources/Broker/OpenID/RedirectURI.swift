package import BrokerStore
import ProviderKit

/// Where the broker may send a browser with an answer for a client: registered by an operator, matched byte by byte.
package struct RedirectURI: Sendable, Hashable {
    package let text: String

    /// Takes one that is registered, or that was matched with one.
    init(registered text: String) {
        self.text = text
    }

    /// What a page whose form leads there has to allow (`form-action` of a Content-Security-Policy): the scheme. Browsers
    /// apply it to wherever the app sends them on to as well, and the policy has no notation for IPv6 addresses.
    package var contentSecuritySource: String? { URIParts(text).map { "\($0.scheme):" } }

    /// The origin of the pages that live there (RFC 6454 §6.2), as browsers write it; `nil` for an app's own scheme.
    package var origin: String? {
        guard let parts = URIParts(text), let authority = parts.authority,
            let (host, port) = URIParts.hostAndPort(authority)
        else { return nil }
        switch parts.scheme {
        case "https": return "https://\(host)" + (port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
        case "http": return "http://\(host)" + (port.map { $0 == 80 ? "" : ":\($0)" } ?? "")
        default: return nil
        }
    }

    /// The address with an answer in its query.
    ///
    /// - Parameter parameters: Names and values, in order.
    /// - Returns: Where to send the browser.
    package func adding(_ parameters: [(name: String, value: String)]) -> String {
        text + (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + FormEncoding.encode(parameters)
    }
}

extension Client {
    /// Where a code may be sent, if the client asks for it at `text`: the same bytes as one that is registered; for a
    /// native client's loopback address with any port (RFC 8252 §7.3).
    package func redirectURI(matching text: String) -> RedirectURI? {
        Self.match(text, in: redirectURIs, anyLoopbackPort: kind == .native)
    }

    /// The same for where a browser goes after signing out (OpenID Connect RP-Initiated Logout §3).
    package func postLogoutRedirectURI(matching text: String) -> RedirectURI? {
        Self.match(text, in: postLogoutRedirectURIs, anyLoopbackPort: kind == .native)
    }

    private static func match(_ text: String, in registered: [String], anyLoopbackPort: Bool) -> RedirectURI? {
        if registered.contains(where: { $0.hasSameBytes(as: text) }) { return RedirectURI(registered: text) }
        guard anyLoopbackPort, let presented = LoopbackURI(text) else { return nil }
        let isRegistered = registered.contains { LoopbackURI($0)?.isSame(exceptPort: presented) ?? false }
        return isRegistered ? RedirectURI(registered: text) : nil
    }
}

/// An address on the client's own machine, whose port the client chooses anew each time.
private struct LoopbackURI {
    let host: String
    /// Everything behind the port.
    let rest: String

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let host = ["127.0.0.1", "[::1]"].first(where: { bytes.starts(with: "http://\($0)".utf8) }) else {
            return nil
        }
        let tail = bytes.dropFirst("http://".utf8.count + host.utf8.count)
        let end = tail.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? tail.endIndex
        // Between the host and the path there is a port or nothing.
        let authority = host + String(decoding: tail[..<end], as: UTF8.self)
        guard let parsed = URIParts.hostAndPort(authority), parsed.host.hasSameBytes(as: host) else { return nil }
        self.host = host
        rest = String(decoding: tail[end...], as: UTF8.self)
    }

    func isSame(exceptPort other: LoopbackURI) -> Bool {
        host.hasSameBytes(as: other.host) && rest.hasSameBytes(as: other.rest)
    }
}
