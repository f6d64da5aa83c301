import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Devices of providers")
struct ProviderDeviceTests {
    private static let hash: [UInt8] = Array(repeating: 7, count: 32)

    private static func claim(_ claim: String, until seconds: Int) -> ProviderDevice {
        ProviderDevice(
            key: newKey(), provider: "1pass.dev", deviceHash: hash, claim: claim,
            claimedUntil: .seconds(afterNoon: seconds), createdAt: .noon)
    }

    @Test(arguments: TestEngine.allCases)
    func `one request at a time introduces a device, and its claim ends`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = User.sample()
            let identity = Identity.sample(of: user)
            let (first, second) = (Self.claim("first", until: 60), Self.claim("second", until: 60))
            let outcomes = try await store.write { tx in
                _ = try tx.insert(user)
                _ = try tx.insert(identity)
                let claimed = [try tx.claim(first), try tx.claim(second)]
                let early = try tx.reclaimDevice(
                    key: first.key, by: "second", until: .seconds(afterNoon: 120), at: .seconds(afterNoon: 59))
                let late = try tx.reclaimDevice(
                    key: first.key, by: "second", until: .seconds(afterNoon: 120), at: .seconds(afterNoon: 60))
                return claimed + [early, late]
            }
            let confirmed = try await store.write { tx in
                let lost = try tx.confirmDevice(
                    key: first.key, claim: "first", secretHash: [1], sealedSecret: nil, identityKey: identity.key,
                    at: .noon)
                let won = try tx.confirmDevice(
                    key: first.key, claim: "second", secretHash: [2], sealedSecret: [3], identityKey: identity.key,
                    at: .noon)
                return [lost, won]
            }
            let (row, used) = try await store.write { tx in
                let used = [
                    try tx.useDevice(
                        key: first.key, secretHash: [1], sealedSecret: [9], identityKey: identity.key, at: .noon),
                    try tx.useDevice(
                        key: first.key, secretHash: [2], sealedSecret: [4], identityKey: identity.key,
                        at: .seconds(afterNoon: 1)),
                ]
                // A confirmed device is no claim that could be taken over or removed.
                _ = try tx.reclaimDevice(
                    key: first.key, by: "third", until: .seconds(afterNoon: 900), at: .seconds(afterNoon: 600))
                _ = try tx.removeDeviceClaims(endedBy: .seconds(afterNoon: 900), limit: 10)
                return (try tx.providerDevice(Self.hash, at: "1pass.dev"), used)
            }

            #expect(outcomes == [true, false, false, true])
            #expect(confirmed == [false, true] && used == [false, true])
            #expect(row?.secretHash == [2] && row?.sealedSecret == [4] && row?.claim == nil)
            #expect(row?.usedAt == .seconds(afterNoon: 1))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a device ends with its identity`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = User.sample()
            let (identity, device) = (Identity.sample(of: user), Self.claim("claim", until: 60))
            let rows = try await store.write { tx in
                _ = try tx.insert(user)
                _ = try tx.insert(identity)
                _ = try tx.claim(device)
                _ = try tx.confirmDevice(
                    key: device.key, claim: "claim", secretHash: [1], sealedSecret: nil, identityKey: identity.key,
                    at: .noon)
                let before = try tx.providerDevice(Self.hash, at: "1pass.dev")
                _ = try tx.deleteUser(key: user.key)
                return [before, try tx.providerDevice(Self.hash, at: "1pass.dev")]
            }

            #expect(rows[0]?.identityKey == identity.key)
            #expect(rows[1] == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `claims without a result are released, or removed by their end`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let device = Self.claim("claim", until: 60)
            let counts = try await store.write { tx in
                _ = try tx.claim(device)
                try tx.releaseDevice(key: device.key, claim: "another")
                let kept = try tx.removeDeviceClaims(endedBy: .seconds(afterNoon: 59), limit: 10)
                let removed = try tx.removeDeviceClaims(endedBy: .seconds(afterNoon: 60), limit: 10)
                return [kept, removed]
            }

            #expect(counts == [0, 1])
        }
    }
}
