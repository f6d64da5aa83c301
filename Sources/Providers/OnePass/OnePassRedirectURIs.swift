import Foundation
import ProviderKit

/// The rules of 1Pass and of its apps' platforms for redirect URIs.
struct OnePassRedirectURIs: Sendable {
    private static let loopbackHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
    /// Schemes that browsers execute or open themselves.
    private static let dangerousSchemes: Set<String> = ["javascript", "data", "file", "blob", "about", "vbscript"]
    /// The hosts that open 1Pass's app.
    private static let appHost = "open.1pass.dev"

    private let registered: [String]?
    private let providerHosts: Set<String>

    /// - Throws: ``ProviderError`` with the fix.
    init(registered: [String]?, providerURL: String) throws(ProviderError) {
        self.registered = registered
        providerHosts = [Self.appHost, Self.host(of: providerURL)]
        for uri in registered ?? [] { try checkForm(uri) }
    }

    /// Checks the redirect URI of a sign-in. That of an app stands in the entry beside its client.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    func check(_ uri: String, isOfApp: Bool) throws(ProviderError) {
        try checkForm(uri)
        guard !isOfApp, let registered, !registered.contains(where: { $0.utf8.elementsEqual(uri.utf8) }) else { return }
        throw Self.refusal(
            uri,
            "is not in options.redirectUris. 1Pass compares every byte, a trailing slash and the case of letters "
                + "included: register exactly this one, there and in options.redirectUris")
    }

    private func checkForm(_ uri: String) throws(ProviderError) {
        guard uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !##"\"<>"##.utf8.contains($0) }),
            let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { throw Self.refusal(uri, "is not an absolute URI such as https://id.example/oauth/callback/1pass.dev") }
        let scheme = uri[..<colon].lowercased()
        guard !uri.utf8.contains(UInt8(ascii: "#")) else { throw Self.refusal(uri, "must have no fragment") }
        switch scheme {
        case "https": try checkHost(uri)
        case "http":
            guard Self.loopbackHosts.contains(Self.host(of: uri)) else {
                throw Self.refusal(uri, "is plain http: use https, or http on localhost, 127.0.0.1 or [::1]")
            }
        default: try checkPrivateScheme(scheme, uri)
        }
    }

    private func checkHost(_ uri: String) throws(ProviderError) {
        let host = Self.host(of: uri)
        guard !host.isEmpty else { throw Self.refusal(uri, "names no host, or a user with it") }
        guard !providerHosts.contains(host) else {
            throw Self.refusal(
                uri,
                "is on 1Pass's own host: the answer would open 1Pass instead of the app. Use a host or a private "
                    + "scheme of your own, such as com.example.myapp://callback")
        }
    }

    /// RFC 3986 §3.1: letters, digits, plus, hyphen and dot, a letter first.
    private func checkPrivateScheme(_ scheme: String, _ uri: String) throws(ProviderError) {
        if scheme.contains("_") {
            let plain = scheme.replacing("_", with: "")
            throw Self.refusal(
                uri,
                "has an underscore in its scheme, which RFC 3986 does not allow and iOS refuses: register "
                    + "\(plain):// or com.example.\(plain):// instead")
        }
        guard scheme.wholeMatch(of: /[a-z][a-z0-9+.-]*/) != nil, !Self.dangerousSchemes.contains(scheme) else {
            throw Self.refusal(uri, "has a scheme no app can own: use https or one such as com.example.myapp://")
        }
    }

    /// The host in lower case; empty when there is none or the URI has user information.
    private static func host(of uri: String) -> String {
        guard let url = URL(string: uri, encodingInvalidCharacters: false), url.user() == nil else { return "" }
        let host = (url.host() ?? "").lowercased()
        return host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }

    private static func refusal(_ uri: String, _ problem: String) -> ProviderError {
        ProviderError(.configuration, at: .configure, "the redirect URI \(uri) \(problem)")
    }
}
