import OAuth
import ProviderKit

extension ProviderEntry {
    /// An entry as a document has it.
    struct Shape: Decodable {
        let id: String?
        let use: String
        let displayName: String?
        let enabled: Bool?
        let trustEmail: Bool?
        let autoMerge: Bool?
        let allowInsecureLoopback: Bool?
        let privateNetworks: [Network]?
        let allowedScopes: [String]?
        let allowedParameters: [String]?
        let appRedirects: [Redirect]?
        let options: JSONValue?
    }
}

extension ProviderEntry.Shape {
    typealias Place = ProviderEntry.Place

    /// An item of `privateNetworks`.
    struct Network: Decodable {
        let range: String
        let ports: [Int]?
    }

    /// An item of `appRedirects`.
    struct Redirect: Decodable {
        let redirectUri: String
        let clientId: String?
    }

    /// - Throws: ``ConfigurationError`` for a name that no button could show.
    func checkedDisplayName(at place: Place) throws(ConfigurationError) -> String? {
        guard let displayName else { return nil }
        let isPlain = displayName.unicodeScalars.allSatisfy(Self.isVisible)
        let hasEnds = displayName.first?.isWhitespace == false && displayName.last?.isWhitespace == false
        guard isPlain, hasEnds, displayName.unicodeScalars.count <= 64 else {
            throw place.error(
                at: "/displayName",
                "must be 1 to 64 characters without control characters and without space around them.")
        }
        return displayName
    }

    /// - Throws: ``ConfigurationError`` for what is no address range or no port.
    func checkedNetworks(at place: Place) throws(ConfigurationError) -> [PrivateNetwork] {
        var networks: [PrivateNetwork] = []
        for (index, network) in (privateNetworks ?? []).enumerated() {
            let pointer = "/privateNetworks/\(index)"
            guard let range = AddressRange(network.range) else {
                throw place.error(
                    at: pointer + "/range", "is no address range.", fix: "Write one such as 10.20.0.0/16.")
            }
            let ports = network.ports ?? PrivateNetwork.defaultPorts
            guard !ports.isEmpty, ports.allSatisfy({ (1...65_535).contains($0) }) else {
                throw place.error(at: pointer + "/ports", "must be numbers between 1 and 65535.")
            }
            networks.append(PrivateNetwork(range: range, ports: Set(ports)))
        }
        return networks
    }

    /// - Throws: ``ConfigurationError`` for what is no redirect URI of an app, and for one that is there twice.
    func checkedAppRedirects(at place: Place) throws(ConfigurationError) -> [AppRedirect] {
        var redirects: [AppRedirect] = []
        for (index, item) in (appRedirects ?? []).enumerated() {
            let redirect = try AppRedirect(item.redirectUri, of: item.clientId, in: place, at: index)
            guard !redirects.contains(where: { $0.redirectURI.hasSameBytes(as: redirect.redirectURI) }) else {
                throw place.error(at: "/appRedirects/\(index)/redirectUri", "is there twice.")
            }
            redirects.append(redirect)
        }
        return redirects
    }

    /// - Throws: ``ConfigurationError`` for what is no scope (RFC 6749 §3.3) or no name of a parameter, and for a parameter
    ///   that carries the protocol.
    func allowance(at place: Place) throws(ConfigurationError) -> AuthorizationAllowance {
        for (index, scope) in (allowedScopes ?? []).enumerated() {
            guard ScopeList.isScope(scope), scope.utf8.count <= 256 else {
                throw place.error(at: "/allowedScopes/\(index)", "is no scope (RFC 6749 §3.3).")
            }
        }
        for (index, name) in (allowedParameters ?? []).enumerated() {
            let pointer = "/allowedParameters/\(index)"
            guard name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...64).contains(name.utf8.count) else {
                throw place.error(at: pointer, "is no name of a parameter.")
            }
            guard !OAuth2Client.isReserved(name) else {
                throw place.error(at: pointer, "\(name) carries the protocol: the broker sets it.")
            }
        }
        return AuthorizationAllowance(scopes: allowedScopes ?? [], parameters: allowedParameters ?? [])
    }

    /// Directional characters would turn the text around it.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
