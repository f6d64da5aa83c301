import Foundation
import ProviderKit

/// The hosts whose pages may begin and end sign-ins here: the project's authorized domains with their subdomains, and
/// the broker's own.
struct AuthorizedDomains: Sendable {
    private let settings: LiveProjectSettings
    /// The host of the broker's public URL.
    private let own: [String]

    init(_ settings: LiveProjectSettings, publicURL: String) {
        self.settings = settings
        own = [URL(string: publicURL)?.host()].compactMap(\.self)
    }

    /// Them as they are this moment, in lower case.
    var domains: [String] { (settings.current.authorizedDomains + own).map { $0.lowercased() } }

    /// Whether a host, as a URL has it, is one of them; addresses have no subdomains.
    func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        let isName = !host.contains(":") && host.utf8.contains { ($0 | 0x20) >= UInt8(ascii: "a") }
        return domains.contains { domain in
            host.hasSameBytes(as: domain)
                || isName && host.utf8.count > domain.utf8.count + 1
                    && Array(host.utf8.suffix(domain.utf8.count + 1)).elementsEqual(("." + domain).utf8)
        }
    }
}

/// The absolute URL of an app's page: https, or http on this machine.
struct AppURL: Sendable {
    let text: String
    let url: URL
    let host: String

    /// `nil` for anything browsers and this broker could read differently.
    init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        guard isPlain, text.utf8.count <= 2048, let url = URL(string: text, encodingInvalidCharacters: false),
            let host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil,
            url.scheme == "https" || url.scheme == "http" && Self.isLoopback(host)
        else { return nil }
        self.text = text
        self.url = url
        self.host = host
    }

    /// A page by `location.href`: browsers leave characters in its query and fragment that no other URL has.
    ///
    /// - Returns: `nil` as ``init(_:)``; nothing but scheme, host, port and path is read.
    static func page(_ href: String) -> AppURL? {
        let end = href.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? href.utf8.endIndex
        let isPlain = href.utf8[end...].allSatisfy { (0x21...0x7E).contains($0) }
        guard isPlain, href.utf8.count <= 6144, let place = AppURL(String(href[..<end])) else { return nil }
        return AppURL(text: href, url: place.url, host: place.host)
    }

    private init(text: String, url: URL, host: String) {
        self.text = text
        self.url = url
        self.host = host
    }

    /// As a browser names where the page comes from (RFC 6454 §6.2).
    var origin: String { WebOrigin(url).text }

    private static func isLoopback(_ host: String) -> Bool {
        ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host.lowercased())
    }
}

/// Scheme, host and port of a URL, as browsers write them: lower case, without a port that goes without saying.
struct WebOrigin: Sendable, Hashable {
    let text: String

    init(_ url: URL?) {
        let scheme = url?.scheme?.lowercased() ?? "https"
        let host = (url?.host() ?? "").lowercased()
        let port = url?.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        text = "\(scheme)://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host)\(port)"
    }
}
