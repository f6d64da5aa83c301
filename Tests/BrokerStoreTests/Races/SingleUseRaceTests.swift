import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Races for what is there once", .timeLimit(.minutes(30)))
struct SingleUseRaceTests {
    private static let contenders = 6

    @Test(arguments: TestEngine.allCases)
    func `a pending token is consumed once`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let token = PendingToken(
                key: newKey(), tokenHash: randomBytes(), sealedEvidence: randomBytes(), createdAt: .noon,
                expiresAt: .seconds(afterNoon: 60), authTime: 0)
            try await stores.one.write { try $0.insert(token) }
            let place = stores.meetingPoint(for: Self.contenders)

            let isMine = try await stores.contend(Self.contenders) { store, _ in
                try await store.write { tx in
                    _ = try tx.pendingToken(hash: token.tokenHash, at: .noon)
                    place.meet()
                    return try tx.consumePendingToken(hash: token.tokenHash, at: .noon)
                }
            }

            #expect(isMine.count(where: \.self) == 1)
            #expect(try await stores.other.read { try $0.pendingToken(hash: token.tokenHash, at: .noon) } == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an ID token signs in one user, and the others get that user`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let uses = (0..<Self.contenders).map { _ in randomText() }
            let hash = randomBytes()
            let place = stores.meetingPoint(for: Self.contenders)

            let earlier = try await stores.contend(Self.contenders) { store, number in
                let use = UsedIDToken(
                    key: newKey(), tokenHash: hash, localID: uses[number], usedAt: .noon,
                    expiresAt: .seconds(afterNoon: 60))
                return try await store.write { tx in
                    _ = try tx.user(localID: use.localID)
                    place.meet()
                    return try tx.recordUse(of: use)
                }
            }

            let winner = try #require(earlier.firstIndex(of: nil))
            for (number, use) in earlier.enumerated() where number != winner {
                #expect(use?.localID == uses[winner])
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `all processes get a setting's first value`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let name = randomText()
            let place = stores.meetingPoint(for: Self.contenders)

            let answers = try await stores.contend(Self.contenders) { store, _ in
                let mine = randomBytes()
                return try await store.write { tx in
                    guard let value = try tx.setting(name) else {
                        place.meet()
                        let isFirst = try tx.insertSetting(name, mine)
                        return (isFirst, try tx.setting(name))
                    }
                    return (false, value)
                }
            }

            #expect(answers.count { $0.0 } == 1)
            #expect(Set(answers.map(\.1)).count == 1)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `two users have one pending merge, in either direction`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let users = [try await stores.one.addUser(), try await stores.one.addUser()]
            let place = stores.meetingPoint()

            let isMine = try await stores.contend { store, number in
                let merge = PendingMerge(
                    key: newKey(), id: randomText(12), survivorKey: users[number].key,
                    absorbedKey: users[1 - number].key, provider: "1pass.dev", createdAt: .noon)
                return try await store.write { tx in
                    _ = try tx.user(key: merge.survivorKey)
                    place.meet()
                    return try tx.insert(merge)
                }
            }

            #expect(isMine.count(where: \.self) == 1)
            let merges = try await stores.other.read { try $0.pendingMerges(limit: 10_000) }
            #expect(merges.count { $0.survivorKey == users[0].key || $0.absorbedKey == users[0].key } == 1)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a merge is dismissed by one`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let users = [try await stores.one.addUser(), try await stores.one.addUser()]
            let merge = PendingMerge(
                key: newKey(), id: randomText(12), survivorKey: users[0].key, absorbedKey: users[1].key,
                provider: "1pass.dev", createdAt: .noon)
            _ = try await stores.one.write { try $0.insert(merge) }
            let place = stores.meetingPoint(for: Self.contenders)

            let isMine = try await stores.contend(Self.contenders) { store, number in
                try await store.write { tx in
                    _ = try tx.pendingMerge(id: merge.id)
                    place.meet()
                    return try tx.dismissMerge(id: merge.id, at: .seconds(afterNoon: number))
                }
            }

            let winner = try #require(isMine.firstIndex(of: true))
            #expect(isMine.count(where: \.self) == 1)
            let dismissed = try await stores.other.read { try $0.pendingMerge(id: merge.id) }
            #expect(dismissed?.dismissedAt == .seconds(afterNoon: winner))
        }
    }
}
