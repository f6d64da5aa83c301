import ProviderKit

extension ConformanceSuite {
    /// The checks of secrets. Every other check applies these rules too, with every upstream fault.
    static let secretChecks = requestRuleChecks + leakChecks

    private static let requestRuleChecks = RequestRule.allCases.map { rule in
        ConformanceCheck(rule.rawValue, rule.sentence, fix: rule.fix) { fixture in
            let script = fixture.script()
            for pluginCall in try PluginCall.all(of: Rehearsal(fixture, script).provider, script) {
                let rehearsal = try Rehearsal(fixture, script)
                _ = await rehearsal.outcome(of: pluginCall)
                if let violation = rule.violation(in: rehearsal, Marks(rehearsal)) {
                    throw Deviation.broken("\(pluginCall.title(in: script)) \(violation)")
                }
            }
        }
    }

    private static let leakChecks = [
        ConformanceCheck(
            "reads-secrets-as-secrets", "an option that is named as a secret is decoded as one",
            fix: "Give the option the type Secret."
        ) {
            let plain = try Rehearsal($0, $0.script()).uses.plainSecrets
            try require(plain.isEmpty, "reads \(plain.joined(separator: ", ")) as plain text")
        },
        ConformanceCheck(
            "hides-its-options", "printing and reflecting an instance shows no secret",
            fix: "Keep secrets as Secret, and reveal them only in a request."
        ) {
            let rehearsal = try Rehearsal($0, $0.script())
            guard !rehearsal.uses.secrets.isEmpty else { throw Deviation.notApplicable("has no secret in its options") }
            var shown = "\(rehearsal.provider) \(String(reflecting: rehearsal.provider))"
            dump(rehearsal.provider, to: &shown)
            try require(!Marks(rehearsal).hasClientSecret(shown), "shows a secret when it is printed")
        },
        ConformanceCheck(
            "keeps-secrets-out-of-errors", "a response that repeats the request does not leak into an error",
            fix: "Put no part of a response into ProviderError.reason."
        ) {
            try await $0.everyCall { stage in
                for echo in UpstreamFault.echoes(of: stage.request) {
                    _ = try await stage.play(.answer(echo))
                }
            }
        },
        ConformanceCheck(
            "pages-come-to-an-end", "responses that always name a further page are not followed for ever",
            fix: "Follow a fixed number of pages, ten at most."
        ) { fixture in
            let script = fixture.script()
            for pluginCall in try PluginCall.all(of: Rehearsal(fixture, script).provider, script) {
                let honest = try Rehearsal(fixture, script)
                _ = try await honest.succeed(pluginCall)
                let urls = honest.upstream.requests.map(\.url)
                guard let last = urls.last else { continue }
                let further = (0..<Rehearsal.maximumCalls).map { call in
                    let url = urls.indices.contains(call) ? urls[call] : last
                    return (call, ScriptedUpstream.Disturbance.change { $0.announcingAnotherPage(of: url) })
                }
                _ = try await Rehearsal(fixture, script, disturbing: Dictionary(uniqueKeysWithValues: further))
                    .play(pluginCall)
            }
        },
        ConformanceCheck(
            "follows-no-foreign-links", "URLs of other hosts in a response are not requested",
            fix: "Follow a link only if its URL begins with the instance's own base URL."
        ) {
            try await $0.everyCall { stage in
                guard stage.endpoint?.isDiscovery != true else { return }
                _ = try await stage.play(.change { $0.pointingElsewhere() })
            }
        },
    ]
}
