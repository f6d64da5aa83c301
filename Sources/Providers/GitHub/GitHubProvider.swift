public import ProviderKit

/// Sign-in with GitHub: github.com, GitHub Enterprise Server and GitHub's data-residency hosts.
///
/// GitHub supports OAuth 2 but not OpenID Connect: there is no ID token, so the identity comes from its REST API. A
/// bare access token is accepted only if GitHub confirms that it was issued to *our* application.
public struct GitHubProvider: RedirectSignIn {
    public static let kind: ProviderKind = "github"
    public static let displayName: String? = "GitHub"
    public static let publicInstance: PublicInstance? = PublicInstance(id: "github.com", instance: "https://github.com")

    /// The entry's `options` in `plugins.json`.
    public struct Options: DeclaredOptions {
        var clientId = ""
        var clientSecret = Secret("")
        var scopes: [String] = []
        var url = ""
        var apiUrl: String?
        var trustUnverifiedEmails = false

        public init() {}

        public static let declaration = DeclaredObject<Options>(
            "An OAuth app or a GitHub App.",
            [
                .key("clientId", \.clientId, "the client ID of the app").required().narrowed(by: ["minLength": 1]),
                .key("clientSecret", \.clientSecret, "a client secret of the app").required()
                    .example(["env": "GITHUB_CLIENT_SECRET"]),
                .key(
                    "scopes", \.scopes,
                    "the scopes of sign-ins; GitHub Apps ignore them: their permissions are set in the app"
                ).initially(["read:user", "user:email"]),
                .key("url", \.url, "the installation's base URL").initially("https://github.com")
                    .narrowed(by: ProviderContext.baseURLs),
                .key("apiUrl", \.apiUrl, "the base URL of its REST API").narrowed(by: ProviderContext.baseURLs)
                    .initially(
                        inWords: "from `url`: `https://api.github.com`, `https://api.SUB.ghe.com` or `<url>/api/v3`"),
                .key(
                    "trustUnverifiedEmails", \.trustUnverifiedEmails,
                    "whether the primary address is treated as verified; Enterprise Server does not verify addresses"
                ).initially(false),
            ])
    }

    public let accepts: Set<Credential.Kind> = [.authorizationCode, .accessToken]
    public let instance: String

    let oauth: OAuth2Client
    let api: GitHubAPI
    let context: ProviderContext
    public let trustsUnverifiedEmails: Bool

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        guard !options.clientId.isEmpty, !options.clientSecret.reveal().isEmpty else {
            throw ProviderError(.configuration, at: .configure, "options.clientId and clientSecret must not be empty")
        }
        let web = try context.baseURL(options.url, option: "url")
        let apiURL = try context.baseURL(options.apiUrl ?? GitHubAPI.url(of: web), option: "apiUrl")
        instance = web
        oauth = OAuth2Client(
            authorizeURL: web + "/login/oauth/authorize", tokenURL: web + "/login/oauth/access_token",
            clientID: options.clientId, authentication: .requestBody(options.clientSecret),
            scopes: options.scopes, errorFaults: Self.errorFaults)
        api = GitHubAPI(
            url: apiURL, clientID: options.clientId, clientSecret: options.clientSecret, context: context)
        trustsUnverifiedEmails = options.trustUnverifiedEmails
        self.context = context
    }

    public var clientID: String { oauth.clientID }
    public var scopes: [String] { oauth.scopes }

    /// GitHub sends `iss` since August 2026; Enterprise Server releases differ, so `iss` may be absent (RFC 9207).
    public var authorizationResponseIssuer: String? { instance + "/login/oauth" }

    public func authorizationURL(for attempt: SignInAttempt) -> String {
        // GitHub cannot request a new login; it can only show the account selection.
        oauth.authorizationURL(
            for: attempt, additional: attempt.isReauthentication ? [("prompt", "select_account")] : [])
    }

    /// GitHub checks PKCE since July 2025; releases of Enterprise Server declare it in their metadata.
    public func checksCodeVerifier() async throws(ProviderError) -> Bool {
        if isPublicInstance || instance.hasSuffix(".ghe.com") { return true }
        return try await api.metadata(of: instance)?.codeChallengeMethods?.contains("S256") ?? false
    }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        switch credential.proof {
        case .authorizationCode(let code):
            let grant = try await oauth.redeem(code, over: context.upstream, now: context.now())
            return try await identity(of: grant, expecting: nil)
        case .accessToken(let token):
            let checked = try await api.check(token)
            return try await identity(of: checked.grant(token, clientID: clientID), expecting: checked.user.id)
        case .idToken, .assertion:
            throw ProviderError(.credential, at: .redeem, "GitHub does not issue a credential of this kind")
        }
    }

    /// Loads the user of a token of ours. The token check and the profile must have the same user id.
    func identity(
        of grant: UpstreamGrant, expecting userID: Int64?
    ) async throws(ProviderError) -> ExternalIdentity {
        let (user, profile, scopes) = try await api.user(grant.accessToken)
        guard userID == nil || userID == user.id else {
            throw ProviderError(.credential, at: .fetchProfile, "the token check and the profile have different users")
        }
        let emails = try await api.emails(grant.accessToken)
        return ExternalIdentity(
            subject: String(user.id), email: email(of: user, among: emails?.list),
            displayName: user.name ?? user.login, screenName: user.login, pictureURL: user.avatarURL,
            profile: profile.adding("emails", emails?.raw), grant: grant.having(scopes ?? grant.scopes))
    }

    /// The primary address with GitHub's verification; the public profile's address is not verified.
    private func email(of user: GitHubUser, among emails: [GitHubEmail]?) -> ExternalIdentity.Email? {
        if let primary = emails?.first(where: \.primary), !primary.email.isEmpty {
            return .init(primary.email, isVerified: primary.verified || trustsUnverifiedEmails)
        }
        return user.email.map { .init($0, isVerified: false) }
    }

    /// GitHub's own error codes, which it sends with status 200.
    private static let errorFaults: [String: ProviderError.Fault] = [
        "bad_verification_code": .credential, "bad_refresh_token": .credential, "unverified_user_email": .credential,
        "incorrect_client_credentials": .configuration, "redirect_uri_mismatch": .configuration,
        "application_suspended": .configuration, "device_flow_disabled": .configuration, "Not Found": .configuration,
    ]
}

extension GitHubProvider: UnverifiedEmailTrust {
    /// Whether it is an installation of one organisation.
    public var isOfOneTenant: Bool { !isPublicInstance }
}

extension ProviderPlugin {
    /// Sign in with GitHub.
    public static let github = ProviderPlugin(GitHubProvider.self)
}
