import Foundation
import ProviderKit

extension ConformanceSuite {
    /// The checks of refresh and revocation (RFC 6749 §6, RFC 7009).
    static let grantChecks = [
        ConformanceCheck(
            "refresh-renews-the-grant", "a refresh returns a new access token of the same client",
            fix: "Return the tokens of the response, of the grant's client; OAuth2Client.refresh does."
        ) {
            let rehearsal = try $0.refreshing()
            guard case .grant(let fresh) = try await rehearsal.succeed(.refresh) else { return }
            let old = rehearsal.script.grant
            try require(!fresh.accessToken.isEmpty && fresh.accessToken != old?.accessToken, "no new access token")
            try require(fresh.clientID == old?.clientID, "the new grant has another client")
            let isFuture = fresh.expiresAt.map { $0 > rehearsal.fixture.now } ?? true
            try require(isFuture, "the new grant has expired")
            let answers = rehearsal.upstream.exchanges.compactMap {
                $0.answer.flatMap { try? JSONValue(parsing: $0.body) }
            }
            guard let answer = answers.first(where: { $0["access_token"] != nil }),
                let lifetime = answer["expires_in"]?.number?.integer
            else { return }
            let end = rehearsal.fixture.now.addingTimeInterval(Double(lifetime))
            try require(fresh.expiresAt == end, "the new grant has another end than expires_in says")
        },
        ConformanceCheck(
            "refresh-keeps-the-refresh-token", "without a new refresh token the grant keeps the old one",
            fix: "Keep the grant's refresh token where the response has none."
        ) {
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
            "refresh-needs-a-refresh-token", "a grant without a refresh token is refused without a request",
            fix: "Throw a credential fault when the grant has no refresh token."
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
        ConformanceCheck(
            "refresh-sends-its-own-token", "a refresh sends the refresh token of that grant",
            fix: "Send the refresh token of the grant that was passed, and remember none."
        ) {
            try await $0.refreshing().sendsTheGrant(.refresh) { [$0.refreshToken] }
        },
        ConformanceCheck(
            "refresh-tells-a-withdrawal", "a refused refresh token is the credential's fault, a refused client is not",
            fix: "Throw a credential fault at step refresh for invalid_grant, and for no other error."
        ) { fixture in
            let rehearsal = try fixture.refreshing()
            _ = try await rehearsal.succeed(.refresh)
            let requests = rehearsal.upstream.requests
            guard let call = requests.firstIndex(where: { $0.carries("grant_type", "refresh_token") }) else {
                throw Deviation.notApplicable("does not refresh at a token endpoint of OAuth 2")
            }
            let faults: [(error: String, fault: ProviderError.Fault)] = [
                ("invalid_grant", .credential), ("invalid_client", .configuration),
                ("temporarily_unavailable", .upstream),
            ]
            for (error, fault) in faults {
                let answer = UpstreamResponse.json(["error": .string(error)], status: 400)
                let again = try Rehearsal(fixture, rehearsal.script, disturbing: [call: .answer(answer)])
                let ending = try await again.play(.refresh)
                try ending.requireFailure([fault], error)
                // Only then does the broker mark the grant as withdrawn.
                if case .failure(let found) = ending, fault == .credential {
                    try require(found.step == .refresh, "\(error): step \(found.step.rawValue), not refresh")
                }
            }
        },
        ConformanceCheck(
            "probes-keep-their-grants",
            "a grant that is probed keeps its refresh token, and the probes have an interval",
            fix: "Declare GrantProbe only where a refresh leaves the refresh token valid."
        ) {
            let rehearsal = try $0.refreshing()
            guard let provider = rehearsal.provider as? any GrantProbe else {
                throw Deviation.notApplicable("declares no probes")
            }
            try require(provider.probeInterval > 0, "would be probed without a pause")
            guard case .grant(let fresh) = try await rehearsal.succeed(.refresh) else { return }
            let isKept = fresh.refreshToken == rehearsal.script.grant?.refreshToken
            try require(isKept, "a probe replaces the refresh token, and its result is discarded")
        },
        ConformanceCheck(
            "revocation-asks-the-provider", "revoking a grant sends it to the provider",
            fix: "Send the refresh token of the grant that was passed, or its access token, to the revocation endpoint."
        ) {
            try await $0.revoking().sendsTheGrant(.revoke) { [$0.refreshToken, $0.accessToken] }
        },
        ConformanceCheck(
            "revocation-of-the-unknown-succeeds", "revoking an unknown grant is a success",
            fix: "Return without an error when the provider does not know the grant."
        ) {
            try await $0.revoking().acceptsTheUnknown(.revoke)
        },
        ConformanceCheck(
            "revocation-names-its-clients", "the clients of revocable grants include the fixture's",
            fix: "List every client whose grants the plugin can revoke in clientIDs."
        ) {
            let rehearsal = try await $0.revoking()
            guard let provider = rehearsal.provider as? any GrantRevocation else { return }
            let client = rehearsal.script.grant?.clientID
            try require(provider.clientIDs.contains { $0 == client }, "the broker would never pass the grant")
        },
        ConformanceCheck(
            "token-revocation-asks-the-provider", "revoking single tokens sends them to the provider",
            fix: "Send the refresh token of the grant that was passed, or its access token, to the revocation endpoint."
        ) {
            try await $0.revokingTokens().sendsTheGrant(.revokeTokens) { [$0.refreshToken, $0.accessToken] }
        },
        ConformanceCheck(
            "token-revocation-of-the-unknown-succeeds", "revoking unknown tokens is a success",
            fix: "Return without an error when the provider does not know the tokens."
        ) {
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

    /// Starts a rehearsal of a revocation, where the options offer one.
    fileprivate func revoking() async throws -> Rehearsal {
        let rehearsal = try Rehearsal(self, script())
        guard let provider = rehearsal.provider as? any GrantRevocation else {
            throw Deviation.notApplicable("does not revoke grants")
        }
        let isOffered = try await provider.offersRevocation()
        let isScripted = !rehearsal.script.unknownGrant.isEmpty
        guard isOffered || isScripted else { throw Deviation.notApplicable("its options offer no revocation") }
        try require(isOffered, "offersRevocation is false, and the fixture has a response to an unknown grant")
        try require(rehearsal.script.grant != nil, "the fixture has no grant")
        try require(isScripted, "the fixture has no response to an unknown grant")
        // A new instance, without what the question has loaded.
        return try Rehearsal(self, rehearsal.script)
    }

    /// Starts a rehearsal of a revocation of single tokens.
    fileprivate func revokingTokens() async throws -> Rehearsal {
        let rehearsal = try await revoking()
        guard rehearsal.provider is any TokenRevocation else {
            throw Deviation.notApplicable("does not revoke single tokens")
        }
        return rehearsal
    }
}

extension Rehearsal {
    /// Throws unless the plugin call sends one of the tokens to the provider, also of a second grant.
    fileprivate func sendsTheGrant(
        _ pluginCall: PluginCall, _ tokens: (UpstreamGrant) -> [String?]
    ) async throws {
        guard let grant = script.grant else { return }
        let noUser = ExternalIdentity(subject: "")
        let all = [grant.accessToken, grant.refreshToken].compactMap(\.self)
        let second = fixture.script(exchanging: UserExchange(of: noUser, subject: "", address: nil, tokens: all))
        let stage = try Rehearsal(fixture, script, calls: 3)
        for turned in [stage, stage.turned(to: second)] {
            turned.upstream.turn(to: turned.script)
            let earlier = turned.upstream.requests.count
            _ = try await turned.succeed(pluginCall)
            let sent = turned.upstream.requests.dropFirst(earlier)
            let isTold =
                turned.script.grant.map(tokens)?.compactMap(\.self)
                .contains { token in sent.contains { $0.contains(token: token) } } ?? false
            try require(isTold, "no request has a token of the grant")
            // RFC 7009 §2.1: the end of an access token need not be that of the refresh token.
            guard let refreshToken = turned.script.grant?.refreshToken,
                sent.contains(where: { $0.formValue("token") != nil })
            else { continue }
            let isWhole = sent.contains { $0.contains(token: refreshToken) }
            try require(isWhole, "revokes the access token alone: the refresh token stays valid")
        }
        // The answer to an earlier grant says nothing of this one.
        var silent = script
        silent.endpoints = script.endpoints.map { $0.receives.contains(.personToken) ? $0.unavailable : $0 }
        if case .success = await stage.turned(to: silent).outcome(of: pluginCall) {
            throw Deviation.broken("succeeds without an answer of the provider, after one about another grant")
        }
    }

    /// Throws unless the plugin call succeeds when the provider does not know the grant.
    fileprivate func acceptsTheUnknown(_ pluginCall: PluginCall) async throws {
        _ = try await Rehearsal(fixture, script, answering: script.unknownGrant).succeed(pluginCall)
    }
}
