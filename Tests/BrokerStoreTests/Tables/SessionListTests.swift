import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Lists of sessions")
struct SessionListTests {
    private static let day = 86_400

    private static func filter(_ user: User, includesEnded: Bool = false, ageless: Session.Family? = nil)
        -> SessionFilter
    {
        SessionFilter(
            userKey: user.key, includesEnded: includesEnded, idleSince: .seconds(afterNoon: -30 * day),
            createdSince: .seconds(afterNoon: -90 * day), ageless: ageless)
    }

    private static func add(_ count: Int, of user: User, to store: Store) async throws -> [Session] {
        let sessions = (0..<count).map { number in
            var session = Session.sample(of: user)
            session.createdAt = .seconds(afterNoon: number)
            return session
        }
        try await store.write { tx in for session in sessions.shuffled() { try tx.insert(session) } }
        return sessions
    }

    @Test(arguments: TestEngine.allCases)
    func `come newest first, page by page, without those of other users`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let sessions = try await Self.add(5, of: user, to: store)
            _ = try await store.addSession(of: try await store.addUser())

            let pages = try await store.read { tx in
                let first = try tx.sessions(Self.filter(user), limit: 2)
                let second = try tx.sessions(Self.filter(user), after: first.last?.id, limit: 2)
                let third = try tx.sessions(Self.filter(user), after: second.last?.id, limit: 2)
                return [first, second, third, try tx.sessions(Self.filter(user), after: "nothing", limit: 2)]
            }

            let newest = Array(sessions.reversed())
            #expect(pages == [Array(newest[0..<2]), Array(newest[2..<4]), [newest[4]], []])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `leave out what was revoked, superseded or has expired, unless asked for`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            func session(_ change: (inout Session) -> Void) -> Session {
                var session = Session.sample(of: user)
                change(&session)
                return session
            }
            let idle = session { $0.createdAt = .seconds(afterNoon: -31 * Self.day) }
            let used = session {
                $0.createdAt = .seconds(afterNoon: -31 * Self.day)
                $0.lastUsedAt = .noon
            }
            let old = session {
                $0.createdAt = .seconds(afterNoon: -91 * Self.day)
                $0.lastUsedAt = .noon
            }
            let revoked = session {
                $0.revokedAt = .noon
                $0.revokedReason = "signed out"
            }
            let superseded = session { $0.epoch = user.epoch - 1 }
            let all = [idle, used, old, revoked, superseded]
            try await store.write { tx in for session in all { try tx.insert(session) } }

            let lists = try await store.read { tx in
                [
                    try tx.sessions(Self.filter(user), limit: 10),
                    try tx.sessions(Self.filter(user, ageless: .identityToolkit), limit: 10),
                    try tx.sessions(Self.filter(user, includesEnded: true), limit: 10),
                ]
            }

            #expect(lists == [[used], [old, used, idle], all.reversed()])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are cut to the limit, those used longest ago first`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let sessions = try await Self.add(5, of: user, to: store)
            let other = try await store.addSession(of: try await store.addUser())
            try await store.write { try $0.recordUse(ofSession: sessions[0].id, at: .seconds(afterNoon: 60)) }

            let ended = try await store.write { tx in
                try tx.limitSessions(of: user.key, to: 3, besides: sessions[4].id, at: .noon, reason: "too many")
            }
            let again = try await store.write { tx in
                try tx.limitSessions(of: user.key, to: 3, besides: sessions[4].id, at: .noon, reason: "too many")
            }

            #expect(ended == 2 && again == 0)
            let left = try await store.read { try $0.sessions(Self.filter(user), limit: 10) }
            #expect(left.map(\.id) == [sessions[4].id, sessions[3].id, sessions[0].id])
            #expect(try await store.read { try $0.session(id: other.id) } == other)
        }
    }
}
