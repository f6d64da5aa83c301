import ProviderKit

extension ConformanceSuite {
    /// The checks that an endpoint gets what it needs: a user's token, and the authentication of our client.
    static let endpointChecks = [
        ConformanceCheck(
            "tokens-are-sent-where-wanted",
            "a request to an endpoint that receives a user's token has the token that the request is about",
            fix:
                "Send the user's access token, as UpstreamRequest.bearer(_:) does, or take .personToken from the endpoint."
        ) { fixture in
            try await fixture.everyHonestCall { rehearsal, title in
                let refused = rehearsal.upstream.exchanges.first(where: \.isRefused)
                try require(refused == nil, "\(title): \(refused?.request.name ?? "") has no token of the user")
            }
        },
        ConformanceCheck(
            "authenticates-its-client",
            "our client authenticates where its secret is expected, and wherever a code is redeemed",
            fix: "Give OAuth2Client the secret or the assertion, or take .clientSecret from the endpoint."
        ) { fixture in
            let first = try Rehearsal(fixture, fixture.script())
            guard !first.uses.secrets.isEmpty else { throw Deviation.notApplicable("has no secret in its options") }
            _ = await first.outcome(of: .startDevice)
            let isNeededByDevices = first.upstream.exchanges.contains { $0.wantsClient }
            try await fixture.everyHonestCall { rehearsal, title in
                let proof = ClientProof(of: rehearsal)
                for exchange in rehearsal.upstream.exchanges {
                    let isOfDevice = exchange.request.value(named: "device_code") != nil
                    let isWanted = exchange.wantsClient && (!isOfDevice || isNeededByDevices)
                    guard isWanted || exchange.redeemsCode(in: rehearsal.script) else { continue }
                    let objection = proof.objection(to: exchange.request)
                    try require(objection == nil, "\(title): \(exchange.request.name) has \(objection ?? "")")
                }
            }
        },
    ]
}

extension ProviderFixture {
    /// Runs `body` after every plugin call with the script's responses, with the call's title.
    fileprivate func everyHonestCall(_ body: (Rehearsal, _ title: String) throws -> Void) async throws {
        let script = script()
        let provider = try Rehearsal(self, script).provider
        var pluginCalls = PluginCall.all(of: provider, script)
        if provider is any SubjectMigration, script.migration != nil {
            pluginCalls += MigrationSide.allCases.map(PluginCall.migrate)
        }
        for pluginCall in pluginCalls {
            let rehearsal = try Rehearsal(self, script)
            _ = await rehearsal.outcome(of: pluginCall)
            try body(rehearsal, pluginCall.title(in: script))
        }
    }
}

extension ScriptedUpstream.Exchange {
    fileprivate var wantsClient: Bool { endpoint?.receives.contains(.clientSecret) ?? false }

    /// Whether the request has the code of a sign-in.
    fileprivate func redeemsCode(in script: ProviderScript) -> Bool {
        script.signIns.contains { signIn in
            switch signIn.credential.proof {
            case .authorizationCode(let code): request.contains(token: code.code)
            case .idToken(let token): token.authorizationCode.map(request.contains(token:)) ?? false
            case .accessToken, .assertion: false
            }
        }
    }
}
