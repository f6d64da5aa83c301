import ProviderKit

extension ConformanceSuite {
    /// What nobody may see.
    static let secretChecks = [
        ConformanceCheck("hides-its-options", "printing and reflecting an instance shows no secret") {
            guard !$0.secrets.isEmpty else { throw Deviation.notApplicable("has no secret in its options") }
            let rehearsal = try Rehearsal($0, $0.script())
            var shown = "\(rehearsal.provider) \(String(reflecting: rehearsal.provider))"
            dump(rehearsal.provider, to: &shown)
            try require(!Marks(rehearsal).hasClientSecret(shown), "shows a secret when it is printed")
        },
        ConformanceCheck("keeps-secrets-out-of-errors", "an answer that repeats what it was told ends in no message") {
            try await $0.everyCall { stage in
                for echo in UpstreamTrouble.echoes(of: stage.request) {
                    _ = try await stage.play(.answer(echo))
                }
            }
        },
        ConformanceCheck("follows-no-foreign-links", "an answer that names other hosts leads nowhere") {
            try await $0.everyCall { stage in
                guard stage.endpoint?.isDiscovery != true else { return }
                _ = try await stage.play(.change { $0.pointingElsewhere() })
            }
        },
    ]
}
