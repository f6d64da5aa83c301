public import ProviderKit

extension OAuth2Provider: GrantRefresh {
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await client.refresh(grant, over: context.upstream, now: context.now())
    }
}

extension OAuth2Provider: GrantRevocation {
    public func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        guard let revocationURL else {
            throw ProviderError(.configuration, at: .revoke, "the entry names no revocationUrl")
        }
        try await client.revoke(grant, at: revocationURL, over: context.upstream)
    }
}
