import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("Stored signing keys")
struct SigningKeyTests {
    private static func sample(
        _ family: StoredSigningKey.Family, _ algorithm: StoredSigningKey.Algorithm, _ state: StoredSigningKey.State,
        kid: String = randomText(16)
    ) -> StoredSigningKey {
        StoredSigningKey(
            key: newKey(), kid: kid, family: family, algorithm: algorithm, state: state,
            sealedPrivateKey: randomBytes(64), publicJWK: #"{"kty":"EC"}"#, certificate: randomText(),
            createdAt: .noon, activatesAt: .seconds(afterNoon: 1),
            retiresAt: state == .retired ? .seconds(afterNoon: 2) : nil)
    }

    @Test(arguments: TestEngine.allCases)
    func `come back as they were stored, family by family`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let keys = StoredSigningKey.Family.allCases.flatMap { family in
                StoredSigningKey.Algorithm.allCases.flatMap { algorithm in
                    StoredSigningKey.State.allCases.map { Self.sample(family, algorithm, $0) }
                }
            }
            try await store.write { tx in for key in keys { try tx.insert(key) } }

            #expect(try await store.read { tx in try tx.allSigningKeys() } == keys)
            for family in StoredSigningKey.Family.allCases {
                let found = try await store.read { tx in try tx.signingKeys(family: family) }
                #expect(found == keys.filter { $0.family == family })
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `have a kid of their own`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let key = Self.sample(.oidc, .es256, .active)
            let twin = Self.sample(.identityToolkit, .rs256, .next, kid: key.kid)

            let error = await #expect(throws: StoreError.self) {
                try await store.write { tx in
                    try tx.insert(key)
                    try tx.insert(twin)
                }
            }

            #expect(error?.kind == .constraint)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `move on in their life, and a revoked one never comes back`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let key = Self.sample(.identityToolkit, .es256, .next)
            var retired = key
            (retired.state, retired.activatesAt) = (.retired, .seconds(afterNoon: 5))
            retired.retiresAt = .seconds(afterNoon: 6)
            var revoked = retired
            revoked.state = .revoked

            var seen: [StoredSigningKey] = []
            try await store.write { tx in try tx.insert(key) }
            for change in [retired, revoked, retired] {
                try await store.write { tx in try tx.update(change) }
                seen += try await store.read { tx in try tx.allSigningKeys() }
            }

            #expect(seen == [retired, revoked, revoked])
        }
    }
}
