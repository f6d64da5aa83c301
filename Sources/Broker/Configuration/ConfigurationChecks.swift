import Foundation
import ProviderKit

extension Configuration {
    /// Checks values that decode, but that no broker may start with.
    ///
    /// - Throws: ``ConfigurationError``.
    package func check(source: String) throws(ConfigurationError) {
        try checkProject(source)
        try checkKeys(source)
        try checkExposure(source)
    }

    private func checkProject(_ source: String) throws(ConfigurationError) {
        let allowed = project.id.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        guard allowed, (1...63).contains(project.id.utf8.count) else {
            throw ConfigurationError(
                source, at: "/project/id", "must be 1 to 63 of a-z, 0-9 and -.", fix: #"Write for example "my-app"."#)
        }
        let digits = project.number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits, (1...19).contains(project.number.utf8.count) else {
            throw ConfigurationError(source, at: "/project/number", "must be a string of 1 to 19 digits.")
        }
    }

    private func checkKeys(_ source: String) throws(ConfigurationError) {
        guard !apiKeys.isEmpty else {
            throw ConfigurationError(
                source, at: "/apiKeys", "must name at least one key.",
                fix: #"Write [{"key": "…", "origins": ["https://app.example"]}]; broker init makes one."#)
        }
        for (index, key) in apiKeys.enumerated() {
            let printable = key.key.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
            guard printable, key.key.utf8.count >= 8 else {
                throw ConfigurationError(
                    source, at: "/apiKeys/\(index)/key", "must be at least 8 printable characters without a colon.")
            }
            for (position, origin) in key.origins.enumerated() where !Self.isOrigin(origin) {
                throw ConfigurationError(
                    source, at: "/apiKeys/\(index)/origins/\(position)", "is no web origin, so no page could match it.",
                    fix: #"Write scheme, host and port alone, such as "https://app.example", or "*"."#)
            }
        }
    }

    /// Tokens and credentials travel here, so plain http stays on this host, or behind a proxy that ends TLS.
    private func checkExposure(_ source: String) throws(ConfigurationError) {
        if publicURL.hasPrefix("http://"), !Self.isLoopback(url: publicURL) {
            throw ConfigurationError(
                source, at: "/publicURL", "is plain http on a host that is not this machine.", fix: "Use https.")
        }
        if tls != nil, publicURL.hasPrefix("http://") {
            throw ConfigurationError(
                source, at: "/publicURL", "is plain http, and the broker is to speak TLS.", fix: "Use https.")
        }
        try checkExposure(of: listen, at: "/listen", source)
        try checkConsole(source)
    }

    private func checkExposure(
        of listen: ListenAddress, at pointer: String, _ source: String
    ) throws(ConfigurationError) {
        if !Self.isLoopback(listen.host), trustedProxies.isEmpty, tls == nil {
            throw ConfigurationError(
                source, at: pointer, "\(listen.host) is reachable from other machines without TLS.",
                fix: "Listen on 127.0.0.1, name a certificate (tls), or the proxy that ends TLS in trustedProxies.")
        }
    }

    private func checkConsole(_ source: String) throws(ConfigurationError) {
        guard let consoleListen = console.listen else {
            guard console.url == nil else {
                throw ConfigurationError(
                    source, at: "/console/url", "is of a listener that is not there.",
                    fix: "Name console.listen as well.")
            }
            return
        }
        guard consoleListen.port == 0 || consoleListen != listen else {
            throw ConfigurationError(
                source, at: "/console/listen", "is the address of the API.", fix: "Write another port.")
        }
        try checkExposure(of: consoleListen, at: "/console/listen", source)
        guard console.url != nil || Self.isLoopback(consoleListen.host) && consoleListen.port != 0 && tls == nil else {
            throw ConfigurationError(
                source, at: "/console/url", "is missing.", fix: "Write the URL at which browsers reach the listener.")
        }
        if consoleURL.hasPrefix("http://"), !Self.isLoopback(url: consoleURL) {
            throw ConfigurationError(
                source, at: "/console/url", "is plain http on a host that is not this machine.", fix: "Use https.")
        }
    }

    /// As browsers send it (RFC 6454 §6.2): no path, not even a slash.
    private static func isOrigin(_ text: String) -> Bool {
        guard text != "*" else { return true }
        guard text.isASCII(from: 0x21), let url = URL(string: text, encodingInvalidCharacters: false),
            url.scheme != nil,
            url.host() != nil
        else { return false }
        return url.path().isEmpty && url.query() == nil && url.fragment() == nil && url.user() == nil
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host)
    }

    /// The authorized domains that may begin sign-ins here. This machine's own names are among them only where the
    /// public URL is one of them: on every user's machine `localhost` is a page of whatever listens there.
    func admissible(_ domains: [String]) -> [String] {
        guard !Self.isLoopback(url: publicURL) else { return domains }
        return domains.filter { domain in
            let name = domain.lowercased()
            return !Self.isLoopback(name) && !name.hasSuffix(".localhost")
        }
    }

    /// Whether all clients seem to come from this machine, since a proxy on it is not in `trustedProxies`.
    package var hidesClients: Bool { !Self.isLoopback(url: publicURL) && trustedProxies.isEmpty && tls == nil }

    /// Whether a URL is one of this machine.
    static func isLoopback(url: String) -> Bool { isLoopback(URL(string: url)?.host() ?? "") }

    /// The public URL without a trailing slash.
    ///
    /// - Throws: ``ConfigurationError`` when it is no origin.
    package static func checkedPublicURL(
        _ text: String, in source: String, at pointer: String = "/publicURL"
    ) throws(ConfigurationError) -> String {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        guard isPlain, let url = URL(string: text, encodingInvalidCharacters: false), let host = url.host(),
            ["http", "https"].contains(url.scheme), !host.isEmpty, url.query() == nil, url.fragment() == nil,
            url.user() == nil, ["", "/"].contains(url.path())
        else {
            throw ConfigurationError(
                source, at: pointer, "must be an origin without a path.", fix: #"Write "https://id.example"."#)
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

extension Configuration.ListenAddress {
    /// Reads `host:port`, `[::1]:port` or a port alone.
    ///
    /// - Throws: ``ConfigurationError``.
    package init(parsing text: String, source: String, at pointer: String = "/listen") throws(ConfigurationError) {
        let split = text.lastIndex(of: ":")
        let host = split.map { String(text[..<$0]) } ?? "127.0.0.1"
        let digits = split.map { String(text[text.index(after: $0)...]) } ?? text
        guard let port = UInt16(digits), !host.isEmpty else {
            throw ConfigurationError(
                source, at: pointer, #""\#(text)" is no address."#, fix: #"Write "127.0.0.1:9099"."#)
        }
        self.init(host: host.trimmingCharacters(in: .init(charactersIn: "[]")), port: Int(port))
    }
}

extension Configuration {
    /// Puts an address from the command line in place of the configured one, under the same rules.
    ///
    /// - Throws: ``ConfigurationError``.
    package mutating func override(listen text: String) throws(ConfigurationError) {
        listen = try ListenAddress(parsing: text, source: "--listen")
        try check(source: "--listen")
    }

    /// Serves `/metrics` at an address.
    ///
    /// - Throws: ``ConfigurationError`` for text that is none, or that of the API.
    package mutating func serveMetrics(at text: String, source: String) throws(ConfigurationError) {
        let address = try ListenAddress(parsing: text, source: source, at: "/metrics/listen")
        guard address.port == 0 || address != listen else {
            throw ConfigurationError(
                source, at: "/metrics/listen", "is the address of the API.", fix: "Write another port.")
        }
        metricsListen = address
    }
}
