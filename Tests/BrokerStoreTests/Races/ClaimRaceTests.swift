import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Races for addresses and subjects", .timeLimit(.minutes(30)))
struct ClaimRaceTests {
    private static func address() -> String { "\(randomText(16))@example.com" }

    @Test(arguments: TestEngine.allCases)
    func `two users want one address: one gets it`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let users = [try await stores.one.addUser(), try await stores.one.addUser()]
            let email = Self.address()
            let place = stores.meetingPoint()

            let isMine = try await stores.contend { store, number in
                try await store.write { tx in
                    _ = try tx.user(holdingEmail: email)
                    place.meet()
                    return try tx.claim(email, for: users[number])
                }
            }

            let winner = try #require(isMine.firstIndex(of: true))
            #expect(isMine.count(where: \.self) == 1)
            #expect(try await stores.other.read { try $0.user(holdingEmail: email) }?.key == users[winner].key)
            #expect(try await stores.one.user(users[1 - winner])?.email == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a new user and an old one want one address: one gets it`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let old = try await stores.one.addUser()
            let new = User.sample(email: Self.address())
            let email = try #require(new.emailCanonical)
            let place = stores.meetingPoint()

            let isMine = try await stores.contend { store, number in
                try await store.write { tx in
                    _ = try tx.user(holdingEmail: email)
                    place.meet()
                    return try number == 0 ? tx.insert(new) : tx.claim(email, for: old)
                }
            }

            #expect(isMine.count(where: \.self) == 1)
            let holder = try await stores.other.read { try $0.user(holdingEmail: email) }
            #expect(holder?.key == (isMine[0] ? new.key : old.key))
            #expect(try await stores.one.user(new) == (isMine[0] ? new : nil))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an address is given up and wanted at once: it is free or the other's`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let holder = try await stores.one.addUser(.sample(email: Self.address()))
            let wanting = try await stores.one.addUser()
            let email = try #require(holder.emailCanonical)
            let place = stores.meetingPoint()

            let answers = try await stores.contend { store, number in
                try await store.write { tx in
                    _ = try tx.user(holdingEmail: email)
                    place.meet()
                    guard number == 0 else { return try tx.claim(email, for: wanting) }
                    try tx.releaseEmail(of: holder.key)
                    return true
                }
            }

            let after = try await stores.other.read { try $0.user(holdingEmail: email) }
            #expect(after?.key == (answers[1] ? wanting.key : nil))
            #expect(try await stores.one.user(holder)?.email == nil)
        }
    }

    /// A way to assign a subject to a user.
    enum Claim: String, CaseIterable {
        case identities, aliases, identityAndAlias
    }

    @Test(arguments: Claim.allCases, TestEngine.allCases)
    func `a subject has one user`(as claim: Claim, on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let users = [try await stores.one.addUser(), try await stores.one.addUser()]
            let subject = IdentityKey.sample(provider: "1pass.dev")
            let known = users.map { Identity.sample(of: $0) }
            try await stores.one.write { tx in for identity in known { _ = try tx.insert(identity) } }
            let place = stores.meetingPoint()

            let isMine = try await stores.contend { store, number in
                let identity = Identity.sample(of: users[number], subject)
                let asAlias = claim == .aliases || claim == .identityAndAlias && number == 1
                return try await store.write { tx in
                    _ = try tx.identity(subject)
                    place.meet()
                    guard asAlias else { return try tx.insert(identity) }
                    return try tx.addAlias(subject, to: known[number].key, at: .noon)
                }
            }

            let winner = try #require(isMine.firstIndex(of: true))
            #expect(isMine.count(where: \.self) == 1)
            #expect(try await stores.other.read { try $0.user(owning: subject) } == users[winner])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of two identities of one provider a user gets one`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let user = try await stores.one.addUser()
            let identities = [Identity.sample(of: user), Identity.sample(of: user)]
            let place = stores.meetingPoint()

            let isMine = try await stores.contend { store, number in
                try await store.write { tx in
                    _ = try tx.identities(of: user.key)
                    place.meet()
                    return try tx.insert(identities[number])
                }
            }

            let winner = try #require(isMine.firstIndex(of: true))
            #expect(isMine.count(where: \.self) == 1)
            #expect(try await stores.other.read { try $0.identities(of: user.key) } == [identities[winner]])
        }
    }
}

extension Transaction {
    fileprivate func claim(_ email: String, for user: User) throws(StoreError) -> Bool {
        try setEmail(
            of: user.key, email: email, canonical: email, verified: true, assertedBy: "github.com", at: .noon)
    }
}
