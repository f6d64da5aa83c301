import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("What merges leave behind")
struct MergeHistoryTests {
    @Test(arguments: TestEngine.allCases)
    func `an alias leads to its user, and to the user of a later merge`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (first, second) = (try await store.addUser(), try await store.addUser())
            let added = try await store.write { tx in
                [
                    try tx.addUserAlias("gone", of: first.key, at: .noon),
                    try tx.addUserAlias("gone", of: second.key, at: .noon),
                    try tx.addUserAlias(second.localID, of: first.key, at: .noon),
                ]
            }
            let before = try await store.read { try $0.user(absorbing: "gone")?.key }

            try await store.write { tx in try tx.moveRows(from: first.key, to: second.key) }

            #expect(added == [true, false, false], "a local id is a user's, or an alias of one user")
            #expect(before == first.key)
            #expect(try await store.read { try $0.user(absorbing: "gone")?.key } == second.key)
            #expect(try await store.read { try $0.userAliases(of: second.key) } == ["gone"])
            try await store.write { tx in _ = try tx.deleteUser(key: second.key) }
            #expect(try await store.read { try $0.user(absorbing: "gone") } == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `only live Identity Toolkit sessions that began with the merged identity move`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let absorbed = try await store.addUser()
            var survivor = User.sample()
            survivor.epoch = 7
            let identity = newKey()
            func session(_ change: (inout Session) -> Void = { _ in }) -> Session {
                var session = Session.sample(of: absorbed)
                session.identityKey = identity
                change(&session)
                return session
            }
            let moving = [session(), session { $0.lastUsedAt = .seconds(afterNoon: 9) }]
            let staying = [
                session { $0.identityKey = nil }, session { $0.identityKey = newKey() },
                session { $0.family = .web }, session { $0.family = .oauth }, session { $0.epoch = -1 },
                session { ($0.revokedAt, $0.revokedReason) = (.noon, "sign-out") },
                session { $0.createdAt = .seconds(afterNoon: -9) },
                session { $0.lastUsedAt = .seconds(afterNoon: -2) },
            ]
            try await store.write { [survivor] tx in
                _ = try tx.insert(survivor)
                for session in moving + staying { try tx.insert(session) }
            }
            let heir = newKey()
            let move = MergedSessions(
                of: absorbed, begunWith: identity, to: survivor, with: heir,
                appSessions: SessionAge(idleSince: .noon, createdSince: .noon),
                clientSessions: SessionAge(idleSince: .noon, createdSince: .noon))

            let count = try await store.write { tx in try tx.move(move, at: .seconds(afterNoon: 5)) }

            #expect(count == 2)
            for session in moving {
                var expected = session
                (expected.userKey, expected.epoch, expected.identityKey) = (survivor.key, 7, heir)
                expected.mergedAt = .seconds(afterNoon: 5)
                #expect(try await store.read { try $0.session(id: session.id) } == expected)
            }
            for session in staying {
                #expect(try await store.read { try $0.session(id: session.id) } == session)
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a notice is delivered once to each session, and in the repetition of that answer`(on engine: TestEngine)
        async throws
    {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let (one, two) = (try await store.addSession(of: user), try await store.addSession(of: user))
            let notice = AccountNotice(
                key: newKey(), userKey: user.key, kind: .mergedFrom, value: "gone", createdAt: .noon)
            try await store.write { tx in try tx.insert(notice) }
            func delivered(
                _ session: Session, generation: Int64 = 0, at seconds: Int, since: Int
            ) async throws -> [AccountNotice] {
                var session = session
                session.generation = generation
                return try await store.write { [session] tx in
                    try tx.deliverNotices(
                        in: session, at: .seconds(afterNoon: seconds), repeatedSince: .seconds(afterNoon: since))
                }
            }
            func mayHave(_ session: Session) async throws -> Bool? {
                try await store.read { try $0.sessionFacts(id: session.id)?.mayHaveNotices }
            }

            #expect(try await mayHave(one) == true)
            #expect(try await delivered(one, at: 10, since: -50) == [notice])
            #expect(try await delivered(one, at: 20, since: -40) == [notice], "the answer was lost")
            #expect(try await delivered(one, generation: 1, at: 30, since: -30) == [], "the next answer")
            #expect(try await mayHave(two) == true)
            #expect(try await delivered(two, at: 30, since: -30) == [notice], "another device")
            #expect(try await delivered(one, at: 90, since: 30) == [], "long after the answer")
            #expect(try await mayHave(one) == false)
            #expect(try await delivered(two, at: 120, since: 60) == [], "a refresh token that does not rotate")
            #expect(try await mayHave(two) == false)
            try await store.write { tx in try tx.insertNotice(ofUndoneMerge: "gone", for: user.key) }
            #expect(try await delivered(one, generation: 2, at: 130, since: 70).map(\.kind) == [.unmerged])
            try await store.write { tx in try tx.removeNotices(ofMerge: "gone", for: user.key) }
            #expect(try await mayHave(two) == false)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `old notices and expired snapshots are removed`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let snapshots = [MergeSnapshot.sample(of: user), .sample(of: user, expiresAt: .seconds(afterNoon: 90))]
            try await store.write { tx in
                try tx.insert(AccountNotice(key: newKey(), userKey: user.key, kind: .promoted, createdAt: .noon))
                for snapshot in snapshots { try tx.insert(snapshot) }
            }
            func removed(created: Int) async throws -> Int {
                try await store.write { tx in
                    try tx.removeNotices(createdBy: .seconds(afterNoon: created), limit: 1)
                }
            }

            #expect(try await removed(created: -1) == 0)
            #expect(try await removed(created: 0) == 1)
            let count = try await store.write { tx in
                try tx.removeMergeSnapshots(expiredBy: .seconds(afterNoon: 60), limit: 10)
            }
            #expect(count == 1)
            let left = try await store.read { try $0.mergeSnapshots(at: .seconds(afterNoon: 60), limit: 10) }
            #expect(left == [snapshots[1]])
            #expect(try await store.read { try $0.mergeSnapshot(id: snapshots[1].id, at: .noon) } == snapshots[1])
            let expired = try await store.read {
                try $0.mergeSnapshot(id: snapshots[1].id, at: .seconds(afterNoon: 90))
            }
            #expect(expired == nil, "an expired snapshot is none, whether or not it was removed")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a snapshot is destroyed with the user who remained, or for the user who went`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let (one, two) = (try await store.addUser(), try await store.addUser())
            let snapshots = [MergeSnapshot.sample(of: one), .sample(of: one), .sample(of: two)]
            try await store.write { tx in
                for snapshot in snapshots { try tx.insert(snapshot) }
                try tx.returnRows(["merge_snapshots": [snapshots[1].id]], from: one.key, to: two.key)
                try tx.removeMergeSnapshots(ofAbsorbed: snapshots[2].absorbedLocalID)
                _ = try tx.deleteUser(key: one.key)
            }

            #expect(try await store.read { try $0.mergeSnapshots(at: .noon, limit: 10) }.map(\.id) == [snapshots[1].id])
            #expect(try await store.read { try $0.rowNames(of: two.key)["merge_snapshots"] } == [snapshots[1].id])
        }
    }
}
