import ProviderKit

extension ProviderFixture {
    /// Runs `body` for every valid sign-in with its own rehearsal, and adds the sign-in's title to its error.
    func eachSignIn(
        in script: ProviderScript? = nil, _ body: (Rehearsal, Int) async throws -> Void
    ) async throws {
        let script = script ?? self.script()
        try require(!script.signIns.isEmpty, "the fixture has no sign-in")
        for (position, signIn) in script.signIns.enumerated() {
            do {
                try await body(Rehearsal(self, script), position)
            } catch Deviation.broken(let reason) {
                throw Deviation.broken("\(signIn.title): \(reason)")
            }
        }
    }

    /// Runs `body` for every claim of the ID tokens of each valid sign-in.
    func eachMintedClaim(
        _ body: (_ position: Int, _ name: String, _ value: JSONValue) async throws -> Void
    ) async throws {
        guard issuer != nil else { return }
        for position in script().signIns.indices {
            let (script, minted) = recordedScript()
            let rehearsal = try Rehearsal(self, script)
            _ = try await rehearsal.identity(position)
            guard rehearsal.hasIDToken(position) else { continue }
            var claims = JSONObject()
            // Variations have ID tokens as well: a claim is checked if any token has it.
            for (name, value) in minted.all.joined() where claims[name] == nil || value.isYes { claims[name] = value }
            for (name, value) in claims { try await body(position, name, value) }
        }
    }

    /// Checks that secrets are searchable: short ones would match by chance.
    func checkMarks() throws {
        let tokens = script().signIns.map(\.credential).flatMap(Marks.tokens)
        let secrets = try Rehearsal(self, script()).uses.secrets
        let isMarked = (tokens + secrets).allSatisfy { $0.utf8.count >= Marks.minimumLength }
        try require(isMarked, "make the fixture's secrets and tokens with ProviderFixture.marked")
    }
}

extension ProviderScript {
    /// The script with a variation of one sign-in.
    func varied(by variation: ScriptVariation) -> ProviderScript {
        var script = self
        script.endpoints = endpoints.replacing(variation.answers)
        if let credential = variation.credential, signIns.indices.contains(variation.signIn) {
            let signIn = signIns[variation.signIn]
            script.signIns[variation.signIn] = HonestSignIn(
                credential, title: variation.title, identity: signIn.identity, hasIDToken: signIn.hasIDToken)
        }
        return script
    }
}

extension Rehearsal {
    /// Plays one plugin call fifty times concurrently on one new instance; all must succeed.
    func inParallel(fifty pluginCall: PluginCall, check: @escaping @Sendable (Outcome) throws -> Void) async throws {
        let stage = try Rehearsal(fixture, script, calls: 50)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    switch await stage.outcome(of: pluginCall) {
                    case .success(let outcome): try check(outcome)
                    case .failure(let error): throw Deviation.broken("one of fifty failed: \(error)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
