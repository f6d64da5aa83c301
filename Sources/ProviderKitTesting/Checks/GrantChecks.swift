import ProviderKit

extension ConformanceSuite {
    /// What becomes of the tokens a provider issued to us (RFC 6749 §6, RFC 7009).
    static let grantChecks = [
        ConformanceCheck("refresh-renews-the-grant", "a refresh brings another access token of the same client") {
            let rehearsal = try $0.refreshing()
            guard case .grant(let fresh) = try await rehearsal.succeed(.refresh) else { return }
            let old = rehearsal.script.grant
            try require(!fresh.accessToken.isEmpty && fresh.accessToken != old?.accessToken, "no new access token")
            try require(fresh.clientID == old?.clientID, "the new grant is another client's")
            let isFuture = fresh.expiresAt.map { $0 > rehearsal.fixture.now } ?? true
            try require(isFuture, "the new grant is dead already")
        },
        ConformanceCheck("refresh-keeps-the-refresh-token", "without a new refresh token the old one stays") {
            let rehearsal = try $0.refreshing()
            _ = try await rehearsal.succeed(.refresh)
            let calls = rehearsal.upstream.exchanges.indices
            for call in calls where rehearsal.upstream.exchanges[call].answer?.hasMember("refresh_token") == true {
                let again = try Rehearsal(
                    rehearsal.fixture, rehearsal.script,
                    disturbing: [call: .change { $0.replacingMember("refresh_token", nil) }])
                guard case .grant(let fresh) = try await again.succeed(.refresh) else { return }
                let isKept = fresh.refreshToken == rehearsal.script.grant?.refreshToken
                try require(isKept, "loses the refresh token when the answer names none")
            }
        },
        ConformanceCheck("refresh-needs-a-refresh-token", "a grant without a refresh token is refused without asking") {
            var script = try $0.refreshing().script
            script.grant = script.grant.map {
                UpstreamGrant(clientID: $0.clientID, accessToken: $0.accessToken, scopes: $0.scopes)
            }
            let rehearsal = try Rehearsal($0, script)
            try await rehearsal.play(.refresh).requireFailure([.credential], "a grant without a refresh token")
            let isTold = rehearsal.upstream.exchanges.contains { $0.endpoint?.receives.isEmpty == false }
            try require(!isTold, "asks for new tokens with nothing in hand")
        },
        ConformanceCheck("revocation-asks-the-provider", "withdrawing a grant tells the provider so") {
            let rehearsal = try $0.revoking()
            _ = try await rehearsal.succeed(.revoke)
            let isTold = rehearsal.upstream.exchanges.contains { $0.endpoint?.receives.contains(.personToken) == true }
            try require(isTold, "withdraws a grant without telling the provider")
        },
        ConformanceCheck("revocation-of-the-unknown-succeeds", "a grant that is gone already counts as withdrawn") {
            let honest = try $0.revoking()
            guard !honest.script.unknownGrant.isEmpty else {
                throw Deviation.broken("the fixture does not show the answer about a grant nobody knows")
            }
            _ = try await Rehearsal($0, honest.script, answering: honest.script.unknownGrant).succeed(.revoke)
        },
    ]
}

extension ProviderFixture {
    /// A stage for a refresh.
    fileprivate func refreshing() throws -> Rehearsal {
        let rehearsal = try Rehearsal(self, script())
        guard rehearsal.provider is any GrantRefresh else { throw Deviation.notApplicable("has nothing to refresh") }
        let isShown = rehearsal.script.grant?.refreshToken != nil
        try require(isShown, "the fixture shows no grant with a refresh token")
        return rehearsal
    }

    /// A stage for a revocation.
    fileprivate func revoking() throws -> Rehearsal {
        let rehearsal = try Rehearsal(self, script())
        guard rehearsal.provider is any GrantRevocation else { throw Deviation.notApplicable("cannot withdraw grants") }
        try require(rehearsal.script.grant != nil, "the fixture shows no grant")
        return rehearsal
    }
}
