public import ProviderKit

extension OnePassProvider: RedirectSignIn {
    public func authorizationURL(for attempt: SignInAttempt) async throws(ProviderError) -> String {
        try redirectURIs.check(attempt.redirectURI, isOfApp: attempt.clientID != nil)
        return try await api.client(attempt.clientID, scopes: scopes)
            .authorizationURL(for: attempt, additional: attempt.isReauthentication ? [("prompt", "login")] : [])
    }

    /// 1Pass does not send `iss` today; if present, it must be the issuer.
    public var authorizationResponseIssuer: String? { api.issuer }

    /// One for each platform of the app.
    public var authorizationClientIDs: [String] { api.clientIDs }
}

/// Access tokens are valid for 15 minutes; refresh tokens are single-use.
extension OnePassProvider: GrantRefresh {
    /// An ID token of the response has no nonce and is not stored.
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        let fresh = try await api.refresh(grant)
        return UpstreamGrant(
            clientID: fresh.clientID, accessToken: fresh.accessToken, refreshToken: fresh.refreshToken,
            scopes: fresh.scopes, expiresAt: fresh.expiresAt)
    }
}

/// Accounts are merged, and anonymous ones promoted, while sessions last: userinfo says so.
extension OnePassProvider: IdentityRefresh {
    public func identity(behind refreshed: UpstreamGrant) async throws(ProviderError) -> ExternalIdentity {
        try await verify(Credential(.accessToken(refreshed.accessToken)))
    }
}

/// Revokes the tokens of one sign-in, the refresh token first because the access token expires soon.
extension OnePassProvider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        try await api.revoke(grant)
    }

    public var clientIDs: [String] { api.clientIDs }
}

extension OnePassProvider: TokenRevocation {
    public func revokeTokens(of grant: UpstreamGrant) async throws(ProviderError) { try await revoke(grant) }
}

extension OnePassProvider: DeviceSignIn {
    public func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization {
        try await api.startDeviceAuthorization(scopes: self.scopes + scopes.filter { !self.scopes.contains($0) })
    }

    public func pollDeviceAuthorization(
        _ deviceCode: String
    ) async throws(ProviderError) -> DeviceAuthorizationAnswer {
        switch try await api.pollDeviceAuthorization(deviceCode) {
        case .pending: .pending
        case .slowDown(let interval): .slowDown(interval: interval)
        case .granted(let grant): .granted(try await identity(behind: grant, nonce: .unchecked))
        }
    }
}
