import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Probes of provider grants")
struct GrantProbeTests {
    private static func grants(_ count: Int, in store: Store, refreshable: Bool = true) async throws -> [ProviderGrant]
    {
        var grants: [ProviderGrant] = []
        for number in 0..<count {
            let identity = Identity.sample(of: try await store.addUser(), .sample(provider: "apple.com"))
            let grant = ProviderGrant(
                key: newKey(), identityKey: identity.key, provider: "apple.com", clientID: "app", scopes: "",
                sealedAccessToken: randomBytes(48), sealedRefreshToken: refreshable ? randomBytes(48) : nil,
                expiresAt: nil, obtainedAt: .seconds(afterNoon: number), version: 1)
            try await store.write { tx in
                _ = try tx.insert(identity)
                try tx.upsertGrant(grant)
            }
            grants.append(grant)
        }
        return grants
    }

    private static func due(_ store: Store, by moment: Timestamp, limit: Int = 100) async throws -> [Int64] {
        try await store.read { try $0.grantsDueForProbe(of: "apple.com", confirmedBy: moment, limit: limit) }.map(\.key)
    }

    @Test(arguments: TestEngine.allCases)
    func `come to the grants that were confirmed longest ago`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let grants = try await Self.grants(4, in: store)
            _ = try await Self.grants(1, in: store, refreshable: false)
            let keys = grants.map(\.key)

            #expect(try await Self.due(store, by: .seconds(afterNoon: 2)) == Array(keys.prefix(3)))
            #expect(try await Self.due(store, by: .seconds(afterNoon: 9), limit: 2) == Array(keys.prefix(2)))
            try await store.write { tx in
                try tx.recordProbe(of: grants[0], .valid, at: .seconds(afterNoon: 8))
                _ = try tx.refuse(grants[1], GrantRefusal(at: .noon, reason: .revoked))
            }
            #expect(try await Self.due(store, by: .seconds(afterNoon: 9)) == [keys[2], keys[3], keys[0]])
            #expect(try await store.read { try $0.grantsDueForProbe(of: "x", confirmedBy: .noon, limit: 9) } == [])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are counted with their failures, those without a verdict not`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let grants = try await Self.grants(5, in: store)
            let results: [GrantProbeResult] = [.valid, .refused, .clientRefused, .unavailable, .refused]
            try await store.write { tx in
                for (index, (grant, result)) in zip(grants, results).enumerated() {
                    try tx.recordProbe(of: grant, result, at: .seconds(afterNoon: 100 + index))
                }
            }

            func counts(since seconds: Int) async throws -> GrantProbeCounts {
                try await store.read { try $0.probeCounts(of: "apple.com", since: .seconds(afterNoon: seconds)) }
            }
            #expect(try await counts(since: 99) == GrantProbeCounts(probes: 4, failures: 3))
            #expect(try await counts(since: 101) == GrantProbeCounts(probes: 2, failures: 2))
            #expect(try await counts(since: 104) == GrantProbeCounts(probes: 0, failures: 0))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `that were refused wait, and a later grant clears them`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let grants = try await Self.grants(3, in: store)
            var renewed = grants[1]
            (renewed.version, renewed.obtainedAt) = (2, .seconds(afterNoon: 60))
            let isStale = try await store.write { [renewed] tx in
                for grant in grants { try tx.recordProbe(of: grant, .refused, at: .seconds(afterNoon: 50)) }
                try tx.upsertGrant(renewed)
                _ = try tx.refuse(grants[2], GrantRefusal(at: .noon, reason: .revoked))
                return try tx.recordProbe(of: grants[1], .valid, at: .seconds(afterNoon: 70))
            }

            func refused(by seconds: Int) async throws -> [Int64] {
                try await store.read {
                    try $0.grantsRefusedByProbe(of: "apple.com", by: .seconds(afterNoon: seconds), limit: 9)
                }.map(\.key)
            }
            #expect(!isStale, "a probe of the replaced version is not recorded")
            #expect(try await refused(by: 49) == [])
            #expect(try await refused(by: 50) == [grants[0].key])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are paused once, and resumed without their failures`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let grants = try await Self.grants(2, in: store)
            let pause = ProbePause(
                provider: "apple.com", at: .noon, counts: GrantProbeCounts(probes: 30, failures: 20))
            let paused = try await store.write { tx in
                for grant in grants { try tx.recordProbe(of: grant, .refused, at: .seconds(afterNoon: 5)) }
                return [try tx.pauseProbes(pause), try tx.pauseProbes(pause)]
            }
            let listed = try await store.read { try $0.probePauses() }
            let resumed = try await store.write { tx in
                (try tx.resumeProbes(of: "apple.com"), try tx.resumeProbes(of: "apple.com"))
            }

            #expect(paused == [true, false] && listed == [pause] && resumed == (true, false))
            let left = try await store.read { tx in
                try tx.grantsRefusedByProbe(of: "apple.com", by: .seconds(afterNoon: 9), limit: 9).count
                    + tx.probeCounts(of: "apple.com", since: .noon).probes
            }
            #expect(left == 0)
        }
    }
}
