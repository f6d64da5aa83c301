public import ProviderKit

/// Sign in with a provider that speaks plain OAuth 2 and tells who somebody is at a URL of its own: the plugin `oauth2`.
///
/// Codes only: they are redeemed with our own client, so what comes back was issued to us. Nothing would prove that of a
/// bare access token.
public struct OAuth2Provider: RedirectSignIn {
    public static let kind: ProviderKind = "oauth2"

    public let accepts: Set<Credential.Kind> = [.authorizationCode]
    public let instance: String
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

    /// What the entry says of the server (`options.pkce`).
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
        guard let subject = subject.identifier(in: profile) else {
            throw ProviderError(.upstream, at: .readProfile, "nothing stands where options.claims.subject points")
        }
        guard !subject.isAddressShaped else {
            throw ProviderError(
                .configuration, at: .readProfile,
                "options.claims.subject points at an address, which can change hands: name a stable id")
        }
        return claims.identity(subject, in: [profile], profile: profile, grant: grant)
    }
}

/// How a provider is asked who an access token belongs to.
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
