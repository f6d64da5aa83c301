package import BrokerStore
import ProviderKit

/// A redirect URI of a client (RFC 6749 §3.1.2): registered by an operator, matched byte by byte.
package struct RedirectURI: Sendable, Hashable {
    package let text: String

    /// Takes one that is registered, or that was matched with one.
    init(registered text: String) {
        self.text = text
    }

    /// The source that a page whose form leads there has to allow (`form-action` of a Content-Security-Policy): the scheme. Browsers
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

    /// Checks an address an operator wants to register.
    ///
    /// Everything is refused that two programs may read as two different addresses, or that runs instead of leads
    /// somewhere (RFC 9700 §4.1, RFC 8252 §7).
    ///
    /// - Throws: ``RedirectURIRefusal``.
    package init(registering text: String, for kind: Client.Kind) throws(RedirectURIRefusal) {
        try Self.checkCharacters(text)
        guard let parts = URIParts(text) else {
            throw RedirectURIRefusal("it is no absolute URL, such as https://app.example/callback")
        }
        try Self.checkScheme(parts.scheme)
        switch parts.scheme {
        case "https": _ = try Self.webHost(of: parts)
        case "http": try Self.checkLoopback(parts, kind)
        default: try Self.checkPrivateScheme(parts, kind)
        }
        try Self.checkPath(parts.path)
        try Self.checkQuery(parts.query)
        self.init(registered: text)
    }

    private static let maximumLength = 2000

    private static func checkCharacters(_ text: String) throws(RedirectURIRefusal) {
        guard !text.isEmpty else { throw RedirectURIRefusal("it is empty") }
        guard text.utf8.count <= maximumLength else {
            throw RedirectURIRefusal("it is longer than \(maximumLength) characters")
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "#"): throw RedirectURIRefusal("it has a fragment (#), which never reaches a server")
            case UInt8(ascii: "*"): throw RedirectURIRefusal("there are no wildcards here: register each address")
            case UInt8(ascii: "\\"): throw RedirectURIRefusal("it has a backslash, which browsers read as a slash")
            case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"),
                UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "'"):
                throw RedirectURIRefusal("it has a character that is to be percent-encoded: " + character(byte))
            case 0x21...0x7E: continue
            default: throw RedirectURIRefusal("it has a character other than printable ASCII")
            }
        }
    }

    private static func character(_ byte: UInt8) -> String { String(decoding: [byte], as: UTF8.self) }

    /// Schemes that run, show or send something where a browser is led to them.
    private static let dangerousSchemes: Set<String> = [
        "about", "android-app", "app-settings", "blob", "callto", "chrome", "chrome-extension", "data", "dav", "edge",
        "facetime", "facetime-audio", "feed", "file", "filesystem", "ftp", "ftps", "geo", "git", "hcp", "imap",
        "intent",
        "irc", "ircs", "itms", "itms-apps", "itms-services", "jar", "javascript", "ldap", "ldaps", "livescript",
        "magnet", "mailto", "maps", "market", "mhtml", "mms", "mocha", "moz-extension", "news", "nfs", "nntp", "pop",
        "prefs", "rdp", "res", "resource", "rtsp", "safari-extension", "search", "search-ms", "sftp", "shell", "sip",
        "sips", "sms", "smb", "ssh", "steam", "svn", "tel", "telnet", "urn", "vbscript", "view-source", "vnc", "webcal",
        "ws", "wss", "xmpp",
    ]

    /// The prefixes of schemes that operating systems and browsers answer themselves.
    private static let dangerousPrefixes = ["ms-", "x-apple-", "x-web-"]

    private static func checkScheme(_ scheme: String) throws(RedirectURIRefusal) {
        let lowered = scheme.lowercased()
        guard !dangerousSchemes.contains(lowered), !dangerousPrefixes.contains(where: lowered.hasPrefix) else {
            throw RedirectURIRefusal("\(lowered): is no place to send a browser to")
        }
        guard scheme.utf8.allSatisfy({ !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            throw RedirectURIRefusal("its scheme is not in lower case")
        }
        guard !scheme.utf8.contains(UInt8(ascii: "_")) else {
            throw RedirectURIRefusal(
                "its scheme has an underscore (_), which schemes must not have (RFC 3986 §3.1): use the reverse of a "
                    + "domain name you own, such as com.example.app:/callback")
        }
    }

    /// The checked host of an `https` or `http` URL.
    private static func webHost(of parts: URIParts) throws(RedirectURIRefusal) -> String {
        guard let authority = parts.authority else {
            throw RedirectURIRefusal("behind \(parts.scheme): two slashes and a host are expected")
        }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw RedirectURIRefusal("it has user information (@) before its host")
        }
        guard let (host, _) = URIParts.hostAndPort(authority) else {
            throw RedirectURIRefusal("its port is none of 1 to 65535")
        }
        if let refusal = HostName.refusal(of: host) { throw RedirectURIRefusal(refusal) }
        return host
    }

    private static func checkLoopback(_ parts: URIParts, _ kind: Client.Kind) throws(RedirectURIRefusal) {
        let host = try webHost(of: parts)
        switch host {
        case "127.0.0.1", "[::1]": return
        case "localhost":
            guard kind != .native else {
                throw RedirectURIRefusal(
                    "a native app listens at 127.0.0.1 or [::1]: localhost may be another machine's name (RFC 8252 "
                        + "§8.3). Register http://127.0.0.1\(parts.path); the port is free")
            }
        default:
            throw RedirectURIRefusal("http is for this machine only (127.0.0.1, [::1], localhost): use https")
        }
    }

    private static func checkPrivateScheme(_ parts: URIParts, _ kind: Client.Kind) throws(RedirectURIRefusal) {
        guard kind == .native else {
            throw RedirectURIRefusal("a scheme of its own is for native apps (--type native): use https")
        }
        let labels = parts.scheme.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty }) else {
            throw RedirectURIRefusal(
                "its scheme has an empty part: an app's scheme is the reverse of a domain name (RFC 8252 §7.1), such as "
                    + "com.example.app:/callback")
        }
        if let authority = parts.authority {
            let isPlain = authority.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || URIParts.isDigit($0)
                    || "-._".utf8.contains($0)
            }
            guard isPlain else { throw RedirectURIRefusal("behind its // there is more than a plain name") }
        } else if parts.path.utf8.first != UInt8(ascii: "/") {
            throw RedirectURIRefusal("its path begins with no slash: write \(parts.scheme):/callback")
        }
    }

    /// Whether a scheme is neither a web address's nor the reverse of a domain name. Taken with a warning
    /// (``ClientRegistration/warnings(providerHosts:)``), since providers' own documents recommend such schemes.
    static func isSingleLabel(scheme: String) -> Bool {
        !["http", "https"].contains(scheme) && !scheme.utf8.contains(UInt8(ascii: "."))
    }

    private static func checkPath(_ path: String) throws(RedirectURIRefusal) {
        try checkEscapes(path)
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            let text = String(decoding: segment, as: UTF8.self).lowercased().replacing("%2e", with: ".")
            guard text != ".", text != ".." else { throw RedirectURIRefusal("its path has a dot segment") }
        }
        let lowered = path.lowercased()
        for (escape, meaning) in [("%2f", "slash"), ("%5c", "backslash"), ("%25", "percent sign")] {
            guard !lowered.contains(escape) else {
                throw RedirectURIRefusal(
                    "its path has an encoded \(meaning), which some servers decode and some do not")
            }
        }
    }

    private static func checkQuery(_ query: String?) throws(RedirectURIRefusal) {
        guard let query else { return }
        try checkEscapes(query)
        guard let pairs = FormEncoding.decode(query.utf8) else {
            throw RedirectURIRefusal("its query is no UTF-8 text")
        }
        for (name, _) in pairs where answerParameters.contains(name) {
            throw RedirectURIRefusal("its query has the parameter \(name), which is the broker's to add")
        }
    }

    private static let answerParameters: Set<String> = [
        "access_token", "code", "error", "error_description", "error_uri", "expires_in", "id_token", "iss",
        "response", "scope", "session_state", "state", "token_type",
    ]

    private static func checkEscapes(_ text: String) throws(RedirectURIRefusal) {
        let bytes = Array(text.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            guard index + 2 < bytes.count,
                let value = Hexadecimal.decode(bytes[(index + 1)...(index + 2)])?.first
            else { throw RedirectURIRefusal("it has a % that begins no escape") }
            guard value >= 0x20, value != 0x7F else {
                throw RedirectURIRefusal("it has an encoded control character")
            }
        }
    }
}

extension Client {
    /// The redirect URI for a code that a client requests at `text`: the same bytes as one that is registered; for a
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

/// The reason a redirect URI cannot be registered, for the operator.
package struct RedirectURIRefusal: Error, Sendable, Equatable {
    /// The fault and, where there is one, the remedy.
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
