import ProviderKit

extension ConformanceSuite {
    /// The checks of refresh and revocation (RFC 6749 §6, RFC 7009).
    static let grantChecks = [
        ConformanceCheck("refresh-renews-the-grant", "a refresh returns a new access token of the same client") {
            let rehearsal = try $0.refreshing()
            guard case .grant(let fresh) = try await rehearsal.succeed(.refresh) else { return }
            let old = rehearsal.script.grant
            try require(!fresh.accessToken.isEmpty && fresh.accessToken != old?.accessToken, "no new access token")
            try require(fresh.clientID == old?.clientID, "the new grant has another client")
            let isFuture = fresh.expiresAt.map { $0 > rehearsal.fixture.now } ?? true
            try require(isFuture, "the new grant has expired")
        },
        ConformanceCheck("refresh-keeps-the-refresh-token", "without a new refresh token the grant keeps the old one") {
            let rehearsal = try $0.refreshing()
            _ = try await rehearsal.succeed(.refresh)
            let calls = rehearsal.upstream.exchanges.indices
            for call in calls where rehearsal.upstream.exchanges[call].answer?.hasMember("refresh_token") == true {
                let again = try Rehearsal(
                    rehearsal.fixture, rehearsal.script,
                    disturbing: [call: .change { $0.replacingMember("refresh_token", nil) }])
                guard case .grant(let fresh) = try await again.succeed(.refresh) else { return }
                let isKept = fresh.refreshToken == rehearsal.script.grant?.refreshToken
                try require(isKept, "loses the refresh token when the response has none")
            }
        },
        ConformanceCheck(
            "refresh-needs-a-refresh-token", "a grant without a refresh token is refused without a request"
        ) {
            var script = try $0.refreshing().script
            script.grant = script.grant.map {
                UpstreamGrant(clientID: $0.clientID, accessToken: $0.accessToken, scopes: $0.scopes)
            }
            let rehearsal = try Rehearsal($0, script)
            try await rehearsal.play(.refresh).requireFailure([.credential], "a grant without a refresh token")
            let isTold = rehearsal.upstream.exchanges.contains { $0.endpoint?.receives.isEmpty == false }
            try require(!isTold, "sends a request without a refresh token")
        },
        ConformanceCheck("revocation-asks-the-provider", "revoking a grant sends it to the provider") {
            try await $0.revoking().sendsTheGrant(.revoke)
        },
        ConformanceCheck("revocation-of-the-unknown-succeeds", "revoking an unknown grant is a success") {
            try await $0.revoking().acceptsTheUnknown(.revoke)
        },
        ConformanceCheck("revocation-names-its-clients", "the clients of revocable grants include the fixture's") {
            let rehearsal = try $0.revoking()
            guard let provider = rehearsal.provider as? any GrantRevocation else { return }
            let client = rehearsal.script.grant?.clientID
            try require(provider.clientIDs.contains { $0 == client }, "the broker would never pass the grant")
        },
        ConformanceCheck("token-revocation-asks-the-provider", "revoking single tokens sends them to the provider") {
            try await $0.revokingTokens().sendsTheGrant(.revokeTokens)
        },
        ConformanceCheck("token-revocation-of-the-unknown-succeeds", "revoking unknown tokens is a success") {
            try await $0.revokingTokens().acceptsTheUnknown(.revokeTokens)
        },
    ]
}

extension ProviderFixture {
    /// Starts a rehearsal of a refresh.
    fileprivate func refreshing() throws -> Rehearsal {
        let rehearsal = try Rehearsal(self, script())
        guard rehearsal.provider is any GrantRefresh else { throw Deviation.notApplicable("does not refresh grants") }
        let isShown = rehearsal.script.grant?.refreshToken != nil
        try require(isShown, "the fixture has no grant with a refresh token")
        return rehearsal
    }

    /// Starts a rehearsal of a revocation.
    fileprivate func revoking() throws -> Rehearsal {
        let rehearsal = try Rehearsal(self, script())
        guard rehearsal.provider is any GrantRevocation else { throw Deviation.notApplicable("does not revoke grants") }
        try require(rehearsal.script.grant != nil, "the fixture has no grant")
        return rehearsal
    }

    /// Starts a rehearsal of a revocation of single tokens.
    fileprivate func revokingTokens() throws -> Rehearsal {
        let rehearsal = try revoking()
        guard rehearsal.provider is any TokenRevocation else {
            throw Deviation.notApplicable("does not revoke single tokens")
        }
        return rehearsal
    }
}

extension Rehearsal {
    /// Throws unless the plugin call sends a token of the user to the provider.
    fileprivate func sendsTheGrant(_ pluginCall: PluginCall) async throws {
        _ = try await succeed(pluginCall)
        let isTold = upstream.exchanges.contains { $0.endpoint?.receives.contains(.personToken) == true }
        try require(isTold, "revokes a grant without a request to the provider")
    }

    /// Throws unless the plugin call succeeds when the provider does not know the grant.
    fileprivate func acceptsTheUnknown(_ pluginCall: PluginCall) async throws {
        guard !script.unknownGrant.isEmpty else {
            throw Deviation.broken("the fixture has no response for an unknown grant")
        }
        _ = try await Rehearsal(fixture, script, answering: script.unknownGrant).succeed(pluginCall)
    }
}
