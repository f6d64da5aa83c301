import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Removing expired rows")
struct ExpiryTests {
    private static let day = 86_400

    private static func pendingToken(expiring seconds: Int) -> PendingToken {
        PendingToken(
            key: newKey(), tokenHash: Array(randomText(32).utf8), sealedEvidence: [1], createdAt: .noon,
            expiresAt: .seconds(afterNoon: seconds), authTime: Timestamp.noon.seconds)
    }

    private static func usedToken(expiring seconds: Int) -> UsedIDToken {
        UsedIDToken(
            key: newKey(), tokenHash: Array(randomText(32).utf8), localID: "someone", usedAt: .noon,
            expiresAt: .seconds(afterNoon: seconds))
    }

    @Test(arguments: TestEngine.allCases)
    func `pending tokens go by their expiry, a bounded number at a time`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let tokens = (1...5).map { Self.pendingToken(expiring: $0) }
            try await store.write { tx in for token in tokens.shuffled() { try tx.insert(token) } }
            let moment = Timestamp.seconds(afterNoon: 3)

            let removed = try await store.write { tx in
                [
                    try tx.removeExpired(from: .pendingTokens, by: moment, limit: 2),
                    try tx.removeExpired(from: .pendingTokens, by: moment, limit: 2),
                ]
            }

            #expect(removed == [2, 1])
            let left = try await store.read { tx in
                try tokens.map { try tx.pendingToken(hash: $0.tokenHash, at: .noon) != nil }
            }
            #expect(left == [false, false, false, true, true])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a pending token keeps what it was issued with, all of it or nothing`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            var bound = Self.pendingToken(expiring: 60)
            bound.authTime = 7
            bound.binding = .init(userKey: 1, epoch: 2, identityKey: 3, sessionID: "s")
            let (first, second) = (bound, Self.pendingToken(expiring: 60))
            try await store.write { tx in
                try tx.insert(first)
                try tx.insert(second)
            }

            let read = try await store.read { tx in
                try [first, second].map { try tx.pendingToken(hash: $0.tokenHash, at: .noon) }
            }

            #expect(read == [first, second])
            #expect(read[1]?.authTime == Timestamp.noon.seconds)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `uses of ID tokens go by their expiry, in their stretch alone`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let tokens = (1...5).map { Self.usedToken(expiring: $0) }
            try await store.write { tx in for token in tokens.shuffled() { _ = try tx.recordUse(of: token) } }
            let moment = Timestamp.seconds(afterNoon: 3)
            let sorted = tokens.sorted { $0.tokenHash.lexicographicallyPrecedes($1.tokenHash) }
            func isDue(_ token: UsedIDToken) -> Bool { token.expiresAt <= moment }

            var (ends, due, removed, start) = ([[UInt8]](), [Int](), [Int](), [UInt8]())
            while let stretch = try await store.read({ [start] in
                try $0.usedIDTokenStretch(after: start, expiredBy: moment, limit: 2)
            }) {
                ends.append(stretch.end)
                due.append(stretch.due)
                let isLast = ends.count == 3
                #expect(stretch.isFull != isLast)
                removed.append(
                    try await store.write { [start] in
                        try $0.removeUsedIDTokens(after: start, upTo: stretch.end, expiredBy: moment)
                    })
                start = stretch.end
            }
            let again = try await store.write { tx in try tokens.map { try tx.recordUse(of: $0) != nil } }

            let stretches = [sorted[0..<2], sorted[2..<4], sorted[4...]]
            #expect(ends == stretches.compactMap(\.last?.tokenHash))
            #expect(due == stretches.map { $0.count(where: isDue) } && removed == due)
            #expect(again == [false, false, false, true, true])
        }
    }

    /// Sessions that ended in every way, long ago and not so long ago.
    private static func sessions(of user: User) -> (removable: [Session], kept: [Session]) {
        func session(_ change: (inout Session) -> Void) -> Session {
            var session = Session.sample(of: user)
            change(&session)
            return session
        }
        func daysAgo(_ days: Int) -> Timestamp { .seconds(afterNoon: -days * day) }
        return (
            [
                session { $0.revokedAt = daysAgo(30) },
                session { $0.createdAt = daysAgo(60) },
                session {
                    $0.createdAt = daysAgo(119)
                    $0.rotatedAt = daysAgo(60)
                },
                session {
                    $0.createdAt = daysAgo(120)
                    $0.rotatedAt = daysAgo(1)
                },
            ],
            [
                session { _ in },
                session { $0.revokedAt = daysAgo(29) },
                session { $0.createdAt = daysAgo(59) },
                session {
                    $0.createdAt = daysAgo(119)
                    $0.rotatedAt = daysAgo(1)
                },
            ]
        )
    }

    private static let ages = SessionAges(
        revokedBy: .seconds(afterNoon: -30 * day), idleSince: .seconds(afterNoon: -60 * day),
        createdBy: .seconds(afterNoon: -120 * day), unseenSince: .seconds(afterNoon: -20 * day))

    @Test(arguments: TestEngine.allCases)
    func `sessions go by the age of their end`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let (removable, kept) = Self.sessions(of: user)
            try await store.write { tx in for session in (removable + kept).shuffled() { try tx.insert(session) } }

            let stretch = try #require(
                try await store.read { try $0.sessionStretch(after: .min, Self.ages, limit: 100) })
            let removed = try await store.write { try $0.removeSessions(after: .min, upTo: stretch.end, Self.ages) }

            #expect(stretch.due == 4 && removed == 4 && !stretch.isFull)
            let left = try await store.read { try $0.sessions(of: user.key) }
            #expect(Set(left) == Set(kept))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `addresses of sessions go by the age of their last use, in their stretch alone`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let daysAgo = [20, 21, 19, 25]
            let sessions = daysAgo.map { days in
                var session = Session.sample(of: user)
                session.createdAt = .seconds(afterNoon: -40 * Self.day)
                session.lastUsedAt = .seconds(afterNoon: -days * Self.day)
                session.address = "203.0.113.7"
                return session
            }
            try await store.write { tx in for session in sessions { try tx.insert(session) } }

            let stretch = try #require(
                try await store.read { try $0.sessionStretch(after: .min, Self.ages, limit: 3) })
            let forgotten = try await store.write {
                try $0.forgetAddresses(ofSessionsAfter: .min, upTo: stretch.end, usedBy: Self.ages.unseenSince)
            }

            let left = try await store.read { tx in try sessions.map { try tx.session(id: $0.id)?.address } }
            #expect(stretch.due == 2 && forgotten == 2)
            #expect(left == [nil, nil, "203.0.113.7", "203.0.113.7"])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `sessions of an ageless family go when they were revoked, or are old and of an earlier epoch`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let (removable, kept) = Self.sessions(of: user)
            var app = Session.sample(of: user)
            app.createdAt = .seconds(afterNoon: -60 * Self.day)
            app.family = .oauth
            let sessions = removable + kept + [app]
            try await store.write { tx in for session in sessions { try tx.insert(session) } }
            let ages = SessionAges(
                revokedBy: Self.ages.revokedBy, idleSince: Self.ages.idleSince, createdBy: Self.ages.createdBy,
                ageless: .identityToolkit, unseenSince: Self.ages.unseenSince)

            let removed = try await store.write { try $0.removeSessions(after: .min, upTo: .max, ages) }
            let left = try await store.read { Set(try $0.sessions(of: user.key)) }
            try await store.write { _ = try $0.bumpEpoch(userKey: user.key, validSince: 1) }
            let superseded = try await store.write { try $0.removeSessions(after: .min, upTo: .max, ages) }

            #expect(removed == 2 && left == Set(removable.dropFirst() + kept))
            #expect(superseded == 3)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `decisions go by their age, a bounded number at a time`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let keys = KeyGenerator()
            let days = [40, 39, 31, 29, 0]
            try await store.write { tx in
                for age in days {
                    let at = Timestamp.seconds(afterNoon: -age * Self.day)
                    try tx.append(
                        Decision(
                            key: keys.next(at: at.date), at: at, requestID: "r", provider: "p", issuer: "i",
                            subjectHash: "s", localID: "u", rule: "x", outcome: "y", evidence: "{}"))
                }
            }
            let moment = Timestamp.seconds(afterNoon: -30 * Self.day)

            let removed = try await store.write { tx in
                [try tx.removeDecisions(until: moment, limit: 2), try tx.removeDecisions(until: moment, limit: 2)]
            }

            #expect(removed == [2, 1])
            #expect(try await store.read { try $0.decisions(localID: "u", limit: 10).count } == 2)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `stretches cover every session once`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            var all: [Session] = []
            for _ in 0..<3 { all += Self.sessions(of: user).removable + Self.sessions(of: user).kept }
            let sessions = all
            try await store.write { tx in for session in sessions { try tx.insert(session) } }

            var (ends, due, after) = ([Int64](), 0, Int64.min)
            while let stretch = try await store.read({ [after] in
                try $0.sessionStretch(after: after, Self.ages, limit: 5)
            }) {
                ends.append(stretch.end)
                due += stretch.due
                after = stretch.end
            }

            #expect(ends.count == 5 && ends == ends.sorted() && after == sessions.map(\.key).max())
            #expect(due == 12)
        }
    }
}
