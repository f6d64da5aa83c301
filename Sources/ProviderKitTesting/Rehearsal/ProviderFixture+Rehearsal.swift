import ProviderKit

extension ProviderFixture {
    /// Runs `body` for every honest sign-in, each on a stage of its own. What it finds is told with the sign-in's title.
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

    /// Runs `body` for every claim of the ID tokens that each honest sign-in takes.
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
            // Variations are minted as well; what says yes in any token is the claim to look at.
            for (name, value) in minted.all.joined() where claims[name] == nil || value.isYes { claims[name] = value }
            for (name, value) in claims { try await body(position, name, value) }
        }
    }

    /// Secrets that are too short would be found everywhere, or nowhere.
    func checkMarks() throws {
        let tokens = script().signIns.map(\.credential).flatMap(Marks.tokens) + secrets
        let isMarked = tokens.allSatisfy { $0.utf8.count >= Marks.minimumLength }
        try require(isMarked, "the fixture's secrets and tokens are to be made with ProviderFixture.marked")
        let text = options.serialized()
        let areThere = secrets.allSatisfy { text.contains(JSONValue.string($0).serialized()) }
        try require(areThere, "the fixture names a secret that is in none of its options")
    }
}

extension ProviderScript {
    /// The same day with one sign-in under other circumstances.
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
    /// Plays one act fifty times at once on one new instance, each of which has to go well.
    func inParallel(fifty act: Act, check: @escaping @Sendable (Outcome) throws -> Void) async throws {
        let stage = try Rehearsal(fixture, script, acts: 50)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    switch await stage.outcome(of: act) {
                    case .success(let outcome): try check(outcome)
                    case .failure(let error): throw Deviation.broken("one of fifty failed: \(error)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
