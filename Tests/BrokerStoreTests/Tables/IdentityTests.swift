import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("Identities")
struct IdentityTests {
    @Test(arguments: TestEngine.allCases)
    func `come back as they were linked, in link order`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            var identities = ["gitlab.com", "apple.com", "github.com"].map {
                Identity.sample(of: user, .sample(provider: $0))
            }
            identities[1] = Identity(
                key: identities[1].key, userKey: user.key, identity: identities[1].identity, email: "Ann@example.com",
                isEmailVerified: true, displayName: "Ann", photoURL: "https://example.com/a", screenName: "ann",
                profile: #"{"sub":"1"}"#, linkedAt: .noon, lastSignInAt: .seconds(afterNoon: 1))

            let answers = try await store.write { [identities] tx in
                try identities.map { try tx.insert($0) } + [try tx.insert(.sample(of: user, identities[0].identity))]
            }

            #expect(answers == [true, true, true, false])
            #expect(try await store.read { tx in try tx.identities(of: user.key) } == identities)
            let one = identities[1]
            #expect(try await store.read { tx in try tx.identity(one.identity) } == one)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `belong to one user, and a user has one of each provider`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (first, second) = (try await store.addUser(), try await store.addUser())
            let taken = IdentityKey.sample()

            let answers = try await store.write { tx in
                [
                    try tx.insert(Identity.sample(of: first, taken)), try tx.insert(Identity.sample(of: second, taken)),
                    try tx.insert(Identity.sample(of: first, .sample())),
                    try tx.insert(Identity.sample(of: second, .sample())),
                ]
            }

            #expect(answers == [true, false, false, true])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `claimed at the same moment go to one user`(on engine: TestEngine) async throws {
        try await TwoStores.run(on: engine) { stores in
            let (store, second) = (stores.one, stores.other)
            for round in 0..<200 {
                let claimed = IdentityKey.sample()

                let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for claimant in 0..<2 {
                        // Every other round from two processes.
                        let claimed = claimed
                        let target = round.isMultiple(of: 2) && claimant == 1 ? second : store
                        group.addTask {
                            try await target.write { tx in
                                guard try tx.user(owning: claimed) == nil else { return false }
                                let user = User.sample()
                                guard try tx.insert(user) else { return false }
                                return try tx.insert(Identity.sample(of: user, claimed))
                            }
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }

                #expect(winners == 1)
            }
            #expect(try await store.read { tx in try tx.users(after: nil, limit: 1000) }.count == 200)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are compared byte by byte`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let composed = IdentityKey(provider: "oidc.a", issuer: "https://a", subject: "\u{e9}")
            let decomposed = IdentityKey(provider: "oidc.a", issuer: "https://a", subject: "e\u{301}")
            try await store.write { tx in _ = try tx.insert(Identity.sample(of: user, composed)) }

            let owners = try await store.read { tx in
                [try tx.user(owning: composed)?.key, try tx.user(owning: decomposed)?.key]
            }

            #expect(owners == [user.key, nil])
            #expect(composed != decomposed)
            #expect(Set([composed, decomposed]).count == 2)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are replaced wholesale by a returning sign-in`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            var identity = Identity.sample(of: user)
            (identity.displayName, identity.screenName, identity.photoURL) = ("Ann", "ann", "https://example.com/a")
            let bystander = Identity.sample(of: user, .sample(provider: "apple.com"))
            let known = identity
            (identity.email, identity.isEmailVerified, identity.displayName) = ("a@example.com", true, nil)
            (identity.photoURL, identity.screenName, identity.profile) = (nil, "annie", #"{"id":1}"#)
            identity.lastSignInAt = .seconds(afterNoon: 9)
            try await store.write { [identity] tx in
                for one in [known, bystander] { _ = try tx.insert(one) }
                try tx.refreshProfile(of: known, to: identity)
            }

            #expect(try await store.read { tx in try tx.identities(of: user.key) } == [identity, bystander])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `go with their user, and so do sessions and grants`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let identity = Identity.sample(of: user)
            let session = try await store.addSession(of: user)
            let grant = ProviderGrant(
                key: newKey(), identityKey: identity.key, provider: identity.provider, clientID: "c", scopes: "",
                sealedAccessToken: randomBytes(), obtainedAt: .noon, version: 1)
            try await store.write { tx in
                _ = try tx.insert(identity)
                try tx.upsertGrant(grant)
                #expect(try tx.deleteUser(key: user.key))
                #expect(try !tx.deleteUser(key: user.key))
            }

            #expect(try await store.read { tx in try tx.identity(identity.identity) } == nil)
            #expect(try await store.read { tx in try tx.session(id: session.id) } == nil)
            #expect(try await store.read { tx in try tx.grant(identityKey: identity.key, clientID: "c") } == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `are taken away one by one, with their grants`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let identities = ["github.com", "apple.com"].map { Identity.sample(of: user, .sample(provider: $0)) }
            let grant = ProviderGrant(
                key: newKey(), identityKey: identities[0].key, provider: "github.com", clientID: "c", scopes: "",
                sealedAccessToken: randomBytes(), obtainedAt: .noon, version: 1)

            let deletions = try await store.write { tx in
                for identity in identities { _ = try tx.insert(identity) }
                try tx.upsertGrant(grant)
                return [try tx.deleteIdentity(key: identities[0].key), try tx.deleteIdentity(key: identities[0].key)]
            }

            #expect(deletions == [true, false])
            #expect(try await store.read { tx in try tx.identities(of: user.key) } == [identities[1]])
            #expect(try await store.read { tx in try tx.grant(identityKey: identities[0].key, clientID: "c") } == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `lead from their address to their user, the oldest first`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let users = [try await store.addUser(), try await store.addUser(.sample(email: "own@example.com"))]
            try await store.write { tx in
                for user in users {
                    var identity = Identity.sample(of: user)
                    identity.email = "shared@example.com"
                    _ = try tx.insert(identity)
                }
            }

            #expect(try await store.read { try $0.user(withIdentityEmail: "shared@example.com") } == users[0])
            #expect(try await store.read { try $0.user(withIdentityEmail: "own@example.com") } == nil)
        }
    }
}
