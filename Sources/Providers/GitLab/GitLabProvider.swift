public import ProviderKit

/// Sign in with GitLab: gitlab.com and self-managed installations, also below a path.
///
/// GitLab speaks OpenID Connect, but its ID token alone does not tell whether an account is blocked, and its key
/// document also holds the key of CI jobs. So a token is taken only when GitLab says it was issued to *our*
/// application, and the person is read from the API with it.
public struct GitLabProvider: RedirectSignIn {
    public static let kind: ProviderKind = "gitlab"
    public static let displayName: String? = "GitLab"
    public static let publicInstance: PublicInstance? = PublicInstance(id: "gitlab.com", instance: "https://gitlab.com")

    /// The entry's `options` in `plugins.json`.
    public struct Options: Decodable, Sendable {
        /// GitLab's "Application ID".
        let clientId: String
        /// Absent for applications that are not marked "Confidential": PKCE alone protects their codes.
        let clientSecret: Secret?
        /// Asked for at sign-in; `openid` and `read_user` when absent.
        let scopes: [String]?
        /// The installation's base; `https://gitlab.com` when absent.
        let url: String?
    }

    public let accepts: Set<Credential.Kind> = [.authorizationCode, .accessToken, .idToken]
    public let instance: String

    let oauth: OAuth2Client
    let api: GitLabAPI
    let context: ProviderContext
    let policy: IDTokenPolicy

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        let scopes = options.scopes ?? Self.standardScopes
        try Self.check(options, scopes)
        let base = try context.baseURL(options.url ?? "https://gitlab.com", option: "url")
        instance = base
        oauth = OAuth2Client(
            authorizeURL: base + "/oauth/authorize", tokenURL: base + "/oauth/token", clientID: options.clientId,
            authentication: options.clientSecret.map { .requestBody($0) } ?? .none, scopes: scopes,
            // What a code lacks (its verifier, its redirect URI), it lacks by the doing of whoever sent it.
            errorFaults: ["invalid_request": .credential])
        policy = IDTokenPolicy(
            issuers: [base], audiences: [options.clientId], keySetURL: base + "/oauth/discovery/keys",
            maximumAge: 120, nativeNonce: .plain)
        api = GitLabAPI(url: base, clientID: options.clientId, context: context)
        self.context = context
    }

    public var clientID: String { oauth.clientID }
    public var scopes: [String] { oauth.scopes }

    /// GitLab sends no `iss` yet; the library it is built on can (RFC 9207).
    public var authorizationResponseIssuer: String? { instance }

    public func authorizationURL(for attempt: SignInAttempt) -> String {
        oauth.authorizationURL(for: attempt, additional: attempt.isReauthentication ? [("prompt", "login")] : [])
    }

    /// Doorkeeper compares the verifier with every challenge that was sent.
    public func checksCodeVerifier() -> Bool { true }

    /// Without `openid` no ID token comes.
    public var repeatsNonce: Bool { oauth.scopes.contains("openid") }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        switch credential.proof {
        case .authorizationCode(let code):
            let grant = try await oauth.redeem(code, over: api.upstream, now: context.now())
            return try await identity(behind: grant, nonce: code.nonce)
        case .accessToken(let token):
            let (grant, owner) = try await api.info(token)
            return try await api.person(behind: grant, vouchedFor: owner)
        case .idToken(let idToken):
            return try await identity(in: idToken)
        case .assertion:
            throw ProviderError(.credential, at: .redeem, "GitLab does not issue a credential of this kind")
        }
    }

    /// Reads the person behind tokens that were issued to our client a moment ago. The ID token among them, the API and
    /// userinfo have to name the same one.
    func identity(
        behind grant: UpstreamGrant, nonce: NonceExpectation
    ) async throws(ProviderError) -> ExternalIdentity {
        guard let idToken = grant.idToken else {
            guard !nonce.isSent, !grant.scopes.contains("openid") else {
                throw ProviderError(.upstream, at: .redeem, "openid was granted, but no ID token came")
            }
            return try await api.person(behind: grant, vouchedFor: nil)
        }
        let subject = try await verified(idToken, nonce: nonce, accessToken: grant.accessToken).subject
        return try await api.person(behind: grant, vouchedFor: subject)
    }

    /// What a native client's ID token says, or more where it brings the access token along.
    private func identity(in credential: Credential.IDToken) async throws(ProviderError) -> ExternalIdentity {
        let verified = try await verified(
            credential.token, nonce: .native(rawNonce: credential.rawNonce), accessToken: credential.accessToken)
        guard let accessToken = credential.accessToken else {
            let claims = try JSONValue.object(verified.claims).decode(GitLabClaims.self, at: .verifyIDToken)
            return claims.identity(email: claims.email, profile: .object(verified.claims), grant: nil)
        }
        let (grant, owner) = try await api.info(accessToken)
        guard owner == verified.subject else {
            throw ProviderError(.credential, at: .introspect, "ID token and access token name two people")
        }
        return try await api.person(behind: grant, vouchedFor: owner)
    }

    /// CI jobs get tokens of the same issuer, signed by a key of the same document, for any audience their author
    /// writes, ours included. Their subject is a project; a person's is a number.
    private func verified(
        _ token: String, nonce: NonceExpectation, accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken {
        let verified = try await context.tokens.verify(token, by: policy, nonce: nonce, accessToken: accessToken)
        guard Int64(verified.subject).map({ $0 > 0 && String($0) == verified.subject }) == true else {
            throw ProviderError(.credential, at: .verifyIDToken, "sub is no person's id: the token of a CI job?")
        }
        return verified
    }

    /// `openid` brings the ID token; `read_user` opens the API, which alone tells that an account is locked.
    private static let standardScopes = ["openid", "read_user"]

    private static func check(_ options: Options, _ scopes: [String]) throws(ProviderError) {
        func refuse(_ reason: String) -> ProviderError { ProviderError(.configuration, at: .configure, reason) }
        guard !options.clientId.isEmpty else {
            throw refuse("options.clientId must not be empty: write the Application ID GitLab shows")
        }
        guard options.clientSecret?.reveal().isEmpty != true else {
            throw refuse(
                "options.clientSecret must not be empty: leave it out for an application that is not confidential")
        }
        guard scopes.contains("openid") || GitLabAPI.canReadUser(scopes) else {
            throw refuse(#"options.scopes must name "read_user" or "openid": no other scope tells who signs in"#)
        }
    }
}

extension NonceExpectation {
    /// Whether a nonce went with the authorization request.
    fileprivate var isSent: Bool {
        if case .sent = self { true } else { false }
    }
}

extension ProviderPlugin {
    /// GitLab, as `"use": "gitlab"` in `plugins.json`.
    public static let gitlab = ProviderPlugin(GitLabProvider.self)
}
