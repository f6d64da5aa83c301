import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Aliases of identities")
struct IdentityAliasTests {
    @Test(arguments: TestEngine.allCases)
    func `lead to the identity and its user, and go with the identity only`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let identity = Identity.sample(of: user)
            let alias = IdentityKey.sample()
            try await store.write { tx in
                _ = try tx.insert(identity)
                #expect(try tx.addAlias(alias, to: identity.key, at: .noon))
            }

            #expect(try await store.read { try $0.identity(alias) } == identity)
            #expect(try await store.read { try $0.user(owning: alias)?.key } == user.key)
            #expect(try await store.read { try $0.aliases(of: identity.key) } == [alias])
            _ = try await store.write { try $0.deleteIdentity(key: identity.key) }
            #expect(try await store.read { try $0.identity(alias) } == nil)
            #expect(try await store.read { try $0.user(owning: alias) } == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `differ by every part of their name`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = Identity.sample(of: try await store.addUser())
            let alias = IdentityKey.sample()
            try await store.write { tx in
                _ = try tx.insert(identity)
                _ = try tx.addAlias(alias, to: identity.key, at: .noon)
            }
            var (provider, issuer, subject) = (alias, alias, alias)
            provider.provider = "gitlab.com"
            issuer.issuer = "https://other.example"
            subject.subject += "0"

            for other in [provider, issuer, subject] {
                #expect(try await store.read { try $0.identity(other) } == nil)
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a subject is an identity's own or one identity's alias, never two of these`(on engine: TestEngine)
        async throws
    {
        try await withStore(engine) { store in
            let users = [try await store.addUser(), try await store.addUser(), try await store.addUser()]
            let identities = users.prefix(2).map { Identity.sample(of: $0) }
            let alias = IdentityKey.sample()

            let answers = try await store.write { tx in
                for identity in identities { _ = try tx.insert(identity) }
                return [
                    try tx.addAlias(alias, to: identities[0].key, at: .noon),
                    try tx.addAlias(alias, to: identities[1].key, at: .noon),
                    try tx.addAlias(alias, to: identities[0].key, at: .noon),
                    try tx.addAlias(identities[0].identity, to: identities[1].key, at: .noon),
                    try tx.addAlias(identities[0].identity, to: identities[0].key, at: .noon),
                    try tx.insert(Identity.sample(of: users[2], alias)),
                ]
            }

            #expect(answers == [true, false, false, false, false, false])
            #expect(try await store.read { try $0.identity(alias) } == identities[0])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `move together to another identity`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identities = [
                Identity.sample(of: try await store.addUser()), Identity.sample(of: try await store.addUser()),
            ]
            let aliases = [IdentityKey.sample(), .sample()]
            try await store.write { tx in
                for identity in identities { _ = try tx.insert(identity) }
                for alias in aliases { _ = try tx.addAlias(alias, to: identities[0].key, at: .noon) }
                try tx.moveRows(ofIdentity: identities[0].key, to: identities[1].key)
                _ = try tx.deleteIdentity(key: identities[0].key)
            }

            #expect(Set(try await store.read { try $0.aliases(of: identities[1].key) }) == Set(aliases))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `claimed as an identity and as an alias at the same moment, a subject becomes one of both`(
        on engine: TestEngine
    )
        async throws
    {
        try await TwoStores.run(on: engine) { stores in
            let (store, second) = (stores.one, stores.other)
            for round in 0..<200 {
                let claimed = IdentityKey.sample()
                let holder = Identity.sample(of: try await store.addUser())
                let newcomer = try await store.addUser()
                try await store.write { _ = try $0.insert(holder) }
                // Every other round from two processes.
                let other = round.isMultiple(of: 2) ? second : store

                async let asAlias = store.write { try $0.addAlias(claimed, to: holder.key, at: .noon) }
                async let asIdentity = other.write { try $0.insert(Identity.sample(of: newcomer, claimed)) }
                let winners = try await [asAlias, asIdentity]

                #expect(winners.filter(\.self).count == 1, "round \(round)")
                let owner = try await store.read { try $0.user(owning: claimed)?.key }
                #expect(owner == (winners[0] ? holder.userKey : newcomer.key), "round \(round)")
            }
        }
    }
}
