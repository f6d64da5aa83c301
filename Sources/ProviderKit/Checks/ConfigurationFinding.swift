/// A fault of a provider's configuration, with its fix.
public struct ConfigurationFinding: Error, Sendable, Hashable {
    /// Stable, lower-case with hyphens, such as `client-refused`.
    public let code: String
    /// The observed fault.
    public let text: String
    /// The fix for the operator.
    public let fix: String
    /// Whether sign-ins may work all the same.
    public let isHint: Bool

    /// Makes a finding; its texts must not contain a secret.
    public init(code: String, text: String, fix: String, isHint: Bool = false) {
        self.code = code
        self.text = text
        self.fix = fix
        self.isHint = isHint
    }
}

extension [ConfigurationFinding] {
    /// The findings of several checks, where an obstacle that affects several checks is listed once.
    public static func distinct(_ findings: ConfigurationFinding?...) -> [ConfigurationFinding] {
        findings.compactMap(\.self).reduce(into: []) { distinct, finding in
            if !distinct.contains(where: { $0.code == finding.code }) { distinct.append(finding) }
        }
    }
}

extension ConfigurationFinding {
    /// The codes that tell whether a name has an address, and of which network.
    package static let addressCodes: Set<String> = ["name-not-found", "address-not-allowed"]

    /// A request without a usable response; each obstacle has its own code.
    ///
    /// - Parameters:
    ///   - error: The error of the request.
    ///   - url: The requested URL; only scheme, host and path are shown.
    /// - Returns: The finding, with the obstacle's code.
    public static func unanswered(_ error: ProviderError, asking url: String) -> ConfigurationFinding {
        let place = String(url.prefix { $0 != "?" })
        let host = String(place.split(separator: "/").dropFirst().first ?? "")
        switch error.obstacle {
        case .nameNotFound:
            return .init(
                code: "name-not-found", text: "the name \(host) has no address",
                fix: "Check the URL's spelling in options, and this host's name service: getent hosts \(host)")
        case .addressNotAllowed:
            return .init(
                code: "address-not-allowed", text: "\(host) leads to an address that may not be asked",
                fix: "If that is your own network, allow its range and port in the entry's privateNetworks."
            )
        case .connectionFailed:
            return .init(
                code: "connection-failed", text: "\(host): \(error.reason)",
                fix: "Check port and firewall; see what this host sees: curl -v \(place)")
        case .certificateRefused:
            return .init(
                code: "certificate-refused", text: "\(host): \(error.reason)",
                fix: "Check the certificate's name and dates and this host's clock; "
                    + "install an authority of your own on this host (update-ca-certificates).")
        case .timedOut:
            return .init(
                code: "timed-out", text: "\(place): \(error.reason)",
                fix: "Try again; a firewall that drops packets looks like this too.")
        case nil: return .providerUnavailable(error.reason, url)
        }
    }

    /// The provider responds, but not with a usable response.
    public static func providerUnavailable(_ reason: String, _ url: String) -> ConfigurationFinding {
        .init(
            code: "provider-unavailable", text: "\(url.prefix { $0 != "?" }): \(reason)",
            fix: "Try again later; look at the provider's status page.")
    }

    /// The provider does not know our client, or refuses its secret.
    ///
    /// - Parameters:
    ///   - text: The provider's response.
    ///   - fix: Where the operator finds the correct values; a general hint when absent.
    /// - Returns: The finding `client-refused`.
    public static func clientRefused(_ text: String, fix: String? = nil) -> ConfigurationFinding {
        .init(
            code: "client-refused", text: text,
            fix: fix ?? clientFix(nil, redirectURI: nil))
    }

    /// The advice to compare the entry with the provider's page of the client.
    static func clientFix(_ fix: String?, redirectURI: String?) -> String {
        let fix = fix ?? "Copy client id and secret from the provider's page of this application once more."
        return redirectURI.map { "\(fix) Register the redirect URI \($0) there." } ?? fix
    }

    /// The difference between the provider's clock and ours is too large for time claims.
    ///
    /// - Parameter seconds: The provider's clock minus ours, in seconds.
    /// - Returns: The finding `clock-skew`.
    public static func clockSkew(seconds: Int) -> ConfigurationFinding {
        let direction = seconds > 0 ? "ahead of" : "behind"
        return .init(
            code: "clock-skew", text: "the provider's clock is \(seconds.magnitude) s \(direction) this host's",
            fix: "Set this host's clock (timedatectl status); a right one here means the provider's is wrong.")
    }

    static let providerAcceptsAnything = ConfigurationFinding(
        code: "provider-accepts-anything", text: "the token endpoint gave tokens for an invented code",
        fix: "Do not use this provider: it does not verify users.")

    /// Maps a fault of a provider's metadata.
    init(_ fault: OpenIDMetadataFault, of source: OpenIDMetadataSource) {
        self =
            switch fault {
            case .malformed: .discoveryMissing(source.documentURL ?? source.issuer, status: 200)
            case .missing(let names): .discoveryIncomplete(names)
            case .otherIssuer(let expected, let named): .discoveryIssuerMismatch(expected: expected, named: named)
            case .contradiction(let name): .discoveryEndpointMismatch(name)
            case .insecure(let name): .discoveryEndpointInsecure(name)
            }
    }

    private static func discoveryIncomplete(_ names: [String]) -> ConfigurationFinding {
        .init(
            code: "discovery-incomplete", text: "the discovery document has no \(names.joined(separator: ", "))",
            fix: "Check the issuer; if it is right, name them in the options.endpoints of an entry of oidc.")
    }

    private static func discoveryEndpointMismatch(_ name: String) -> ConfigurationFinding {
        .init(
            code: "discovery-endpoint-mismatch",
            text: "the discovery document names another \(name) than options.endpoints",
            fix: "Remove it from options.endpoints, which is for what discovery lacks.")
    }

    static func discoveryMissing(_ url: String, status: Int) -> ConfigurationFinding {
        .init(
            code: "discovery-missing", text: "\(url) is no discovery document (status \(status))",
            fix: "Check the issuer in options: the document stands below it, so a missing or added path shows here.")
    }

    static func discoveryIssuerMismatch(expected: String, named: String) -> ConfigurationFinding {
        let visible = String(decoding: named.utf8.prefix(200).filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
        return .init(
            code: "discovery-issuer-mismatch", text: "the provider calls itself \(visible), not \(expected)",
            fix: "Write the issuer exactly as the provider does, if that is the provider you mean.")
    }

    static func discoveryEndpointInsecure(_ name: String) -> ConfigurationFinding {
        .init(
            code: "discovery-endpoint-insecure", text: "discovery names a \(name) that is no https URL",
            fix: "Set the provider's public URL to https; behind a proxy it often has to be told.")
    }

    static func keysUnavailable(_ url: String, _ error: ProviderError) -> ConfigurationFinding {
        .init(
            code: "keys-unavailable", text: "\(url.prefix { $0 != "?" }): \(error.reason)",
            fix: "Sign-ins with ID tokens fail until the provider publishes its keys there.")
    }

    static func keysUnusable(_ url: String) -> ConfigurationFinding {
        .init(
            code: "keys-unusable", text: "\(url.prefix { $0 != "?" }) has no key this broker can verify with",
            fix:
                "Let the provider sign ID tokens with RS256 or PS256 (2048 bits or more), ES256 or EdDSA (Ed25519), and "
                + "name its keys (kid).")
    }
}
