import Foundation

/// What a provider says about its endpoints (OpenID Connect Discovery §3), as far as plugins use it.
public struct OpenIDConfiguration: Decodable, Sendable {
    /// Who the provider says it is.
    public let issuer: String
    /// Where the browser goes (`authorization_endpoint`).
    public let authorizationEndpoint: String
    /// Where codes become tokens (`token_endpoint`).
    public let tokenEndpoint: String
    /// Where the keys are (`jwks_uri`).
    public let keySetURL: String
    /// Where an access token tells about its person (`userinfo_endpoint`).
    public let userinfoEndpoint: String?
    /// Where grants are withdrawn (RFC 7009 §2).
    public let revocationEndpoint: String?
    /// Where device authorizations start (RFC 8628 §3.1).
    public let deviceAuthorizationEndpoint: String?
    /// How clients may prove themselves at the token endpoint.
    public let tokenEndpointAuthMethods: [String]?
    /// What the provider signs ID tokens with.
    public let idTokenSigningAlgorithms: [String]?
    /// The PKCE methods it checks (RFC 8414 §2).
    public let codeChallengeMethods: [String]?
    /// Whether the browser's return carries `iss` (RFC 9207 §3).
    public let sendsIssuerParameter: Bool?

    enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case keySetURL = "jwks_uri"
        case userinfoEndpoint = "userinfo_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case tokenEndpointAuthMethods = "token_endpoint_auth_methods_supported"
        case idTokenSigningAlgorithms = "id_token_signing_alg_values_supported"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case sendsIssuerParameter = "authorization_response_iss_parameter_supported"
    }
}

/// A provider's discovery document, asked for once an hour and pinned to the issuer that was configured. An outage is
/// bridged by the last one for 24 hours.
public actor OpenIDDiscovery {
    private let issuer: String
    private let expectedIssuer: String
    private let context: ProviderContext
    private var known: (configuration: OpenIDConfiguration, until: Date)?
    /// When ``known`` was loaded.
    private var loadedAt = Date.distantPast
    /// Seconds between two questions to a provider that does not answer.
    private static let pause: TimeInterval = 30
    /// Seconds for which a document is used without its provider.
    private static let longestBridge: TimeInterval = 86_400
    private var loading: Task<Result<OpenIDConfiguration, ProviderError>, Never>?

    /// - Parameters:
    ///   - url: The base below which `/.well-known/openid-configuration` stands.
    ///   - issuer: What the document's `issuer` has to be; `url` when absent.
    ///   - context: What the plugin's instance works with.
    public init(url: String, issuer: String? = nil, context: ProviderContext) {
        self.issuer = url
        expectedIssuer = issuer ?? url
        self.context = context
    }

    /// Where the document stands (OpenID Connect Discovery §4).
    public static func documentURL(below url: String) -> String {
        (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/.well-known/openid-configuration"
    }

    /// The document. Concurrent callers share one request; an outage is bridged by what was known.
    ///
    /// - Throws: ``ProviderError``: fault ``ProviderError/Fault/configuration`` when the document names another issuer
    ///   or an endpoint that may not be asked.
    public func configuration() async throws(ProviderError) -> OpenIDConfiguration {
        if let known, known.until > context.now() { return known.configuration }
        let task = loading ?? Task { await load() }
        loading = task
        let result = await task.value
        loading = nil
        switch result {
        case .success(let configuration):
            known = (configuration, context.now().addingTimeInterval(3600))
            loadedAt = context.now()
            return configuration
        case .failure(let error):
            guard error.fault == .upstream, let bridge = known?.configuration,
                context.now().timeIntervalSince(loadedAt) < Self.longestBridge
            else { throw error }
            // Not everybody who comes meanwhile waits for an answer that does not come.
            known = (bridge, context.now().addingTimeInterval(Self.pause))
            return bridge
        }
    }

    private func load() async -> Result<OpenIDConfiguration, ProviderError> {
        do throws(ProviderError) {
            let request = UpstreamRequest(.get, Self.documentURL(below: issuer), at: .discover)
            let response = try await context.upstream.send(request)
            guard response.status == 200 else {
                throw ProviderError(.upstream, at: .discover, "discovery answered with status \(response.status)")
            }
            let configuration = try response.decode(OpenIDConfiguration.self, at: .discover)
            try check(configuration)
            return .success(configuration)
        } catch {
            return .failure(error)
        }
    }

    private func check(_ configuration: OpenIDConfiguration) throws(ProviderError) {
        guard configuration.issuer.utf8.elementsEqual(expectedIssuer.utf8) else {
            throw ProviderError(.configuration, at: .discover, "discovery names another issuer than the one configured")
        }
        let endpoints = [
            configuration.authorizationEndpoint, configuration.tokenEndpoint, configuration.keySetURL,
            configuration.userinfoEndpoint, configuration.revocationEndpoint,
            configuration.deviceAuthorizationEndpoint,
        ]
        for endpoint in endpoints.compactMap({ $0 }) { try context.checkEndpoint(endpoint) }
    }
}
