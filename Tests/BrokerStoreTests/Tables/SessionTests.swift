import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Sessions")
struct SessionTests {
    @Test(arguments: TestEngine.allCases)
    func `come back as they began`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let plain = try await store.addSession(of: user)
            let full = Session(
                key: newKey(), id: randomText(22), userKey: user.key, signInProvider: "custom", generation: 3,
                authTime: 7, createdAt: .noon, rotatedAt: .seconds(afterNoon: 1), claims: #"{"role":"x"}"#, epoch: 2,
                revokedAt: .seconds(afterNoon: 2), revokedReason: "reuse",
                lastUsedAt: .seconds(afterNoon: 3))
            try await store.write { tx in try tx.insert(full) }

            let found = try await store.read { tx in try tx.sessions(of: user.key) }

            #expect(found == [plain, full])
            #expect(try await store.read { tx in try tx.session(id: full.id) } == full)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are looked up with their user and identities`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let session = try await store.addSession(of: user)
            let identities = ["github.com", "apple.com"].map { Identity.sample(of: user, .sample(provider: $0)) }
            try await store.write { tx in for identity in identities { _ = try tx.insert(identity) } }

            let facts = try await store.read { tx in try tx.sessionFacts(id: session.id) }

            #expect(facts == SessionFacts(session: session, user: user, identities: identities))
            #expect(try await store.read { tx in try tx.sessionFacts(id: "nothing") } == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are looked up with what a reader needs of the identities, in link order`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let session = try await store.addSession(of: user)
            let identities = ["gitlab.com", "apple.com", "github.com"].map { provider in
                var identity = Identity.sample(of: user, .sample(provider: provider))
                (identity.email, identity.displayName) = ("\(provider)@example.com", "Name")
                (identity.photoURL, identity.screenName) = ("https://\(provider)/me.png", "me")
                return identity
            }
            try await store.write { tx in for identity in identities { _ = try tx.insert(identity) } }
            let id = session.id

            let whole = try await store.read { tx in try tx.session(id: id, with: Identity.self) }
            let linked = try await store.read { tx in try tx.session(id: id, with: LinkedIdentity.self) }
            let keys = try await store.read { tx in try tx.session(id: id, with: TokenIdentity.self) }
            let none = try await store.read { tx in try tx.session(id: id, with: Never.self) }

            #expect(whole == SessionView(session: session, user: user, identities: identities))
            #expect(linked?.identities == identities.map(LinkedIdentity.init))
            #expect(keys?.identities == identities.map(TokenIdentity.init))
            #expect(none == whole?.withoutIdentities)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are looked up although their user has no identity`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let session = try await store.addSession(of: user)

            let linked = try await store.read { tx in try tx.session(id: session.id, with: LinkedIdentity.self) }
            let keys = try await store.read { tx in try tx.session(id: session.id, with: TokenIdentity.self) }

            #expect(linked == SessionView(session: session, user: user, identities: []))
            #expect(keys == SessionView(session: session, user: user, identities: []))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `end once, with a reason`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let session = try await store.addSession(of: user)

            let answers = try await store.write { tx in
                [
                    try tx.revokeSession(id: session.id, at: .noon, reason: "signed out"),
                    try tx.revokeSession(id: session.id, at: .seconds(afterNoon: 1), reason: "again"),
                ]
            }

            #expect(answers == [true, false])
            let ended = try await store.read { tx in try tx.session(id: session.id) }
            #expect(ended?.revokedAt == .noon && ended?.revokedReason == "signed out")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `all end together, and those of others stay valid`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (user, other) = (try await store.addUser(), try await store.addUser())
            let sessions = [try await store.addSession(of: user), try await store.addSession(of: user)]
            let bystander = try await store.addSession(of: other)

            let count = try await store.write { tx in
                _ = try tx.revokeSession(id: sessions[0].id, at: .noon, reason: "signed out")
                return try tx.revokeSessions(of: user.key, at: .seconds(afterNoon: 1), reason: "all")
            }

            #expect(count == 1)
            let reasons = try await store.read { tx in try tx.sessions(of: user.key).map(\.revokedReason) }
            #expect(reasons == ["signed out", "all"])
            #expect(try await store.read { tx in try tx.session(id: bystander.id) } == bystander)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of one provider end in every family, with the sessions that came from them`(on engine: TestEngine)
        async throws
    {
        try await withStore(engine) { store in
            let (user, other) = (try await store.addUser(), try await store.addUser())
            func session(_ user: User, _ provider: String, _ family: Session.Family, of parent: Session? = nil)
                -> Session
            {
                var session = Session.sample(of: user)
                (session.signInProvider, session.family, session.parentID) = (provider, family, parent?.id)
                return session
            }
            let web = session(user, "apple.com", .web)
            let ended = [
                session(user, "apple.com", .identityToolkit), web, session(user, "apple.com", .oauth, of: web),
                session(user, "github.com", .oauth, of: web),
            ]
            let otherWeb = session(user, "github.com", .web)
            let kept = [
                session(user, "github.com", .identityToolkit), otherWeb,
                session(user, "github.com", .oauth, of: otherWeb),
                session(other, "apple.com", .identityToolkit),
            ]
            try await store.write { tx in for session in ended + kept { try tx.insert(session) } }

            let counts = try await store.write { tx in
                try (0..<2).map { _ in
                    try tx.revokeSessions(of: user.key, begunWith: "apple.com", at: .noon, reason: "withdrawn")
                }
            }

            #expect(counts == [4, 0])
            let found = try await store.read { tx in try (ended + kept).map { try tx.session(id: $0.id) } }
            #expect(found.prefix(4).allSatisfy { $0?.revokedAt == .noon && $0?.revokedReason == "withdrawn" })
            #expect(Array(found.dropFirst(4)) == kept)
        }
    }
}
