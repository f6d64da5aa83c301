import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("OAuth clients")
struct ClientTests {
    static func sample(_ kind: Client.Kind) -> Client {
        Client(
            key: newKey(), id: randomText(22), kind: kind, name: "A shop with two words",
            redirectURIs: kind == .native ? [] : ["https://shop.example/a", "https://shop.example/b?x=1"],
            postLogoutRedirectURIs: ["https://shop.example/"], algorithm: kind == .native ? .rs256 : .es256,
            secretHash: kind == .confidential ? randomBytes() : nil, createdAt: .noon,
            pkce: kind == .confidential ? .optional : .required)
    }

    @Test(arguments: TestEngine.allCases)
    func `clients come back as they were added, in their order`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let clients = Client.Kind.allCases.map(Self.sample)
            try await store.write { tx in for client in clients { try tx.insert(client) } }

            let found = try await store.read { tx in try tx.clients() }
            let one = try await store.read { tx in try tx.client(id: clients[1].id) }
            let none = try await store.read { tx in try tx.client(id: clients[1].id + " ") }

            #expect(found == clients && one == clients[1] && none == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a new secret replaces the previous one, which may stay valid for a while`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let (client, native) = (Self.sample(.confidential), Self.sample(.native))
            let previous = Client.PreviousSecret(hash: client.secretHash ?? [], until: .seconds(afterNoon: 60))
            let (second, third) = (randomBytes(), randomBytes())
            try await store.write { tx in
                try tx.insert(client)
                try tx.insert(native)
            }

            let kept = try await store.write { tx in
                try tx.rotateSecret(ofClient: client.id, hash: second, keeping: previous)
            }
            let alone = try await store.write { tx in
                try tx.rotateSecret(ofClient: client.id, hash: third, keeping: nil)
            }
            let refused = try await store.write { tx in
                try tx.rotateSecret(ofClient: native.id, hash: third, keeping: nil)
            }

            #expect(kept?.secretHash == second && kept?.previousSecret == previous)
            #expect(alone?.secretHash == third && alone?.previousSecret == nil)
            #expect(try await store.read { tx in try tx.client(id: client.id) } == alone)
            #expect(refused == nil)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a client's name, addresses and rule for PKCE change, and nothing else`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (client, other) = (Self.sample(.confidential), Self.sample(.confidential))
            var changed = client
            (changed.name, changed.redirectURIs, changed.pkce) = ("Market", ["https://market.example/"], .required)
            changed.postLogoutRedirectURIs = []
            var written = changed
            (written.kind, written.algorithm, written.secretHash) = (.native, .rs256, nil)
            let (expected, asked) = (changed, written)
            try await store.write { tx in
                try tx.insert(client)
                try tx.insert(other)
            }

            let updated = try await store.write { tx in try tx.update(asked) }
            let unknown = try await store.write { tx in try tx.update(Self.sample(.public)) }

            #expect(updated == expected && unknown == nil)
            #expect(try await store.read { tx in try tx.clients() } == [expected, other])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a client goes, and its sessions end with it`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let client = Self.sample(.public)
            let user = try await store.addUser()
            var mine = Session.sample(of: user)
            (mine.family, mine.clientID, mine.scope) = (.oauth, client.id, "openid")
            var other = Session.sample(of: user)
            (other.family, other.clientID) = (.oauth, randomText(22))
            let (session, stranger) = (mine, other)
            try await store.write { tx in
                try tx.insert(client)
                try tx.insert(session)
                try tx.insert(stranger)
            }

            let removed = try await store.write { tx in
                [try tx.removeClient(id: client.id), try tx.removeClient(id: client.id)]
            }
            let ended = try await store.write { tx in
                try tx.revokeSessions(ofClient: client.id, at: .noon, reason: "removed")
            }

            #expect(removed == [true, false] && ended == 1)
            let sessions = try await store.read { tx in
                [try tx.session(id: session.id)?.revokedAt, try tx.session(id: stranger.id)?.revokedAt]
            }
            #expect(sessions == [.noon, nil])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a client has the logos that it names, and they end with it`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let client = Self.sample(.public)
            let logos = ["a.svg", "b.png", "c.svg"].map {
                ClientLogo(clientKey: client.key, name: $0, content: randomBytes(2000))
            }
            var named = client
            (named.logo, named.logoDark) = ("a.svg", "b.png")
            let before = named
            named.logoDark = "c.svg"
            named.homeURL = "https://shop.example/"
            let after = named
            try await store.write { tx in
                try tx.insert(before)
                try tx.keepLogos(of: before, adding: Array(logos[..<2]))
                // The same logo once more is no fault.
                try tx.keepLogos(of: before, adding: [logos[0]])
            }
            func contents() async throws -> [[UInt8]?] {
                try await store.read { tx in
                    var contents: [[UInt8]?] = []
                    for logo in logos { contents.append(try tx.logo(named: logo.name, of: client)) }
                    return contents
                }
            }

            let first = try await contents()
            let updated = try await store.write { tx in
                let client = try tx.update(after)
                try tx.keepLogos(of: after, adding: [logos[2]])
                return client
            }
            let second = try await contents()
            _ = try await store.write { tx in try tx.removeClient(id: client.id) }

            #expect(first == [logos[0].content, logos[1].content, nil])
            #expect(updated == after && second == [logos[0].content, nil, logos[2].content])
            #expect(try await contents() == [nil, nil, nil])
        }
    }
}
