import BrokerStore
import PostgreSQLTesting
import Testing

/// The transactions of the flows, in the same order: read, decide, write.
@Suite("Races for accounts", .timeLimit(.minutes(30)))
struct AccountRaceTests {
    /// What a flow answers instead of an account.
    private enum Refusal: Error {
        case lastSignInMethod
    }

    @Test(arguments: TestEngine.allCases)
    func `first sign-ins with one identity create one user`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let key = IdentityKey.sample()
            let place = stores.meetingPoint(for: 4)

            let answers = try await stores.contend(4) { store, _ in
                let user = User.sample()
                let identity = Identity.sample(of: user, key)
                return try await store.write { tx in
                    if let owner = try tx.user(owning: key) { return (owner.key, isNew: false) }
                    place.meet()
                    let isAdded = try tx.insert(user) && tx.insert(identity)
                    return (isAdded ? user.key : 0, isNew: true)
                }
            }

            #expect(answers.count { $0.isNew } == 1)
            #expect(Set(answers.map { $0.0 }).count == 1)
            let owner = try await stores.other.read { try $0.user(owning: key) }
            #expect(owner?.key == answers[0].0)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `two identities with one verified address create one user`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let email = "\(randomText(16))@example.com"
            let place = stores.meetingPoint()

            let owners = try await stores.contend { store, number in
                let user = User.sample(email: email)
                let key = IdentityKey.sample(provider: number == 0 ? "github.com" : "gitlab.com")
                let identityKey = newKey()
                return try await store.write { tx in
                    let holder = try tx.user(holdingEmail: email)
                    if holder == nil {
                        place.meet()
                        guard try tx.insert(user) else { return Int64(0) }
                    }
                    let owner = holder ?? user
                    var identity = Identity.sample(of: owner, key)
                    identity.key = identityKey
                    return try tx.insert(identity) ? owner.key : 0
                }
            }

            #expect(owners[0] == owners[1])
            let holder = try #require(try await stores.one.read { try $0.user(holdingEmail: email) })
            #expect(owners[0] == holder.key)
            #expect(try await stores.one.read { try $0.identities(of: holder.key) }.count == 2)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `link against link: the subject has one owner`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let users = [try await stores.one.addUser(), try await stores.one.addUser()]
            let key = IdentityKey.sample()
            let place = stores.meetingPoint()

            let isLinked = try await stores.contend { store, number in
                try await store.link(key, to: users[number], meetingAt: place)
            }

            let winner = try #require(isLinked.firstIndex(of: true))
            #expect(isLinked.count(where: \.self) == 1)
            #expect(try await stores.other.read { try $0.user(owning: key) } == users[winner])
            #expect(try await stores.one.read { try $0.identities(of: users[1 - winner].key) }.isEmpty)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `link against delete: no identity without a user`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let user = try await stores.one.addUser()
            let key = IdentityKey.sample()
            let place = stores.meetingPoint()

            let answers = try await stores.contend { store, number in
                guard number == 0 else { return try await store.delete(user, meetingAt: place) }
                return try await store.link(key, to: user, meetingAt: place)
            }

            #expect(answers[1])
            #expect(try await stores.other.user(user) == nil)
            #expect(try await stores.one.read { try $0.identity(key) } == nil)
            // The subject is free: another user may get it.
            let next = try await stores.other.addUser()
            #expect(try await stores.other.link(key, to: next, meetingAt: stores.meetingPoint(for: 0)))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `unlink against unlink: a way in is left`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let user = try await stores.one.addUser()
            let identities = ["github.com", "gitlab.com"].map {
                Identity.sample(of: user, .sample(provider: $0))
            }
            try await stores.one.write { tx in for identity in identities { _ = try tx.insert(identity) } }
            let place = stores.meetingPoint()

            let isUnlinked = try await stores.contend { store, number in
                do {
                    return try await store.write { tx in
                        let linked = try tx.identities(of: user.key)
                        place.meet()
                        guard linked.count > 1 else { throw Refusal.lastSignInMethod }
                        return try tx.deleteIdentity(key: identities[number].key)
                    }
                } catch Refusal.lastSignInMethod {
                    return false
                }
            }

            let winner = try #require(isUnlinked.firstIndex(of: true))
            #expect(isUnlinked.count(where: \.self) == 1)
            let left = try await stores.other.read { try $0.identities(of: user.key) }
            #expect(left == [identities[1 - winner]])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `merge against link: what was linked is the survivor's`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let (survivor, absorbed) = (try await stores.one.addUser(), try await stores.one.addUser())
            let key = IdentityKey.sample()
            let place = stores.meetingPoint()

            let answers = try await stores.contend { store, number in
                guard number == 0 else { return try await store.link(key, to: absorbed, meetingAt: place) }
                return try await store.merge(absorbed, into: survivor, meetingAt: place)
            }

            #expect(answers[0])
            #expect(try await stores.other.user(absorbed) == nil)
            let owner = try await stores.other.read { try $0.user(owning: key) }
            #expect(owner == (answers[1] ? survivor : nil))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `merge against delete: no user is partly merged`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let (survivor, absorbed) = (try await stores.one.addUser(), try await stores.one.addUser())
            let identity = Identity.sample(of: absorbed)
            _ = try await stores.one.write { try $0.insert(identity) }
            let place = stores.meetingPoint()

            let answers = try await stores.contend { store, number in
                guard number == 0 else { return try await store.delete(survivor, meetingAt: place) }
                return try await store.merge(absorbed, into: survivor, meetingAt: place)
            }

            #expect(answers[1])
            #expect(try await stores.other.user(survivor) == nil)
            // Merged first, they went together; else nothing happened to the other.
            #expect(try await stores.other.user(absorbed) == (answers[0] ? nil : absorbed))
            let left = try await stores.one.read { try $0.identity(identity.identity) }
            #expect(left == (answers[0] ? nil : identity))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `merge against merge: one of the two users is left, in either direction`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let users = [try await stores.one.addUser(), try await stores.one.addUser()]
            let place = stores.meetingPoint()

            let isMerged = try await stores.contend { store, number in
                try await store.merge(users[1 - number], into: users[number], meetingAt: place)
            }

            let winner = try #require(isMerged.firstIndex(of: true))
            #expect(isMerged.count(where: \.self) == 1)
            #expect(try await stores.other.user(users[winner]) == users[winner])
            #expect(try await stores.one.user(users[1 - winner]) == nil)
        }
    }
}

extension Store {
    /// False when the user does not exist or the subject has a user.
    fileprivate func link(_ key: IdentityKey, to user: User, meetingAt place: MeetingPoint) async throws -> Bool {
        let identity = Identity.sample(of: user, key)
        return try await write { tx in
            guard try tx.user(key: user.key) != nil, try tx.user(owning: key) == nil else { return false }
            place.meet()
            return try tx.insert(identity)
        }
    }

    fileprivate func delete(_ user: User, meetingAt place: MeetingPoint) async throws -> Bool {
        try await write { tx in
            guard try tx.user(key: user.key) != nil else { return false }
            place.meet()
            return try tx.deleteUser(key: user.key)
        }
    }

    /// False when either is gone.
    fileprivate func merge(
        _ absorbed: User, into survivor: User, meetingAt place: MeetingPoint
    ) async throws -> Bool {
        try await write { tx in
            guard try tx.user(key: absorbed.key) != nil, try tx.user(key: survivor.key) != nil else { return false }
            place.meet()
            try tx.moveRows(from: absorbed.key, to: survivor.key)
            return try tx.deleteUser(key: absorbed.key)
        }
    }
}
