import Foundation
import Locks
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
///
/// It is not an actor: a sign-in that needs no document would change threads twice.
public final class OpenIDDiscovery: Sendable {
    private typealias Answer = Result<OpenIDConfiguration, ProviderError>

    private struct State: Sendable {
        var known: (configuration: OpenIDConfiguration, until: Date)?
        /// The time at which ``known`` was loaded.
        var loadedAt = Date.distantPast
        var loading: Task<Answer, Never>?
    }

    private enum Step {
        case use(OpenIDConfiguration)
        case wait(Task<Answer, Never>)
    }

    private let source: OpenIDMetadataSource
    private let context: ProviderContext
    private let state = Mutex(State())
    /// Seconds between two requests to an unavailable provider.
    private static let pause: TimeInterval = 30
    /// Seconds for which a document is used during an outage.
    private static let longestBridge: TimeInterval = 86_400

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
    public convenience init(url: String, issuer: String? = nil, context: ProviderContext) {
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
        switch step() {
        case .use(let configuration): return configuration
        case .wait(let loading): return try await loading.value.get()
        }
    }

    private func step() -> Step {
        state.withLock { state in
            if let known = state.known, known.until > context.now() { return .use(known.configuration) }
            let loading = state.loading ?? Task { await load() }
            state.loading = loading
            return .wait(loading)
        }
    }

    private func load() async -> Answer {
        let answer: Answer
        do throws(ProviderError) {
            answer = .success(try await source.metadata(over: context))
        } catch {
            answer = .failure(error)
        }
        return state.withLock { state in
            state.loading = nil
            let now = context.now()
            switch answer {
            case .success(let configuration):
                state.known = (configuration, now.addingTimeInterval(3600))
                state.loadedAt = now
                return answer
            case .failure(let error):
                guard error.fault == .upstream, let bridge = state.known?.configuration,
                    now.timeIntervalSince(state.loadedAt) < Self.longestBridge
                else { return answer }
                // Later callers must not wait for a provider that does not respond.
                state.known = (bridge, now.addingTimeInterval(Self.pause))
                return .success(bridge)
            }
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
