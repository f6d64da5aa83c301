public import ProviderKit

/// Apple's refresh tokens are valid until they are revoked and never change; a refresh checks that the user still uses
/// the app.
extension AppleProvider: GrantProbe {
    /// Apple asks for one refresh a day at most.
    public var probeInterval: Int { 86_400 }

    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await authenticatedClient(grant.clientID).refresh(grant, over: context.upstream, now: context.now())
    }
}

/// Revokes the user's permission, so the next sign-in is a first one again.
extension AppleProvider: GrantRevocation {
    /// Apple answers 200 also to a token that it does not know or that belongs to another client, so a refresh has to
    /// prove that the token is revoked.
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        let hint = grant.refreshToken == nil ? "access_token" : "refresh_token"
        try await authenticatedClient(grant.clientID).revoke(
            grant.refreshToken ?? grant.accessToken, hint: hint, at: url + "/auth/revoke", over: context.upstream)
        // Nothing tells whether an access token is valid.
        guard grant.refreshToken != nil, let error = await revocationError(of: grant) else { return }
        throw error
    }

    /// The reason to doubt that a grant is revoked; nil when Apple refuses to refresh it.
    private func revocationError(of grant: UpstreamGrant) async -> ProviderError? {
        do throws(ProviderError) {
            _ = try await authenticatedClient(grant.clientID)
                // Apple has answered invalid_request for users who had withdrawn.
                .expectingErrors(["invalid_request": .credential])
                .refresh(grant, over: context.upstream, now: context.now())
            return ProviderError(
                .upstream, at: .revoke, "Apple answered 200 and still accepts the token of client \(grant.clientID)")
        } catch {
            guard error.fault != .credential else { return nil }
            return ProviderError(
                .upstream, at: .revoke, "Apple did not say whether the token is revoked: \(error.reason)",
                retryAfter: error.retryAfter)
        }
    }
}

extension AppleProvider: CodeExchange {
    /// A web site's code belongs to the Services ID. A device's code belongs to the app's bundle id, which it does not
    /// name.
    public func exchange(
        _ code: Credential.AuthorizationCode, of clientID: String?
    ) async throws(ProviderError) -> ExternalIdentity {
        let isWeb = code.redirectURI != nil
        let candidates = clientID.map { [$0] } ?? clientIDs.filter { ($0 == servicesID) == isWeb }
        var refusal = ProviderError(
            .configuration, at: .redeem, "options.\(isWeb ? "servicesId" : "clientIds") names no client for the code")
        for candidate in candidates {
            do throws(ProviderError) {
                let (grant, token) = try await redeem(code, as: candidate, nonce: .unchecked)
                return ExternalIdentity(token, nil, grant: grant)
            } catch {
                guard error.fault == .credential, error.step == .redeem else { throw error }
                refusal = error
            }
        }
        throw refusal
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
