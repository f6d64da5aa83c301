/// A provider whose users sign in as with any OAuth 2 server, by one client: a plugin for it says what the client is and
/// who a token belongs to.
///
/// Everything else of ``RedirectSignIn`` follows from ``oauth``: codes alone are accepted, since nothing says whose client
/// another token was issued to. A plugin that differs in one point declares that member itself.
public protocol OAuth2SignIn: RedirectSignIn {
    /// Our client.
    var oauth: OAuth2Client { get }
    /// The context that the instance was made in.
    var context: ProviderContext { get }
}

extension OAuth2SignIn {
    /// Codes only.
    public var accepts: Set<Credential.Kind> { [.authorizationCode] }
    /// The client's id.
    public var clientID: String { oauth.clientID }
    /// The client's scopes.
    public var scopes: [String] { oauth.scopes }
    /// `nil`: most OAuth 2 servers send no `iss`.
    public var authorizationResponseIssuer: String? { nil }

    /// The client's authorization URL.
    public func authorizationURL(for attempt: SignInAttempt) async throws(ProviderError) -> String {
        oauth.authorizationURL(for: attempt)
    }

    /// Redeems the code of a credential.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/credential`` for a credential of another kind.
    public func redeem(_ credential: Credential) async throws(ProviderError) -> UpstreamGrant {
        guard case .authorizationCode(let code) = credential.proof else {
            throw ProviderError(.credential, at: .redeem, "the provider verifies users by codes only")
        }
        return try await oauth.redeem(code, over: context.upstream, now: context.now())
    }
}

extension GrantRefresh where Self: OAuth2SignIn {
    /// Exchanges the refresh token at the client's token endpoint.
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await oauth.refresh(grant, over: context.upstream, now: context.now())
    }
}
