public import ProviderKit

/// Sign-in with GitLab: gitlab.com and self-managed installations, also below a path.
///
/// GitLab supports OpenID Connect, but its ID token does not show whether an account is blocked, and its key document
/// also contains the key of CI jobs. So a token is accepted only if GitLab confirms that it was issued to *our*
/// application, and the API returns the user.
public struct GitLabProvider: RedirectSignIn {
    public static let kind: ProviderKind = "gitlab"
    public static let displayName: String? = "GitLab"
    public static let isNonBlocking = true
    public static let publicInstance: PublicInstance? = PublicInstance(id: "gitlab.com", instance: "https://gitlab.com")

    /// The entry's `options` in `plugins.json`.
    public struct Options: DeclaredOptions {
        var clientId = ""
        var clientSecret: Secret?
        var scopes: [String] = []
        var url = ""

        public init() {}

        public static let declaration = DeclaredObject<Options>(
            "An application at gitlab.com or at a private installation.",
            [
                .key("clientId", \.clientId, "the application ID").required().narrowed(by: ["minLength": 1]),
                // Without a secret only PKCE protects its codes.
                .key(
                    "clientSecret", \.clientSecret,
                    "the application's secret; absent when it is not marked Confidential"
                ).example(["env": "GITLAB_CLIENT_SECRET"]),
                // `openid` returns the ID token; `read_user` allows the API, the only source of a locked account's state.
                .key("scopes", \.scopes, "the scopes of sign-ins; each has to be ticked at the application")
                    .initially(["openid", "read_user"])
                    .narrowed(by: ["items": ["type": "string", "minLength": 1]]),
                .key("url", \.url, "the installation's base URL, also below a path").initially("https://gitlab.com")
                    .narrowed(by: ProviderContext.baseURLs),
            ])
    }

    public let accepts: Set<Credential.Kind> = [.authorizationCode, .accessToken, .idToken]
    public let instance: String

    let oauth: OAuth2Client
    let api: GitLabAPI
    let context: ProviderContext
    let policy: IDTokenPolicy

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        try Self.check(options)
        let base = try context.baseURL(options.url, option: "url")
        instance = base
        oauth = OAuth2Client(
            authorizeURL: base + "/oauth/authorize", tokenURL: base + "/oauth/token", clientID: options.clientId,
            authentication: options.clientSecret.map { .requestBody($0) } ?? .none, scopes: options.scopes,
            // A code without its verifier or redirect URI is a fault of the client that sent it.
            errorFaults: ["invalid_request": .credential])
        policy = IDTokenPolicy(
            issuers: [base], audiences: [options.clientId], keySetURL: base + "/oauth/discovery/keys",
            maximumAge: 120, nativeNonce: .plain)
        api = GitLabAPI(url: base, clientID: options.clientId, context: context)
        self.context = context
    }

    public var clientID: String { oauth.clientID }
    public var scopes: [String] { oauth.scopes }

    /// GitLab sends no `iss` yet; its OAuth library supports it (RFC 9207).
    public var authorizationResponseIssuer: String? { instance }

    public func authorizationURL(for attempt: SignInAttempt) -> String {
        oauth.authorizationURL(for: attempt, additional: attempt.isReauthentication ? [("prompt", "login")] : [])
    }

    /// Doorkeeper checks the verifier whenever the request had a challenge.
    public func checksCodeVerifier() -> Bool { true }

    /// Without `openid` there is no ID token.
    public var repeatsNonce: Bool { oauth.scopes.contains("openid") }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        switch credential.proof {
        case .authorizationCode(let code):
            let grant = try await oauth.redeem(code, over: api.upstream, now: context.now())
            return try await identity(behind: grant, nonce: code.nonce)
        case .accessToken(let token):
            let (grant, owner) = try await api.info(token)
            return try await api.identity(of: grant, expecting: owner)
        case .idToken(let idToken):
            return try await identity(in: idToken)
        case .assertion:
            throw ProviderError(.credential, at: .redeem, "GitLab does not issue a credential of this kind")
        }
    }

    /// The user of tokens from the token endpoint. The ID token, the API and userinfo must have the same user.
    func identity(
        behind grant: UpstreamGrant, nonce: NonceExpectation
    ) async throws(ProviderError) -> ExternalIdentity {
        guard let idToken = grant.idToken else {
            guard !nonce.isSent, !grant.scopes.contains("openid") else {
                throw ProviderError(.upstream, at: .redeem, "openid was granted, but the response has no ID token")
            }
            return try await api.identity(of: grant, expecting: nil)
        }
        let subject = try await verified(idToken, nonce: nonce, accessToken: grant.accessToken).subject
        return try await api.identity(of: grant, expecting: subject)
    }

    /// The identity of a native client's ID token, with the profile if it has an access token.
    private func identity(in credential: Credential.IDToken) async throws(ProviderError) -> ExternalIdentity {
        let verified = try await verified(
            credential.token, nonce: .native(rawNonce: credential.rawNonce), accessToken: credential.accessToken)
        guard let accessToken = credential.accessToken else {
            let claims = try JSONValue.object(verified.claims).decode(GitLabClaims.self, at: .verifyIDToken)
            return claims.identity(email: claims.email, profile: .object(verified.claims), grant: nil)
        }
        let (grant, owner) = try await api.info(accessToken)
        guard owner == verified.subject else {
            throw ProviderError(.credential, at: .introspect, "ID token and access token have different users")
        }
        return try await api.identity(of: grant, expecting: owner)
    }

    /// Refuses tokens of CI jobs. They have the same issuer and a key of the same document, and their author chooses
    /// the audience, so it may be ours. Their subject is a project; a user's subject is a number.
    private func verified(
        _ token: String, nonce: NonceExpectation, accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken {
        let verified = try await context.tokens.verify(token, by: policy, nonce: nonce, accessToken: accessToken)
        guard Int64(verified.subject).map({ $0 > 0 && String($0) == verified.subject }) == true else {
            throw ProviderError(.credential, at: .verifyIDToken, "sub is not a user id: this may be a CI job's token")
        }
        return verified
    }

    private static func check(_ options: Options) throws(ProviderError) {
        func refuse(_ reason: String) -> ProviderError { ProviderError(.configuration, at: .configure, reason) }
        guard !options.clientId.isEmpty else {
            throw refuse("options.clientId must not be empty: write the Application ID GitLab shows")
        }
        guard options.clientSecret?.reveal().isEmpty != true else {
            throw refuse(
                "options.clientSecret must not be empty: leave it out for an application that is not confidential")
        }
        guard options.scopes.contains("openid") || GitLabAPI.canReadUser(options.scopes) else {
            throw refuse(#"options.scopes must contain "read_user" or "openid": no other scope identifies the user"#)
        }
    }
}

extension NonceExpectation {
    /// Whether the authorization request has a nonce.
    fileprivate var isSent: Bool {
        if case .sent = self { true } else { false }
    }
}

extension ProviderPlugin {
    /// GitLab, as `"use": "gitlab"` in `plugins.json`.
    public static let gitlab = ProviderPlugin(GitLabProvider.self)
}
