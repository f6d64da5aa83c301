import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Provider events")
struct ProviderEventTests {
    private static func event(_ hash: UInt8, of provider: String = "apple.com") -> ReceivedEvent {
        ReceivedEvent(
            key: newKey(), provider: provider, eventHash: Array(repeating: hash, count: 32), receivedAt: .noon,
            expiresAt: .seconds(afterNoon: 600))
    }

    @Test(arguments: TestEngine.allCases)
    func `an event is new once for each provider, until its record expires`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let news = try await store.write { tx in
                [
                    try tx.record(Self.event(1)), try tx.record(Self.event(1)), try tx.record(Self.event(2)),
                    try tx.record(Self.event(1, of: "1pass.dev")),
                ]
            }
            let removed = try await store.write { tx in
                [
                    try tx.removeReceivedEvents(expiredBy: .seconds(afterNoon: 599), limit: 10),
                    try tx.removeReceivedEvents(expiredBy: .seconds(afterNoon: 600), limit: 10),
                ]
            }
            let again = try await store.write { tx in try tx.record(Self.event(1)) }

            #expect(news == [true, false, true, true])
            #expect(removed == [0, 3])
            #expect(again)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of many deliveries of an event at once exactly one is new`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let news = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<30 { group.addTask { try await store.write { tx in try tx.record(Self.event(1)) } } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(news.count(where: \.self) == 1)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a feed has one position, and a refused key stays refused`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let before = try await store.read { tx in try tx.feedPosition(of: "1pass.dev") }
            try await store.write { tx in
                try tx.setFeedCursor("1", of: "1pass.dev", at: .noon)
                try tx.setFeedCursor("2", of: "1pass.dev", at: .noon)
                for _ in 0..<2 { try tx.refuseSignatureKey("whk_1", of: "1pass.dev", at: .noon) }
            }
            let cursors = try await store.read { tx in
                [try tx.feedPosition(of: "1pass.dev")?.cursor, try tx.feedPosition(of: "other")?.cursor]
            }
            let refused = try await store.read { tx in
                [
                    try tx.isSignatureKeyRefused("whk_1", of: "1pass.dev"),
                    try tx.isSignatureKeyRefused("whk_2", of: "1pass.dev"),
                    try tx.isSignatureKeyRefused("whk_1", of: "other"),
                ]
            }

            #expect(before == nil)
            #expect(cursors == ["2", nil])
            #expect(refused == [true, false, false])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `the latest report about mail holds, in any order of arrival`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = try await Self.identity(in: store)

            let isStored = try await store.write { tx in
                [
                    try tx.setMailDisabled(true, ofIdentity: identity.key, since: .seconds(afterNoon: 60)),
                    try tx.setMailDisabled(false, ofIdentity: identity.key, since: .noon),
                ]
            }
            let known = try await store.read { tx in try tx.identity(identity.identity) }

            #expect(isStored == [true, false])
            #expect(known?.isMailDisabled == true)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a sign-in cancels the removal and clears the mark of withdrawn consent`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = try await Self.identity(in: store)
            try await store.write { tx in
                try tx.markConsentRevoked(ofIdentity: identity.key, at: .noon)
                try tx.scheduleRemoval(ofIdentity: identity.key, at: .seconds(afterNoon: 60))
            }
            let marked = try await store.read { tx in try tx.identity(identity.identity) }
            let due = try await store.read { tx in
                [
                    try tx.dueRemovals(at: .seconds(afterNoon: 59), limit: 10).count,
                    try tx.dueRemovals(at: .seconds(afterNoon: 60), limit: 10).count,
                ]
            }
            try await store.write { tx in
                try tx.refreshProfile(of: identity, to: identity)
            }
            let renewed = try await store.read { tx in try tx.identity(identity.identity) }

            #expect(marked?.consentRevokedAt == .noon)
            #expect(marked?.removalAt == .seconds(afterNoon: 60))
            #expect(due == [0, 1])
            #expect(renewed?.consentRevokedAt == nil)
            #expect(renewed?.removalAt == nil)
        }
    }

    private static func identity(in store: Store) async throws -> Identity {
        let user = User.sample()
        let identity = Identity.sample(of: user)
        try await store.write { tx in
            guard try tx.insert(user), try tx.insert(identity) else { throw StoreError(.constraint, "taken") }
        }
        return identity
    }
}
