public import ProviderKit

/// Sign in with any OpenID Connect provider, by its issuer alone: the plugin `oidc`.
///
/// The provider's discovery document is pinned to the issuer that was configured, identity is the `sub` of its ID
/// token, and everything else about a person may come from its userinfo endpoint, once that names the same `sub`.
public struct OpenIDProvider: RedirectSignIn {
    public static let kind: ProviderKind = "oidc"

    public let accepts: Set<Credential.Kind> = [.authorizationCode, .idToken]
    public let instance: String
    public let clientID: String
    /// The scopes of every authorization request.
    public var scopes: [String] { settings.scopes }

    let settings: Settings
    let discovery: OpenIDDiscovery
    let context: ProviderContext

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        settings = try Settings(options, in: context)
        instance = options.issuer
        clientID = options.clientId
        discovery = OpenIDDiscovery(url: options.issuer, context: context)
        self.context = context
    }

    /// The issuer; providers that never send `iss` leave it out (RFC 9207).
    public var authorizationResponseIssuer: String? { instance }

    public func promisesAuthorizationResponseIssuer() async throws(ProviderError) -> Bool {
        try await discovery.configuration().sendsIssuerParameter ?? false
    }

    public func authorizationURL(for attempt: SignInAttempt) async throws(ProviderError) -> String {
        client(at: try await discovery.configuration())
            .authorizationURL(
                for: attempt, additional: settings.parameters.pairs + (attempt.isReauthentication ? Self.anew : []))
    }

    /// As its discovery document says.
    public func checksCodeVerifier() async throws(ProviderError) -> Bool {
        try await discovery.configuration().codeChallengeMethods?.contains("S256") ?? false
    }

    /// With `max_age` the provider has to say when the person proved who they are (OpenID Connect Core §3.1.2.1).
    private static let anew = [(name: "prompt", value: "login"), (name: "max_age", value: "0")]

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        switch credential.proof {
        case .authorizationCode(let code):
            let endpoints = try await discovery.configuration()
            let grant = try await client(at: endpoints).redeem(code, over: context.upstream, now: context.now())
            return try await identity(behind: grant, nonce: code.nonce, at: endpoints)
        case .idToken(let token):
            return try await identity(behind: token, at: try await discovery.configuration())
        case .accessToken, .assertion:
            // Nothing proves that a bare access token was issued to us.
            throw ProviderError(.credential, at: .redeem, "an oidc provider takes codes and ID tokens only")
        }
    }

    /// The person behind tokens that came straight from the token endpoint. The ID token is for the client that redeemed
    /// the code (OpenID Connect Core §3.1.3.7), never for a further audience.
    func identity(
        behind grant: UpstreamGrant, nonce: NonceExpectation, at endpoints: OpenIDConfiguration
    ) async throws(ProviderError) -> ExternalIdentity {
        guard let idToken = grant.idToken else {
            throw ProviderError(.upstream, at: .redeem, "the token endpoint answered without an ID token")
        }
        let verified = try await context.tokens.verify(
            idToken, by: policy(for: [clientID], at: endpoints), nonce: nonce, accessToken: grant.accessToken)
        try checkRequiredClaims(of: verified)
        let userinfo = try await userinfo(grant.accessToken, about: verified.subject, at: endpoints)
        return identity(verified, userinfo, grant)
    }

    /// The person behind an ID token a client hands in. An access token that came along counts only when the ID token
    /// names it (`at_hash`): anybody's could lie beside it.
    private func identity(
        behind token: Credential.IDToken, at endpoints: OpenIDConfiguration
    ) async throws(ProviderError) -> ExternalIdentity {
        var policy = policy(for: settings.audiences, at: endpoints)
        policy.maximumAge = settings.maximumAge ?? Self.presentedMaximumAge
        let verified = try await context.tokens.verify(
            token.token, by: policy, nonce: .native(rawNonce: token.rawNonce), accessToken: token.accessToken)
        try checkRequiredClaims(of: verified)
        guard verified.bindsAccessToken, let accessToken = token.accessToken else {
            return identity(verified, nil, nil)
        }
        let userinfo = try await userinfo(accessToken, about: verified.subject, at: endpoints)
        let grant = UpstreamGrant(clientID: verified.audience, accessToken: accessToken, idToken: token.token)
        return identity(verified, userinfo, grant)
    }

    /// Seconds since `iat` for which a client may present an ID token: its login may be older.
    private static let presentedMaximumAge = 3600

    private func checkRequiredClaims(of token: VerifiedIDToken) throws(ProviderError) {
        for (name, value) in settings.requiredClaims where token.claims[name] != value {
            throw ProviderError(
                .credential, at: .verifyIDToken, "the ID token's \(name) is not what options.requiredClaims wants")
        }
    }

    private func identity(
        _ token: VerifiedIDToken, _ userinfo: JSONObject?, _ grant: UpstreamGrant?
    ) -> ExternalIdentity {
        var profile = token.claims
        for (name, value) in userinfo ?? [:] { profile[name] = value }
        return settings.claims.identity(
            token.subject, in: [userinfo, token.claims].compactMap { $0.map(JSONValue.object) },
            profile: .object(profile), grant: grant)
    }

    /// What the userinfo endpoint says, where there is one. It has to speak of the same person (OpenID Connect Core
    /// §5.3.2).
    private func userinfo(
        _ token: String, about subject: String, at endpoints: OpenIDConfiguration
    ) async throws(ProviderError) -> JSONObject? {
        guard settings.usesUserinfo ?? true else { return nil }
        guard let url = endpoints.userinfoEndpoint else {
            guard settings.usesUserinfo == nil else {
                throw ProviderError(
                    .configuration, at: .fetchProfile, "options.userinfo is true and discovery lists no such endpoint")
            }
            return nil
        }
        let answer = try await context.upstream.json(
            JSONValue.self, UpstreamRequest(.get, url, at: .fetchProfile).bearer(token))
        guard let claims = answer.object, let told = claims["sub"]?.string else {
            throw ProviderError(.upstream, at: .readProfile, "userinfo has no sub")
        }
        guard told.utf8.elementsEqual(subject.utf8) else {
            throw ProviderError(.credential, at: .readProfile, "userinfo and ID token name two people")
        }
        return claims
    }
}

extension ProviderPlugin {
    /// Any OpenID Connect provider (`"use": "oidc"`).
    public static let oidc = ProviderPlugin(OpenIDProvider.self)
}
