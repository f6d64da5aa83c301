import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Provider grants")
struct ProviderGrantTests {
    private static func sample(
        of identity: Identity, key: Int64 = newKey(), clientID: String = "client", version: Int64 = 1
    ) -> ProviderGrant {
        ProviderGrant(
            key: key, identityKey: identity.key, provider: identity.provider, clientID: clientID,
            scopes: "read:user user:email", sealedAccessToken: randomBytes(48), sealedRefreshToken: randomBytes(48),
            expiresAt: .seconds(afterNoon: 3600), obtainedAt: .noon, version: version)
    }

    private static func linkedIdentity(in store: Store) async throws -> Identity {
        let identity = Identity.sample(of: try await store.addUser())
        try await store.write { tx in _ = try tx.insert(identity) }
        return identity
    }

    @Test(arguments: TestEngine.allCases)
    func `come back as they were stored, one for each client`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = try await Self.linkedIdentity(in: store)
            let stranger = try await Self.linkedIdentity(in: store)
            let grants = ["web", "app"].map { Self.sample(of: identity, clientID: $0) }
            try await store.write { tx in
                for grant in grants + [Self.sample(of: stranger)] { try tx.upsertGrant(grant) }
            }

            let found = try await store.read { tx in
                [
                    try tx.grant(identityKey: identity.key, clientID: "app"),
                    try tx.grant(identityKey: identity.key, clientID: "other"),
                ]
            }
            #expect(found == [grants[1], nil])
            #expect(try await store.read { tx in try tx.grants(of: identity.userKey) } == grants)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are replaced under their key with a greater version`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = try await Self.linkedIdentity(in: store)
            var grant = Self.sample(of: identity)
            try await store.write { [grant] tx in try tx.upsertGrant(grant) }
            (grant.sealedAccessToken, grant.sealedRefreshToken, grant.expiresAt) = (randomBytes(48), nil, nil)
            (grant.scopes, grant.obtainedAt, grant.version) = ("", .seconds(afterNoon: 5), 2)

            try await store.write { [grant] tx in try tx.upsertGrant(grant) }

            #expect(try await store.read { tx in try tx.grants(of: identity.userKey) } == [grant])
        }
    }

    @Test(arguments: [(true, 1), (false, 2)], TestEngine.allCases)
    func `are not replaced unread`(by other: (isSameKey: Bool, version: Int64), on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = try await Self.linkedIdentity(in: store)
            let grant = Self.sample(of: identity)
            try await store.write { tx in try tx.upsertGrant(grant) }
            let replacement = Self.sample(
                of: identity, key: other.isSameKey ? grant.key : newKey(), version: other.version)

            let error = await #expect(throws: StoreError.self) {
                try await store.write { tx in try tx.upsertGrant(replacement) }
            }

            #expect(error?.kind == .misuse)
            #expect(try await store.read { tx in try tx.grants(of: identity.userKey) } == [grant])
        }
    }
}
