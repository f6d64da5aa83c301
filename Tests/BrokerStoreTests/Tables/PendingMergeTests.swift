import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Pending merges")
struct PendingMergeTests {
    private static func merge(_ survivor: User, _ absorbed: User) -> PendingMerge {
        PendingMerge(
            key: newKey(), id: randomText(12), survivorKey: survivor.key, absorbedKey: absorbed.key,
            provider: "1pass.dev", createdAt: .noon)
    }

    @Test(arguments: TestEngine.allCases)
    func `of two users one waits, whichever of them would stay`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let users = [try await store.addUser(), try await store.addUser(), try await store.addUser()]
            let merges = [
                Self.merge(users[0], users[1]), Self.merge(users[0], users[1]), Self.merge(users[1], users[0]),
                Self.merge(users[0], users[2]),
            ]

            let answers = try await store.write { tx in
                try merges.map { merge throws(StoreError) in try tx.insert(merge) }
            }

            #expect(answers == [true, false, false, true])
            #expect(try await store.read { try $0.pendingMerges(limit: 10) } == [merges[0], merges[3]])
            #expect(try await store.read { try $0.pendingMerges(limit: 1) } == [merges[0]])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `dismissed once, a merge waits no more and does not come back`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (one, two) = (try await store.addUser(), try await store.addUser())
            let merge = Self.merge(one, two)

            let answers = try await store.write { tx in
                [
                    try tx.insert(merge), try tx.dismissMerge(id: merge.id, at: .seconds(afterNoon: 1)),
                    try tx.dismissMerge(id: merge.id, at: .seconds(afterNoon: 2)), try tx.insert(Self.merge(one, two)),
                    try tx.insert(Self.merge(two, one)), try tx.dismissMerge(id: randomText(), at: .noon),
                ]
            }

            #expect(answers == [true, true, false, false, false, false])
            var dismissed = merge
            dismissed.dismissedAt = .seconds(afterNoon: 1)
            #expect(try await store.read { try $0.pendingMerges(limit: 10) } == [])
            #expect(try await store.read { try $0.pendingMerges(includingDismissed: true, limit: 10) } == [dismissed])
            #expect(try await store.read { try $0.pendingMerge(id: merge.id) } == dismissed)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a merge goes with either user`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            for position in 0...1 {
                let users = [try await store.addUser(), try await store.addUser()]
                let merge = Self.merge(users[0], users[1])
                try await store.write { tx in
                    _ = try tx.insert(merge)
                    _ = try tx.deleteUser(key: users[position].key)
                }

                #expect(try await store.read { try $0.pendingMerge(id: merge.id) } == nil)
            }
        }
    }
}
