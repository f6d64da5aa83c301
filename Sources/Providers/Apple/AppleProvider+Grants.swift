public import ProviderKit

/// Apple's refresh tokens are valid until they are revoked and never change; a refresh checks that the user still uses
/// the app. Apple allows one refresh a day.
extension AppleProvider: GrantRefresh {
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await authenticatedClient(grant.clientID).refresh(grant, over: context.upstream, now: context.now())
    }
}

/// Revokes the user's permission, so the next sign-in is a first one again. Apple always returns 200, and revokes
/// nothing unless the tokens were issued to this client.
extension AppleProvider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        let hint = grant.refreshToken == nil ? "access_token" : "refresh_token"
        try await authenticatedClient(grant.clientID).revoke(
            grant.refreshToken ?? grant.accessToken, hint: hint, at: url + "/auth/revoke", over: context.upstream)
    }
}

extension AppleProvider {
    /// A client that signs its own secret for each request, valid for five minutes.
    func authenticatedClient(_ clientID: String) throws(ProviderError) -> OAuth2Client {
        let secret = try context.tokens.sign(clientSecret(of: clientID))
        return client(clientID, authentication: .requestBody(Secret(secret)))
    }

    func client(_ clientID: String, authentication: OAuth2Client.ClientAuthentication) -> OAuth2Client {
        OAuth2Client(
            authorizeURL: url + "/auth/authorize", tokenURL: url + "/auth/token", clientID: clientID,
            authentication: authentication, scopes: Self.scopes)
    }

    static let scopes = ["name", "email"]
}
