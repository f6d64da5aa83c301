public import ProviderKit

/// Sign-in with an OAuth 2 provider without ID tokens and with a profile URL: the plugin `oauth2`.
///
/// It accepts only codes: it redeems them as our client, so the tokens were issued to us. Of a bare access token this
/// cannot be verified.
public struct OAuth2Provider: RedirectSignIn {
    public static let kind: ProviderKind = "oauth2"

    public let accepts: Set<Credential.Kind> = [.authorizationCode]
    public let instance: String
    /// The pointers of `options.claims.subject`, in their order.
    public var subjectRule: String { subject.pointers.map(\.description).joined(separator: ", ") }
    public let authorizationResponseIssuer: String?

    let client: OAuth2Client
    let context: ProviderContext
    let revocationURL: String?
    private let userinfo: UserinfoCall
    private let subject: ClaimPointers
    private let claims: ProfileClaims
    private let parameters: AuthorizationParameters

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        let settings = try options.checked(in: context)
        instance = settings.instance
        client = settings.client
        userinfo = settings.userinfo
        authorizationResponseIssuer = options.issuer
        revocationURL = options.revocationUrl
        subject = options.claims.subject
        claims = options.profileClaims
        parameters = try AuthorizationParameters(options.authorizationParameters)
        self.context = context
    }

    public var clientID: String { client.clientID }
    public var scopes: [String] { client.scopes }

    /// The value of `options.pkce`.
    public func checksCodeVerifier() -> Bool { client.sendsCodeChallenge }

    public func authorizationURL(for attempt: SignInAttempt) -> String {
        client.authorizationURL(for: attempt, additional: parameters.pairs)
    }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        guard case .authorizationCode(let code) = credential.proof else {
            throw ProviderError(.credential, at: .redeem, "an oauth2 provider takes codes only")
        }
        let grant = try await client.redeem(code, over: context.upstream, now: context.now())
        let profile = try await context.upstream.json(JSONValue.self, userinfo.request(with: grant.accessToken))
        context.report(
            subject.readings(of: "subject", in: profile, named: "userinfo")
                + claims.readings(in: [("userinfo", profile)]))
        guard let subject = subject.identifier(in: profile) else {
            throw ProviderError(.upstream, at: .readProfile, "the profile has no value at options.claims.subject")
        }
        guard !subject.isAddressShaped else {
            throw ProviderError(
                .configuration, at: .readProfile,
                "options.claims.subject points to an address, which can be reassigned: use a stable id")
        }
        return claims.identity(subject, in: [profile], profile: profile, grant: grant)
    }
}

/// The request for an access token's profile.
struct UserinfoCall: Sendable {
    let url: String
    let headers: [(name: String, value: String)]

    func request(with token: String) -> UpstreamRequest {
        let request = UpstreamRequest(.get, url, at: .fetchProfile)
        return headers.reduce(request) { $0.header($1.name, $1.value) }.bearer(token)
    }
}

extension ProviderPlugin {
    /// Any OAuth 2 provider (`"use": "oauth2"`).
    public static let oauth2 = ProviderPlugin(OAuth2Provider.self)
}

extension OAuth2Provider: ConfigurationCheck {
    /// Redeems an invalid code as our client.
    public func checkConfiguration() async -> [ConfigurationFinding] {
        .distinct(await ConfigurationProbe(context).client(client, fix: Self.clientFix))
    }

    static let clientFix =
        "Compare options.clientId, its secret or key, and tokenEndpointAuthMethod with the provider's page."
}

extension OAuth2Provider: GrantRefresh {
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await client.refresh(grant, over: context.upstream, now: context.now())
    }
}

extension OAuth2Provider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        guard let revocationURL else {
            throw ProviderError(.configuration, at: .revoke, "the entry names no revocationUrl")
        }
        try await client.revoke(grant, at: revocationURL, over: context.upstream)
    }

    /// Whether the entry names a `revocationUrl`.
    public func offersRevocation() -> Bool { revocationURL != nil }
}
