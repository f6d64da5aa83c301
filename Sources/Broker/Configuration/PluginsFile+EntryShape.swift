import ProviderKit

extension PluginsFile {
    /// An entry as the file has it.
    struct EntryShape: Decodable {
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
        let options: JSONValue?
    }
}

extension PluginsFile.EntryShape {
    /// An item of `privateNetworks`.
    struct Network: Decodable {
        let range: String
        let ports: [Int]?
    }

    /// - Throws: ``ConfigurationError`` for a name that no button could show.
    func checkedDisplayName(at pointer: String, in path: String) throws(ConfigurationError) -> String? {
        guard let displayName else { return nil }
        let isPlain = displayName.unicodeScalars.allSatisfy(Self.isVisible)
        let hasEnds = displayName.first?.isWhitespace == false && displayName.last?.isWhitespace == false
        guard isPlain, hasEnds, displayName.unicodeScalars.count <= 64 else {
            throw ConfigurationError(
                path, at: pointer + "/displayName",
                "must be 1 to 64 characters without control characters and without space around them.")
        }
        return displayName
    }

    /// - Throws: ``ConfigurationError`` for what is no scope (RFC 6749 §3.3) or no name of a parameter, and for a parameter
    ///   that carries the protocol.
    func allowance(at pointer: String, in path: String) throws(ConfigurationError) -> AuthorizationAllowance {
        for (index, scope) in (allowedScopes ?? []).enumerated() {
            let isScope = scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
            guard isScope, (1...256).contains(scope.utf8.count) else {
                throw ConfigurationError(path, at: "\(pointer)/allowedScopes/\(index)", "is no scope (RFC 6749 §3.3).")
            }
        }
        for (index, name) in (allowedParameters ?? []).enumerated() {
            let place = "\(pointer)/allowedParameters/\(index)"
            guard name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...64).contains(name.utf8.count) else {
                throw ConfigurationError(path, at: place, "is no name of a parameter.")
            }
            guard !OAuth2Client.isReserved(name) else {
                throw ConfigurationError(path, at: place, "\(name) carries the protocol: the broker sets it.")
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
