import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Users")
struct UserTests {
    private static func full() -> User {
        let email = "\(randomText(8))@example.com"
        return User(
            key: newKey(), localID: randomText(), email: email.uppercased(), emailCanonical: email,
            isEmailVerified: true, emailAssertedBy: "github.com", emailAssertedAt: .noon, displayName: "Ann Example",
            photoURL: "https://example.com/ann.png", screenName: "ann", isDisabled: true, customAttributes: "{}",
            isCustomAuth: true, initialEmail: email, createdAt: .noon, lastLoginAt: .seconds(afterNoon: 1),
            lastRefreshAt: .seconds(afterNoon: 2), validSince: 3, epoch: 4)
    }

    @Test(arguments: TestEngine.allCases)
    func `are found by key, local id, address and identity`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser(Self.full())
            let other = try await store.addUser()
            let identity = Identity.sample(of: user)
            try await store.write { tx in _ = try tx.insert(identity) }

            let found = try await store.read { tx in
                [
                    try tx.user(key: user.key), try tx.user(localID: user.localID),
                    try tx.user(holdingEmail: user.emailCanonical ?? ""), try tx.user(owning: identity.identity),
                ]
            }

            #expect(found == [user, user, user, user])
            #expect(try await store.user(other) == other)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `that do not exist are not found`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            try await store.addUser(Self.full())

            let found = try await store.read { tx in
                [
                    try tx.user(key: 1), try tx.user(localID: "nobody"), try tx.user(holdingEmail: "a@example.com"),
                    try tx.user(owning: .sample()),
                ]
            }

            #expect(found == [nil, nil, nil, nil])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `have local ids and addresses of their own`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser(Self.full())
            var (sameID, sameEmail) = (User.sample(), User.sample())
            sameID.localID = user.localID
            sameEmail.email = "x"
            sameEmail.emailCanonical = user.emailCanonical

            let answers = try await store.write { [sameID, sameEmail] tx in
                [try tx.insert(sameID), try tx.insert(sameEmail), try tx.insert(User.sample())]
            }

            #expect(answers == [false, false, true])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `with one address, made at the same moment, end up as one`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            for _ in 0..<100 {
                let email = "\(randomText())@example.com"

                let inserted = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for _ in 0..<4 {
                        group.addTask { try await store.write { tx in try tx.insert(User.sample(email: email)) } }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }

                #expect(inserted == 1)
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are listed page by page in the order of their local ids`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            for _ in 0..<7 { try await store.addUser() }

            let pages = try await store.read { tx in
                let first = try tx.users(after: nil, limit: 4)
                return [first, try tx.users(after: first.last?.localID, limit: 4)]
            }

            let listed = pages.flatMap { $0.map(\.localID) }
            #expect(pages.map(\.count) == [4, 3])
            #expect(listed == listed.sorted())
            #expect(try await store.read { tx in try tx.users(after: nil, limit: -1) }.isEmpty)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `lose and get an address, and never another's`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let holder = try await store.addUser(Self.full())
            let other = try await store.addUser()
            let address = holder.emailCanonical ?? ""
            let give: @Sendable (borrowing Transaction) throws -> Bool = { tx in
                try tx.setEmail(
                    of: other.key, email: address, canonical: address, verified: true, assertedBy: "apple.com",
                    at: .noon)
            }

            let whileHeld = try await store.write(give)
            let afterRelease = try await store.write { tx in
                try tx.releaseEmail(of: holder.key)
                return try give(tx)
            }

            #expect(!whileHeld && afterRelease)
            let stripped = try await store.user(holder)
            #expect(stripped?.email == nil && stripped?.emailCanonical == nil && stripped?.isEmailVerified == false)
            let owner = try await store.user(other)
            #expect(owner?.email == address && owner?.isEmailVerified == true)
            #expect(owner?.emailAssertedBy == "apple.com" && owner?.emailAssertedAt == .noon)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `may be given their own address again`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser(.sample(email: "ann@example.com"))

            let isSet = try await store.write { tx in
                try tx.setEmail(
                    of: user.key, email: "Ann@example.com", canonical: "ann@example.com", verified: true,
                    assertedBy: nil, at: .noon)
            }

            #expect(isSet)
            #expect(try await store.user(user)?.email == "Ann@example.com")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `store sign-ins, refreshes and their profile`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            var user = try await store.addUser()
            (user.displayName, user.screenName) = ("Ann", "a")
            (user.displayNameEditedAt, user.photoURLEditedAt) = (.seconds(afterNoon: 1), .seconds(afterNoon: 2))

            try await store.write { [user] tx in
                try tx.recordSignIn(userKey: user.key, at: .seconds(afterNoon: 10))
                try tx.recordRefresh(userKey: user.key, at: .seconds(afterNoon: 20))
                try tx.setProfile(of: user)
            }

            (user.lastLoginAt, user.lastRefreshAt) = (.seconds(afterNoon: 10), .seconds(afterNoon: 20))
            #expect(try await store.user(user) == user)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `get a new epoch, and other users keep theirs`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let other = try await store.addUser()

            let epochs = try await store.write { tx in
                [
                    try tx.bumpEpoch(userKey: user.key, validSince: 5),
                    try tx.bumpEpoch(userKey: user.key, validSince: 6), try tx.bumpEpoch(userKey: 1, validSince: 5),
                ]
            }

            #expect(epochs == [1, 2, nil])
            #expect(try await store.user(user)?.validSince == 6)
            #expect(try await store.user(other) == other)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `store their first address and the use of custom tokens`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            var user = try await store.addUser()

            try await store.write { [user] tx in
                try tx.recordInitialEmail(of: user.key, "first@example.com")
                try tx.recordInitialEmail(of: user.key, "second@example.com")
                try tx.recordCustomAuth(userKey: user.key)
            }

            (user.initialEmail, user.isCustomAuth) = ("first@example.com", true)
            #expect(try await store.user(user) == user)
        }
    }
}
