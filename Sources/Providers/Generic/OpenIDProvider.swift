public import ProviderKit

/// Sign-in with any OpenID Connect provider, configured by its issuer: the plugin `oidc`.
///
/// The discovery document must name the configured issuer. The subject is the `sub` of the ID token, for an issuer with
/// tenants its `tid` and `oid`; the rest of the profile may come from the userinfo endpoint, which must return the same
/// `sub`.
public struct OpenIDProvider: RedirectSignIn {
    public static let kind: ProviderKind = "oidc"
    public static let isNonBlocking = true

    public let accepts: Set<Credential.Kind>
    public let instance: String
    public let clientID: String
    /// The scopes of every authorization request.
    public var scopes: [String] { settings.scopes }

    let settings: Settings
    let source: OpenIDMetadataSource
    let discovery: OpenIDDiscovery
    let context: ProviderContext

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        settings = try Settings(options, in: context)
        instance = options.issuer
        clientID = options.clientId
        accepts = settings.acceptsPresentedTokens ? [.authorizationCode, .idToken] : [.authorizationCode]
        source = try Self.source(of: options, settings, in: context)
        discovery = OpenIDDiscovery(source, context: context)
        self.context = context
    }

    /// The issuer, if the provider sends `iss` (RFC 9207). An issuer with tenants is no single one.
    public var authorizationResponseIssuer: String? { settings.tenants == nil ? instance : nil }

    public var repeatsNonce: Bool { settings.repeatsNonce }

    /// The client, and those of apps.
    public var authorizationClientIDs: [String] { settings.audiences }

    public func promisesAuthorizationResponseIssuer() async throws(ProviderError) -> Bool {
        try await discovery.configuration().sendsIssuerParameter ?? false
    }

    public func authorizationURL(for attempt: SignInAttempt) async throws(ProviderError) -> String {
        client(attempt.clientID, at: try await discovery.configuration())
            .authorizationURL(
                for: attempt, additional: settings.parameters.pairs + (attempt.isReauthentication ? Self.anew : []))
    }

    /// The value of the discovery document.
    public func checksCodeVerifier() async throws(ProviderError) -> Bool {
        try await discovery.configuration().codeChallengeMethods?.contains("S256") ?? false
    }

    /// With `max_age` the ID token must contain `auth_time` (OpenID Connect Core §3.1.2.1).
    private static let anew = [(name: "prompt", value: "login"), (name: "max_age", value: "0")]

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        switch credential.proof {
        case .authorizationCode(let code):
            let endpoints = try await discovery.configuration()
            let grant = try await client(code.clientID, at: endpoints)
                .redeem(code, over: context.upstream, now: context.now())
            return try await identity(behind: grant, nonce: code.nonce, at: endpoints)
        case .idToken(let token) where settings.acceptsPresentedTokens:
            return try await identity(behind: token, at: try await discovery.configuration())
        case .idToken:
            throw ProviderError(.credential, at: .redeem, "the entry takes ID tokens of the token endpoint only")
        case .accessToken, .assertion:
            // The issuance of a bare access token to our client cannot be verified.
            throw ProviderError(.credential, at: .redeem, "an oidc provider takes codes and ID tokens only")
        }
    }

    /// The identity of tokens from the token endpoint. The ID token's audience must be the client that redeemed the
    /// code (OpenID Connect Core §3.1.3.7), never a further audience.
    func identity(
        behind grant: UpstreamGrant, nonce: NonceExpectation, at endpoints: OpenIDConfiguration
    ) async throws(ProviderError) -> ExternalIdentity {
        guard let idToken = grant.idToken else {
            throw ProviderError(.upstream, at: .redeem, "the token endpoint answered without an ID token")
        }
        let verified = try await context.tokens.verify(
            idToken, by: policy(for: [grant.clientID], at: endpoints), nonce: nonce, accessToken: grant.accessToken)
        try checkRequiredClaims(of: verified)
        let userinfo = try await userinfo(grant.accessToken, about: verified.subject, at: endpoints)
        return try identity(verified, userinfo, grant)
    }

    /// The identity of an ID token that a client presents. An access token beside it is used only when `at_hash` binds
    /// it to the ID token, because it may belong to another user.
    private func identity(
        behind token: Credential.IDToken, at endpoints: OpenIDConfiguration
    ) async throws(ProviderError) -> ExternalIdentity {
        var policy = policy(for: settings.audiences, at: endpoints)
        policy.maximumAge = settings.maximumAge ?? Self.presentedMaximumAge
        let verified = try await context.tokens.verify(
            token.token, by: policy, nonce: .native(rawNonce: token.rawNonce), accessToken: token.accessToken)
        try checkRequiredClaims(of: verified)
        guard verified.bindsAccessToken, let accessToken = token.accessToken else {
            return try identity(verified, nil, nil)
        }
        let userinfo = try await userinfo(accessToken, about: verified.subject, at: endpoints)
        let grant = UpstreamGrant(clientID: verified.audience, accessToken: accessToken, idToken: token.token)
        return try identity(verified, userinfo, grant)
    }

    /// The maximum age of an ID token that a client presents, in seconds since `iat`.
    private static let presentedMaximumAge = 3600

    private func checkRequiredClaims(of token: VerifiedIDToken) throws(ProviderError) {
        for (name, value) in settings.requiredClaims where token.claims[name] != value {
            throw ProviderError(
                .credential, at: .verifyIDToken, "the ID token's \(name) differs from options.requiredClaims")
        }
    }

    private func identity(
        _ token: VerifiedIDToken, _ userinfo: JSONObject?, _ grant: UpstreamGrant?
    ) throws(ProviderError) -> ExternalIdentity {
        let subject = try settings.tenants?.subject(of: token) ?? token.subject
        var profile = token.claims
        for (name, value) in userinfo ?? [:] { profile[name] = value }
        let documents = [("userinfo", userinfo), ("ID token", token.claims)].compactMap { name, claims in
            claims.map { (name: name, value: JSONValue.object($0)) }
        }
        context.report(
            [
                ClaimReading(
                    "subject", at: settings.tenants == nil ? "ID token /sub" : "ID token /tid and /oid",
                    .string(subject))
            ]
                + settings.claims.readings(in: documents))
        return settings.claims.identity(
            subject, in: documents.map(\.value), profile: .object(profile), grant: grant)
    }

    /// The response of the userinfo endpoint, if there is one. Its `sub` must be that of the ID token (OpenID Connect
    /// Core §5.3.2).
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
        guard let claims = answer.object, let reportedSubject = claims["sub"]?.string else {
            throw ProviderError(.upstream, at: .readProfile, "userinfo has no sub")
        }
        guard reportedSubject.utf8.elementsEqual(subject.utf8) else {
            throw ProviderError(.credential, at: .readProfile, "userinfo and ID token have different subjects")
        }
        return claims
    }
}

extension ProviderPlugin {
    /// Any OpenID Connect provider (`"use": "oidc"`).
    public static let oidc = ProviderPlugin(OpenIDProvider.self)
}
