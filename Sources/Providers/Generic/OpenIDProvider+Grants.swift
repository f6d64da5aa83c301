public import ProviderKit

extension OpenIDProvider: GrantRefresh {
    /// An ID token in the response is ignored: it is not used for a sign-in, and a failed verification would lose the
    /// new tokens.
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        let endpoints = try await discovery.configuration()
        let fresh = try await client(grant.clientID, at: endpoints)
            .refresh(grant, over: context.upstream, now: context.now())
        return UpstreamGrant(
            clientID: fresh.clientID, accessToken: fresh.accessToken, refreshToken: fresh.refreshToken,
            scopes: fresh.scopes, expiresAt: fresh.expiresAt)
    }
}

extension OpenIDProvider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        let endpoints = try await discovery.configuration()
        guard let url = endpoints.revocationEndpoint else {
            throw ProviderError(.configuration, at: .revoke, "the provider lists no revocation_endpoint")
        }
        try await client(grant.clientID, at: endpoints).revoke(grant, at: url, over: context.upstream)
    }

    public var clientIDs: [String] { settings.audiences }

    public func offersRevocation() async throws(ProviderError) -> Bool {
        try await discovery.configuration().revocationEndpoint != nil
    }
}

/// RFC 7009 §2.1 revokes the tokens of one authorization grant.
extension OpenIDProvider: TokenRevocation {
    /// Google's revocation of any token withdraws the user's whole consent.
    public var revokesTokensAlone: Bool { !instance.utf8.elementsEqual("https://accounts.google.com".utf8) }

    public func revokeTokens(of grant: UpstreamGrant) async throws(ProviderError) { try await revoke(grant) }
}

extension OpenIDProvider: DeviceSignIn {
    public func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization {
        let endpoints = try await discovery.configuration()
        guard let url = endpoints.deviceAuthorizationEndpoint else {
            throw ProviderError(
                .configuration, at: .authorizeDevice, "the provider lists no device_authorization_endpoint")
        }
        let client = client(at: endpoints)
        return try await client.startDeviceAuthorization(
            at: url, scopes: client.scopes + scopes.filter { !client.scopes.contains($0) }, over: context.upstream)
    }

    public func pollDeviceAuthorization(
        _ deviceCode: String
    ) async throws(ProviderError) -> DeviceAuthorizationAnswer {
        let endpoints = try await discovery.configuration()
        let answer = try await client(at: endpoints).pollDeviceAuthorization(
            deviceCode, over: context.upstream, now: context.now())
        switch answer {
        case .pending: return .pending
        case .slowDown(let interval): return .slowDown(interval: interval)
        case .granted(let grant):
            return .granted(try await identity(behind: grant, nonce: .unchecked, at: endpoints))
        }
    }
}

extension OAuth2Client {
    /// Revokes both tokens: few servers revoke the access token together with the refresh token (RFC 7009 §2.1).
    func revoke(_ grant: UpstreamGrant, at url: String, over upstream: any Upstream) async throws(ProviderError) {
        if let refreshToken = grant.refreshToken {
            try await revoke(refreshToken, hint: "refresh_token", at: url, over: upstream)
        }
        try await revoke(grant.accessToken, hint: "access_token", at: url, over: upstream)
    }
}
