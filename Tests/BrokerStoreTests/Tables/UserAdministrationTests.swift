import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Disabling, unlinking and deleting users")
struct UserAdministrationTests {
    @Test(arguments: TestEngine.allCases)
    func `a user is disabled and enabled, and only a change is reported`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()

            let changes = try await store.write { tx in
                try [true, true, false, false].map { try tx.setDisabled($0, userKey: user.key) }
            }
            _ = try await store.write { tx in try tx.setDisabled(true, userKey: user.key) }

            #expect(changes == [true, false, true, false])
            #expect(try await store.user(user)?.isDisabled == true)
            #expect(try await store.write { tx in try tx.setDisabled(true, userKey: newKey()) } == false)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a deleted user's identities and sessions are deleted`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (user, other) = (try await store.addUser(), try await store.addUser())
            let (mine, theirs) = (Identity.sample(of: user), Identity.sample(of: other))
            let session = try await store.addSession(of: user)
            try await store.write { tx in for identity in [mine, theirs] { _ = try tx.insert(identity) } }

            let removed = try await store.write { tx in
                [try tx.deleteUser(key: user.key), try tx.deleteUser(key: user.key)]
            }

            #expect(removed == [true, false])
            #expect(try await store.user(user) == nil)
            #expect(try await store.read { tx in try tx.session(id: session.id) } == nil)
            #expect(try await store.read { tx in try tx.identity(mine.identity) } == nil)
            #expect(try await store.read { tx in try tx.identity(theirs.identity) } == theirs)
        }
    }
}
