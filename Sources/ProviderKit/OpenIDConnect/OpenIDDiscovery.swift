import Foundation
import StrictJSON

/// A provider's metadata (OpenID Connect Discovery §3), as far as plugins use it.
public struct OpenIDConfiguration: Decodable, Sendable {
    /// The issuer.
    public let issuer: String
    /// The authorization endpoint (`authorization_endpoint`).
    public let authorizationEndpoint: String
    /// The token endpoint (`token_endpoint`).
    public let tokenEndpoint: String
    /// The URL of the key set (`jwks_uri`); empty only where the source of the metadata requires none.
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

    /// Reads metadata.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try members.decode(String.self, forKey: .issuer)
        authorizationEndpoint = try members.decode(String.self, forKey: .authorizationEndpoint)
        tokenEndpoint = try members.decode(String.self, forKey: .tokenEndpoint)
        keySetURL = try members.decodeIfPresent(String.self, forKey: .keySetURL) ?? ""
        userinfoEndpoint = try members.decodeIfPresent(String.self, forKey: .userinfoEndpoint)
        revocationEndpoint = try members.decodeIfPresent(String.self, forKey: .revocationEndpoint)
        deviceAuthorizationEndpoint = try members.decodeIfPresent(String.self, forKey: .deviceAuthorizationEndpoint)
        tokenEndpointAuthMethods = try members.decodeIfPresent([String].self, forKey: .tokenEndpointAuthMethods)
        idTokenSigningAlgorithms = try members.decodeIfPresent([String].self, forKey: .idTokenSigningAlgorithms)
        codeChallengeMethods = try members.decodeIfPresent([String].self, forKey: .codeChallengeMethods)
        sendsIssuerParameter = try members.decodeIfPresent(Bool.self, forKey: .sendsIssuerParameter)
    }
}

/// A provider's metadata, with its discovery document reloaded once an hour and bound to the configured issuer. During an
/// outage the last document is used for 24 hours.
public actor OpenIDDiscovery {
    private let source: OpenIDMetadataSource
    private let context: ProviderContext
    private var known: (configuration: OpenIDConfiguration, until: Date)?
    /// The time at which ``known`` was loaded.
    private var loadedAt = Date.distantPast
    /// Seconds between two requests to an unavailable provider.
    private static let pause: TimeInterval = 30
    /// Seconds for which a document is used during an outage.
    private static let longestBridge: TimeInterval = 86_400
    private var loading: Task<Result<OpenIDConfiguration, ProviderError>, Never>?

    /// The metadata of a source.
    public init(_ source: OpenIDMetadataSource, context: ProviderContext) {
        self.source = source
        self.context = context
    }

    /// The metadata of a discovery document that is complete.
    ///
    /// - Parameters:
    ///   - url: The base URL of `/.well-known/openid-configuration`.
    ///   - issuer: The expected `issuer` of the document; `url` when absent.
    ///   - context: The context of the plugin's instance.
    public init(url: String, issuer: String? = nil, context: ProviderContext) {
        self.init(OpenIDMetadataSource(url: url, issuer: issuer), context: context)
    }

    /// The document's URL (OpenID Connect Discovery §4).
    public static func documentURL(below url: String) -> String {
        (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/.well-known/openid-configuration"
    }

    /// Returns the metadata. Concurrent callers share one request; during an outage the last document is used.
    ///
    /// - Throws: ``ProviderError``: fault ``ProviderError/Fault/configuration`` when the document names another issuer,
    ///   another URL than the operator, or an endpoint that is not allowed.
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
            return .success(try await source.metadata(over: context))
        } catch {
            return .failure(error)
        }
    }
}

extension OpenIDMetadataSource {
    /// The metadata, with the document requested now.
    fileprivate func metadata(over context: ProviderContext) async throws(ProviderError) -> OpenIDConfiguration {
        var document: JSONValue?
        if let documentURL {
            let response = try await context.upstream.send(UpstreamRequest(.get, documentURL, at: .discover))
            guard response.status == 200 else {
                throw ProviderError(.upstream, at: .discover, "discovery answered with status \(response.status)")
            }
            document = try response.jsonValue(at: .discover)
        }
        do {
            return try metadata(of: document, in: context)
        } catch {
            throw ProviderError(error)
        }
    }
}
