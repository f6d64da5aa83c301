public import Foundation
public import StrictJSON

/// The broker's services for one instance of a provider.
public struct ProviderContext: Sendable {
    /// The entry's id in `plugins.json`: the wire's `providerId`.
    public let id: String
    /// The HTTP client for all requests to the provider.
    public let upstream: any Upstream
    /// The service that verifies ID tokens and signs client assertions.
    public let tokens: any TokenService
    /// The broker's clock.
    public let now: @Sendable () -> Date
    /// Whether the entry may use a plain-http server on this host (`allowInsecureLoopback`), such as a simulator.
    public let allowsInsecureLoopback: Bool
    /// The broker's redirect URI for this entry, to be registered at the provider; absent without a broker, as in tests
    /// of a plugin. A sign-in has its own in ``SignInAttempt/redirectURI``.
    public let redirectURI: String?
    private let onEndpoint: @Sendable (String) -> Void
    let onReadings: @Sendable (() -> [ClaimReading]) -> Void

    /// Makes the context of an instance, in the broker or in a test. `onEndpoint` is told of each declared URL,
    /// `onReadings` of each report of readings, which it makes only if it calls its argument.
    public init(
        id: String, upstream: any Upstream, tokens: any TokenService, now: @escaping @Sendable () -> Date,
        allowsInsecureLoopback: Bool = false, redirectURI: String? = nil,
        onEndpoint: @escaping @Sendable (String) -> Void = { _ in },
        onReadings: @escaping @Sendable (() -> [ClaimReading]) -> Void = { _ in }
    ) {
        self.id = id
        self.upstream = upstream
        self.tokens = tokens
        self.now = now
        self.allowsInsecureLoopback = allowsInsecureLoopback
        self.redirectURI = redirectURI
        self.onEndpoint = onEndpoint
        self.onReadings = onReadings
    }

    /// Declares a URL of the options that decides whose proof counts, or that receives the client's secret. The broker
    /// binds the entry's secrets to the declared URLs: an administrator who changes one sends the secrets again.
    ///
    /// ``baseURL(_:option:)`` and ``checkEndpoint(_:)`` declare what they check, so this is for a URL that is checked by
    /// neither. Declare while the instance is made.
    public func declareEndpoint(_ url: String) { onEndpoint(url) }

    /// Checks an endpoint of the options or of the provider's metadata: https, or plain http on this host where the entry
    /// allows it. Declares it (``declareEndpoint(_:)``).
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration``.
    public func checkEndpoint(_ text: String) throws(ProviderError) {
        declareEndpoint(text)
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let url = URL(exactly: text), let host = url.host(), !host.isEmpty,
            url.fragment() == nil, url.user() == nil,
            url.scheme == "https" || url.scheme == "http" && allowsInsecureLoopback && Self.isLoopback(host)
        else {
            throw ProviderError(.configuration, at: .discover, "the provider names an endpoint that is no https URL")
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host.lowercased())
    }

    /// The URLs that ``baseURL(_:option:)`` and ``checkEndpoint(_:)`` take, in JSON Schema, as far as it can say: for the
    /// declaration of an option.
    public static let baseURLs: JSONObject = ["pattern": "^https?://[!-~]+$"]

    /// Checks a base URL from the options and normalizes it. It is part of the identity key, so a different case, a
    /// default port or a trailing slash must not change the key. Declares it (``declareEndpoint(_:)``).
    ///
    /// - Parameters:
    ///   - text: The option's value, such as `https://gitlab.example`.
    ///   - option: The option's name, for the message.
    /// - Returns: Scheme and host in lower case, the port unless it is the default, the path without a trailing slash.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    public func baseURL(_ text: String, option: String) throws(ProviderError) -> String {
        func refuse(_ reason: String) -> ProviderError {
            ProviderError(.configuration, at: .configure, "options.\(option) \(reason)")
        }
        // Foundation maps look-alike characters to ASCII, so other characters are refused before parsing.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let url = URL(exactly: text), let host = url.host(), !host.isEmpty
        else { throw refuse("must be an absolute URL such as https://id.example") }
        guard url.query() == nil, url.fragment() == nil, url.user() == nil else {
            throw refuse("must have no query, fragment or user name")
        }
        let isLoopback = Self.isLoopback(host)
        let scheme = url.scheme?.lowercased() ?? ""
        switch scheme {
        case "https": break
        case "http" where isLoopback && allowsInsecureLoopback: break
        case "http" where isLoopback:
            throw refuse(#"is plain http: use https, or set "allowInsecureLoopback": true for a simulator"#)
        default: throw refuse("must start with https://")
        }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let port = url.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        let path = url.path(percentEncoded: true)
        let base = "\(scheme)://\(name.lowercased())\(port)\(path.hasSuffix("/") ? String(path.dropLast()) : path)"
        declareEndpoint(base)
        return base
    }
}
