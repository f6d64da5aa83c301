public import ProviderKit

/// Access tokens are valid for two hours. A refresh invalidates both old tokens at once, so the result must be stored
/// before it is used.
extension GitLabProvider: GrantRefresh {
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await oauth.refresh(grant, over: api.upstream, now: context.now())
    }
}

/// Revokes one token of the grant; GitLab then revokes the other one as well.
extension GitLabProvider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        let (token, hint) = grant.refreshToken.map { ($0, "refresh_token") } ?? (grant.accessToken, "access_token")
        try await oauth.revoke(token, hint: hint, at: instance + "/oauth/revoke", over: api.upstream)
    }
}

/// Each sign-in has tokens of its own at GitLab.
extension GitLabProvider: TokenRevocation {
    public func revokeTokens(of grant: UpstreamGrant) async throws(ProviderError) { try await revoke(grant) }
}

extension GitLabProvider: DeviceSignIn {
    public func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization {
        try await oauth.startDeviceAuthorization(
            at: instance + "/oauth/authorize_device", scopes: oauth.scopes + scopes, authenticates: true,
            over: api.upstream)
    }

    public func pollDeviceAuthorization(
        _ deviceCode: String
    ) async throws(ProviderError) -> DeviceAuthorizationAnswer {
        switch try await oauth.pollDeviceAuthorization(deviceCode, over: api.upstream, now: context.now()) {
        case .pending: return .pending
        case .slowDown(let interval): return .slowDown(interval: interval)
        case .granted(let grant): return .granted(try await identity(behind: grant, nonce: .unchecked))
        }
    }
}
