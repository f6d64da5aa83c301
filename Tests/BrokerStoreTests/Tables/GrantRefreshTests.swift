import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Refreshes and refusals of grants")
struct GrantRefreshTests {
    private static func withGrant(
        _ engine: TestEngine, _ test: (Store, Identity, ProviderGrant) async throws -> Void
    ) async throws {
        try await withStore(engine) { store in
            let identity = Identity.sample(of: try await store.addUser())
            let grant = ProviderGrant(
                key: newKey(), identityKey: identity.key, provider: identity.provider, clientID: "web", scopes: "",
                sealedAccessToken: randomBytes(48), obtainedAt: .noon, version: 1)
            try await store.write { tx in
                _ = try tx.insert(identity)
                try tx.upsertGrant(grant)
            }
            try await test(store, identity, grant)
        }
    }

    private static func stored(_ identity: Identity, in store: Store) async throws -> ProviderGrant {
        try #require(try await store.read { tx in try tx.grant(identityKey: identity.key, clientID: "web") })
    }

    /// The grant as a sign-in, or an older broker, replaces it.
    private static func replaced(_ grant: ProviderGrant) -> ProviderGrant {
        var next = grant
        next.version += 1
        return next
    }

    private static func lease(
        _ grant: ProviderGrant, _ holder: String, at seconds: Int, for duration: Int = 30, in store: Store
    ) async throws -> Bool {
        try await store.write { tx in
            try tx.lease(
                grant, to: GrantLease(holder: holder, until: .seconds(afterNoon: seconds + duration)),
                at: .seconds(afterNoon: seconds))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a reason or a result that a newer broker wrote does not make a grant unreadable`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let identity = Identity.sample(of: try await store.addUser())
            let grant = ProviderGrant(
                key: newKey(), identityKey: identity.key, provider: identity.provider, clientID: "web", scopes: "",
                sealedAccessToken: randomBytes(48), obtainedAt: .noon, version: 1, refusedAt: .noon, refusedVersion: 1,
                refusedReason: "newer", probedVersion: 1, probeResult: "newer")
            try await store.write { tx in
                _ = try tx.insert(identity)
                try tx.insert(grant)
            }

            let stored = try await Self.stored(identity, in: store)

            #expect(stored.refusal == GrantRefusal(at: .noon, reason: .revoked) && !stored.isRefusedByProbe)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `one holder has the lease, until it runs out or is given back`(on engine: TestEngine) async throws {
        try await Self.withGrant(engine) { store, identity, grant in
            #expect(try await Self.lease(grant, "one", at: 0, in: store))
            #expect(try await !Self.lease(grant, "other", at: 29, in: store))
            #expect(try await Self.lease(grant, "other", at: 30, in: store))
            let isForeign = try await store.write { tx in
                try tx.releaseGrant(key: grant.key, holder: "one", isSettled: true)
            }
            #expect(try await Self.stored(identity, in: store).lease?.holder == "other")
            let isOwn = try await store.write { tx in
                try tx.releaseGrant(key: grant.key, holder: "other", isSettled: true)
            }
            #expect(!isForeign && isOwn)
            #expect(try await Self.stored(identity, in: store).lease == nil)
            #expect(try await Self.lease(grant, "one", at: 31, in: store))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a lease that a wrong clock wrote is ignored`(on engine: TestEngine) async throws {
        try await Self.withGrant(engine) { store, _, grant in
            let fast = try await Self.lease(grant, "fast", at: 86_400, in: store)
            let right = try await Self.lease(grant, "right", at: 0, in: store)

            #expect(fast && right)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a replaced grant cannot be leased by its earlier version`(on engine: TestEngine) async throws {
        try await Self.withGrant(engine) { store, _, grant in
            try await store.write { tx in try tx.upsertGrant(Self.replaced(grant)) }

            #expect(try await !Self.lease(grant, "one", at: 0, in: store))
            #expect(try await Self.lease(Self.replaced(grant), "one", at: 0, in: store))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an attempt without an outcome stays known until it settles or the grant is replaced`(
        on engine: TestEngine
    ) async throws {
        try await Self.withGrant(engine) { store, identity, grant in
            _ = try await Self.lease(grant, "dead", at: 0, in: store)
            #expect(try await Self.stored(identity, in: store).isUnsettled)
            _ = try await store.write { tx in try tx.releaseGrant(key: grant.key, holder: "dead", isSettled: false) }
            #expect(try await Self.stored(identity, in: store).isUnsettled)
            _ = try await Self.lease(grant, "next", at: 1, in: store)
            _ = try await store.write { tx in try tx.releaseGrant(key: grant.key, holder: "next", isSettled: true) }
            #expect(try await !Self.stored(identity, in: store).isUnsettled)
            _ = try await Self.lease(grant, "third", at: 2, in: store)
            try await store.write { tx in try tx.upsertGrant(Self.replaced(grant)) }
            #expect(try await !Self.stored(identity, in: store).isUnsettled)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a refusal is of one version, marked once`(on engine: TestEngine) async throws {
        try await Self.withGrant(engine) { store, identity, grant in
            let refusal = GrantRefusal(at: .noon, reason: .lost)
            let marks = try await store.write { tx in
                [try tx.refuse(grant, refusal), try tx.refuse(grant, GrantRefusal(at: .noon, reason: .revoked))]
            }

            #expect(marks == [true, false])
            #expect(try await Self.stored(identity, in: store).refusal == refusal)
            try await store.write { tx in try tx.upsertGrant(Self.replaced(grant)) }
            #expect(try await Self.stored(identity, in: store).refusal == nil)
            #expect(try await !store.write { tx in try tx.refuse(grant, refusal) })
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a probe is noted`(on engine: TestEngine) async throws {
        try await Self.withGrant(engine) { store, identity, grant in
            try await store.write { tx in _ = try tx.recordProbe(of: grant, .valid, at: .seconds(afterNoon: 5)) }

            #expect(try await Self.stored(identity, in: store).probedAt == .seconds(afterNoon: 5))
        }
    }
}
