import StrictJSON

/// The source of a provider's metadata: its discovery document, the endpoints that the operator names, or both.
///
/// What the operator names fills the gaps of the document. It never replaces what the document says: two URLs for one
/// endpoint are a fault of the configuration, because secrets and proofs of users would go to a place that one of the two
/// parties does not mean.
public struct OpenIDMetadataSource: Sendable {
    /// The base URL of `/.well-known/openid-configuration`; `nil` for a provider without discovery.
    let url: String?
    /// The expected `issuer` of the document.
    let issuer: String
    /// The URLs that the operator names, by their members of the metadata.
    let endpoints: [String: String]
    /// Whether the plugin asks for the published keys.
    let requiresKeySet: Bool

    /// The source of a provider with a discovery document.
    ///
    /// - Parameters:
    ///   - url: The base URL of `/.well-known/openid-configuration`.
    ///   - issuer: The expected `issuer` of the document; `url` when absent.
    ///   - endpoints: URLs that the document may lack, by their members of the metadata, such as `token_endpoint`.
    ///   - requiresKeySet: Whether `jwks_uri` must be known.
    public init(
        url: String, issuer: String? = nil, endpoints: [String: String] = [:], requiresKeySet: Bool = true
    ) {
        self.url = url
        self.issuer = issuer ?? url
        self.endpoints = endpoints
        self.requiresKeySet = requiresKeySet
    }

    /// The source of a provider without a discovery document. `endpoints` and `requiresKeySet` are as above.
    public init(withoutDiscovery issuer: String, endpoints: [String: String], requiresKeySet: Bool = true) {
        url = nil
        self.issuer = issuer
        self.endpoints = endpoints
        self.requiresKeySet = requiresKeySet
    }

    /// A URL that responds without a credential while the provider is available (``IdentityProvider/probeURL``): the
    /// discovery document, else the key set that the operator names.
    public var probeURL: String? { documentURL ?? endpoints["jwks_uri"] }

    /// The URL of the discovery document (OpenID Connect Discovery §4).
    var documentURL: String? { url.map(OpenIDDiscovery.documentURL(below:)) }

    /// The metadata of a document, completed and checked.
    ///
    /// - Parameters:
    ///   - document: The discovery document; without one the metadata is what the operator names.
    ///   - context: The context of the plugin's instance, which allows the endpoints.
    /// - Returns: The metadata.
    /// - Throws: ``OpenIDMetadataFault``.
    func metadata(
        of document: JSONValue?, in context: ProviderContext
    ) throws(OpenIDMetadataFault) -> OpenIDConfiguration {
        guard var members = (document ?? ["issuer": .string(issuer)]).object else { throw .malformed }
        if let named = members["issuer"]?.string, !named.utf8.elementsEqual(issuer.utf8) {
            throw .otherIssuer(expected: issuer, named: named)
        }
        for (name, url) in endpoints.sorted(by: { $0.key < $1.key }) {
            if let published = members[name], !published.isNull {
                guard published.string?.utf8.elementsEqual(url.utf8) ?? false else { throw .contradiction(name) }
            }
            members[name] = .string(url)
        }
        let missing = required.filter { (members[$0]?.isNull ?? true) || members[$0]?.string?.isEmpty == true }
        guard missing.isEmpty else { throw .missing(missing) }
        guard let metadata = try? JSONValueDecoder().decode(OpenIDConfiguration.self, from: .object(members)) else {
            throw .malformed
        }
        for (name, endpoint) in metadata.endpoints {
            do {
                try context.checkEndpoint(endpoint)
            } catch {
                throw .insecure(name)
            }
        }
        return metadata
    }

    /// The members without which no code can be redeemed and no token verified.
    private var required: [String] {
        ["issuer", "authorization_endpoint", "token_endpoint"] + (requiresKeySet ? ["jwks_uri"] : [])
    }
}

/// A fault of a provider's metadata.
enum OpenIDMetadataFault: Error {
    /// No metadata: no object, or members of another type.
    case malformed
    /// Required members are missing.
    case missing([String])
    /// The document names another issuer than the configured one.
    case otherIssuer(expected: String, named: String)
    /// The document and the operator name two URLs for this member.
    case contradiction(String)
    /// The URL of this member is not allowed.
    case insecure(String)
}

extension ProviderError {
    /// Maps a fault of the metadata to the party that has to act.
    init(_ fault: OpenIDMetadataFault) {
        switch fault {
        case .malformed: self.init(.upstream, at: .discover, "the discovery document has an unexpected shape")
        case .missing(let names):
            self.init(.upstream, at: .discover, "the discovery document has no \(names.joined(separator: ", "))")
        case .otherIssuer:
            self.init(.configuration, at: .discover, "discovery names another issuer than the one configured")
        case .contradiction(let name):
            self.init(.configuration, at: .discover, "discovery names another \(name) than options.endpoints")
        case .insecure(let name):
            self.init(.configuration, at: .discover, "the provider's \(name) is no https URL")
        }
    }
}

extension OpenIDConfiguration {
    /// Every URL of the document, with its member's name.
    var endpoints: [(name: String, url: String)] {
        [
            ("authorization_endpoint", authorizationEndpoint), ("token_endpoint", tokenEndpoint),
            ("jwks_uri", keySetURL.isEmpty ? nil : keySetURL), ("userinfo_endpoint", userinfoEndpoint),
            ("revocation_endpoint", revocationEndpoint),
            ("device_authorization_endpoint", deviceAuthorizationEndpoint),
        ].compactMap { name, url in url.map { (name, $0) } }
    }
}
