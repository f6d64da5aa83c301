public import ProviderKit

/// Apple's refresh tokens live until they are revoked and never change; using one tells whether the person still uses
/// the app. Apple asks for no more than one use a day.
extension AppleProvider: GrantRefresh {
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await authenticatedClient(grant.clientID).refresh(grant, over: context.upstream, now: context.now())
    }
}

/// Ends the person's whole permission: the next sign-in is a first one again. Apple answers 200 whatever it did, and
/// does nothing unless the client is the one the tokens were issued to.
extension AppleProvider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        let hint = grant.refreshToken == nil ? "access_token" : "refresh_token"
        try await authenticatedClient(grant.clientID).revoke(
            grant.refreshToken ?? grant.accessToken, hint: hint, at: url + "/auth/revoke", over: context.upstream)
    }
}

extension AppleProvider {
    /// A client with a secret of its own making, good for five minutes and this one use.
    func authenticatedClient(_ clientID: String) throws(ProviderError) -> OAuth2Client {
        let secret = try context.tokens.sign(
            ClientAssertion(key: key, issuer: teamID, subject: clientID, audience: url, lifetime: 300))
        return client(clientID, authentication: .requestBody(Secret(secret)))
    }

    func client(_ clientID: String, authentication: OAuth2Client.ClientAuthentication) -> OAuth2Client {
        OAuth2Client(
            authorizeURL: url + "/auth/authorize", tokenURL: url + "/auth/token", clientID: clientID,
            authentication: authentication, scopes: Self.scopes)
    }

    static let scopes = ["name", "email"]
}
