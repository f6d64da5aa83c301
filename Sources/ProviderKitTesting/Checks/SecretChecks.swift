import ProviderKit

extension ConformanceSuite {
    /// The checks of secrets. Every other check applies these rules too, with every upstream fault.
    static let secretChecks = requestRuleChecks + leakChecks

    private static let requestRuleChecks = RequestRule.allCases.map { rule in
        ConformanceCheck(rule.rawValue, rule.sentence) { fixture in
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
        ConformanceCheck("hides-its-options", "printing and reflecting an instance shows no secret") {
            guard !$0.secrets.isEmpty else { throw Deviation.notApplicable("has no secret in its options") }
            let rehearsal = try Rehearsal($0, $0.script())
            var shown = "\(rehearsal.provider) \(String(reflecting: rehearsal.provider))"
            dump(rehearsal.provider, to: &shown)
            try require(!Marks(rehearsal).hasClientSecret(shown), "shows a secret when it is printed")
        },
        ConformanceCheck(
            "keeps-secrets-out-of-errors", "a response that repeats the request does not leak into an error"
        ) {
            try await $0.everyCall { stage in
                for echo in UpstreamFault.echoes(of: stage.request) {
                    _ = try await stage.play(.answer(echo))
                }
            }
        },
        ConformanceCheck("follows-no-foreign-links", "URLs of other hosts in a response are not requested") {
            try await $0.everyCall { stage in
                guard stage.endpoint?.isDiscovery != true else { return }
                _ = try await stage.play(.change { $0.pointingElsewhere() })
            }
        },
    ]
}
