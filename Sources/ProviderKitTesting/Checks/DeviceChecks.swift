import ProviderKit

extension ConformanceSuite {
    /// The checks of the device flow (RFC 8628).
    static let deviceChecks = [
        ConformanceCheck(
            "device-flow-starts", "a device authorization asks for all scopes, and has codes, an address and times",
            fix: "Return OAuth2Client.startDeviceAuthorization's answer for the plugin's scopes and those of the call."
        ) {
            let rehearsal = try $0.deviceFlow()
            guard case .device(let answer) = try await rehearsal.succeed(.startDevice) else { return }
            let codes = [answer.deviceCode, answer.userCode].filter { !$0.isEmpty }
            try require(Set(codes).count == 2, "lacks one of its codes")
            try require(answer.verificationURI.hasPrefix("https://"), "sends users to \(answer.verificationURI)")
            try require(answer.expiresIn > 0 && answer.interval > 0, "has invalid times")
            let wanted = (rehearsal.provider as? any RedirectSignIn)?.scopes ?? []
            let sent = rehearsal.upstream.exchanges.compactMap { $0.request.formValue("scope") }
            try require(
                (wanted + [PluginCall.scopeOfAnApp]).allSatisfy { scope in sent.contains { $0.contains(scope) } },
                "asks for \(sent.joined(separator: " ")), not for all scopes that count")
        },
        ConformanceCheck(
            "device-flow-grants", "the user who approves is the user of the fixture",
            fix: "Return .granted with the identity of the grant."
        ) {
            let rehearsal = try $0.deviceFlow()
            let identity = try await rehearsal.succeed(.pollDevice).identity
            guard let identity, let expected = rehearsal.script.deviceIdentity else {
                throw Deviation.broken("does not return the provider's grant")
            }
            let differences = identity.differences(
                from: expected, comparingProfile: false, comparingGrant: expected.grant != nil)
            try require(differences.isEmpty, "the identity differs in \(differences.joined(separator: ", "))")
        },
        ConformanceCheck(
            "device-flow-verifies-id-tokens", "an ID token of the device flow is verified",
            fix: "Verify UpstreamGrant.idToken in the device flow too, with nonce .unchecked."
        ) { fixture in
            let honest = try fixture.deviceFlow()
            _ = try await honest.succeed(.pollDevice)
            let hasIDToken = honest.upstream.exchanges.contains { $0.answer?.hasMember("id_token") == true }
            guard hasIDToken, fixture.issuer != nil else { throw Deviation.notApplicable("returns no ID token") }
            let forgeries: [IDTokenForgery] = [
                .wrongAudience, .audienceInOtherCase, .longerAudience, .wrongIssuer, .expired, .missingSubject,
                .noneAlgorithm, .foreignKey, .brokenSignature,
            ]
            for forgery in forgeries {
                let rehearsal = try Rehearsal(fixture, fixture.script(forging: forgery))
                try await rehearsal.play(.pollDevice).requireFailure([.credential], "an ID token: \(forgery.rawValue)")
            }
        },
        ConformanceCheck(
            "device-flow-waits", "authorization_pending means to poll again",
            fix: "Return .pending for authorization_pending; OAuth2Client.pollDeviceAuthorization does."
        ) {
            guard case .success(.poll(.pending)) = try await $0.devicePoll(answering: "authorization_pending") else {
                throw Deviation.broken("authorization_pending does not mean pending")
            }
        },
        ConformanceCheck(
            "device-flow-slows-down", "slow_down means to poll less often",
            fix: "Return .slowDown with a longer interval for slow_down."
        ) {
            guard case .success(.poll(.slowDown(let interval))) = try await $0.devicePoll(answering: "slow_down"),
                interval > 0
            else { throw Deviation.broken("slow_down does not increase the interval") }
        },
        ConformanceCheck(
            "device-flow-expires", "expired_token means that the user starts again",
            fix: "Throw a credential fault for expired_token."
        ) {
            try await $0.devicePoll(answering: "expired_token").requireFailure([.credential], "expired_token")
        },
        ConformanceCheck(
            "device-flow-can-be-denied", "access_denied means that the user denied",
            fix: "Throw a cancelled fault for access_denied."
        ) {
            try await $0.devicePoll(answering: "access_denied").requireFailure([.cancelled], "access_denied")
        },
    ]
}

extension ProviderFixture {
    /// Starts a rehearsal of the device flow.
    fileprivate func deviceFlow() throws -> Rehearsal {
        let rehearsal = try Rehearsal(self, script())
        guard rehearsal.provider is any DeviceSignIn else { throw Deviation.notApplicable("has no device flow") }
        try require(rehearsal.script.deviceIdentity != nil, "the fixture has no identity for the device flow")
        return rehearsal
    }

    /// The result of a poll that the provider answers with this error code.
    fileprivate func devicePoll(answering code: String) async throws -> Rehearsal.Ending {
        let start = try deviceFlow()
        _ = try await start.succeed(.startDevice)
        let startCalls = start.upstream.exchanges.count
        let granted = try deviceFlow()
        _ = try await granted.succeed(.pollDevice)
        // The first request with the device code is the poll.
        let exchanges = granted.upstream.exchanges
        let calls = exchanges.indices.dropFirst(startCalls)
        let poll = calls.first { exchanges[$0].request.formValue("device_code") != nil }
        guard let poll else { throw Deviation.broken("polls without sending the device code") }
        let refusal = UpstreamResponse.json(["error": .string(code)], status: granted.script.devicePollStatus)
        return try await Rehearsal(self, granted.script, disturbing: [poll: .answer(refusal)]).play(.pollDevice)
    }
}
