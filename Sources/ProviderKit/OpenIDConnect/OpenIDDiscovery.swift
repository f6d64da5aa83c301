import Foundation

/// A provider's metadata (OpenID Connect Discovery §3), as far as plugins use it.
public struct OpenIDConfiguration: Decodable, Sendable {
    /// The issuer.
    public let issuer: String
    /// The authorization endpoint (`authorization_endpoint`).
    public let authorizationEndpoint: String
    /// The token endpoint (`token_endpoint`).
    public let tokenEndpoint: String
    /// The URL of the key set (`jwks_uri`).
    public let keySetURL: String
    /// The UserInfo endpoint (`userinfo_endpoint`).
    public let userinfoEndpoint: String?
    /// The revocation endpoint (RFC 7009 §2).
    public let revocationEndpoint: String?
    /// The device authorization endpoint (RFC 8628 §3.1).
    public let deviceAuthorizationEndpoint: String?
    /// The client authentication methods of the token endpoint.
    public let tokenEndpointAuthMethods: [String]?
    /// The signature algorithms of ID tokens.
    public let idTokenSigningAlgorithms: [String]?
    /// The supported PKCE methods (RFC 8414 §2).
    public let codeChallengeMethods: [String]?
    /// Whether authorization responses have `iss` (RFC 9207 §3).
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

/// A provider's discovery document, reloaded once an hour and bound to the configured issuer. During an outage the last
/// document is used for 24 hours.
public actor OpenIDDiscovery {
    private let issuer: String
    private let expectedIssuer: String
    private let context: ProviderContext
    private var known: (configuration: OpenIDConfiguration, until: Date)?
    /// The time at which ``known`` was loaded.
    private var loadedAt = Date.distantPast
    /// Seconds between two requests to an unavailable provider.
    private static let pause: TimeInterval = 30
    /// Seconds for which a document is used during an outage.
    private static let longestBridge: TimeInterval = 86_400
    private var loading: Task<Result<OpenIDConfiguration, ProviderError>, Never>?

    /// - Parameters:
    ///   - url: The base URL of `/.well-known/openid-configuration`.
    ///   - issuer: The expected `issuer` of the document; `url` when absent.
    ///   - context: The context of the plugin's instance.
    public init(url: String, issuer: String? = nil, context: ProviderContext) {
        self.issuer = url
        expectedIssuer = issuer ?? url
        self.context = context
    }

    /// The document's URL (OpenID Connect Discovery §4).
    public static func documentURL(below url: String) -> String {
        (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/.well-known/openid-configuration"
    }

    /// Returns the document. Concurrent callers share one request; during an outage the last document is returned.
    ///
    /// - Throws: ``ProviderError``: fault ``ProviderError/Fault/configuration`` when the document names another issuer
    ///   or an endpoint that is not allowed.
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
            // Later callers must not wait for a provider that does not respond.
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
