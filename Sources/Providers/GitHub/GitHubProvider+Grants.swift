public import ProviderKit

/// Tokens of GitHub Apps expire after eight hours and have a refresh token; those of OAuth apps have neither.
extension GitHubProvider: GrantRefresh {
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await oauth.refresh(grant, over: context.upstream, now: context.now())
    }
}

extension GitHubProvider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        try await api.deleteGrant(grant.accessToken)
    }
}

/// GitHub deletes single tokens as well; the user's authorization of the application stays.
extension GitHubProvider: TokenRevocation {
    public func revokeTokens(of grant: UpstreamGrant) async throws(ProviderError) {
        try await api.deleteToken(grant.accessToken)
    }
}

extension GitHubProvider: DeviceSignIn {
    public func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization {
        try await oauth.startDeviceAuthorization(
            at: instance + "/login/device/code", scopes: oauth.scopes + scopes, over: context.upstream)
    }

    public func pollDeviceAuthorization(
        _ deviceCode: String
    ) async throws(ProviderError) -> DeviceAuthorizationAnswer {
        // GitHub's device flow uses no client secret.
        let answer = try await oauth.pollDeviceAuthorization(
            deviceCode, authenticates: false, over: context.upstream, now: context.now())
        switch answer {
        case .pending: return .pending
        case .slowDown(let interval): return .slowDown(interval: interval)
        case .granted(let grant): return .granted(try await identity(of: grant, expecting: nil))
        }
    }
}
