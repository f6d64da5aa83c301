import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Authorization codes")
struct AuthorizationCodeTests {
    private static func sample(of user: User, expiring seconds: Int = 60, nonce: String? = nil) -> AuthorizationCode {
        AuthorizationCode(
            key: newKey(), codeHash: randomBytes(), clientID: randomText(22),
            redirectURI: "https://shop.example/callback", codeChallenge: randomText(43), scope: "openid email",
            nonce: nonce, userKey: user.key, epoch: 3, provider: "github.com", authTime: 1_800_000_000,
            authenticationMethods: "fed user", sessionID: randomText(22),
            parentID: nonce.map { _ in randomText(22) }, createdAt: .noon, expiresAt: .seconds(afterNoon: seconds))
    }

    @Test(arguments: TestEngine.allCases)
    func `a code is consumed once before it expires, and returns its request`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let codes = [Self.sample(of: user), Self.sample(of: user, nonce: "n"), Self.sample(of: user, expiring: 0)]
            try await store.write { tx in for code in codes { try tx.insert(code) } }

            let used = try await store.write { tx in
                try (codes + codes).map { try tx.consumeAuthorizationCode(hash: $0.codeHash, at: .noon) }
            }
            let before = try await store.read { tx in
                try codes.map { try tx.consumedAuthorizationCode(hash: $0.codeHash) }
            }

            #expect(used == [codes[0], codes[1], nil, nil, nil, nil])
            #expect(before == [codes[0], codes[1], nil])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of many concurrent redemptions of one code, one succeeds`(on engine: TestEngine) async throws {
        try await TwoStores.race(on: engine) { stores in
            let user = try await stores.one.addUser()
            let code = Self.sample(of: user)
            try await stores.one.write { try $0.insert(code) }
            let place = stores.meetingPoint(for: 6)

            let isMine = try await stores.contend(6) { store, _ in
                try await store.write { tx in
                    _ = try tx.consumedAuthorizationCode(hash: code.codeHash)
                    place.meet()
                    return try tx.consumeAuthorizationCode(hash: code.codeHash, at: .noon) != nil
                }
            }

            #expect(isMine.count(where: \.self) == 1)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `codes go with their user, and by their expiry, a bounded number at a time`(
        on engine: TestEngine
    ) async throws {
        try await withStore(engine) { store in
            let (user, gone) = (try await store.addUser(), try await store.addUser())
            let codes = (1...5).map { Self.sample(of: user, expiring: $0) }
            let code = Self.sample(of: gone)
            try await store.write { tx in for code in codes.shuffled() + [code] { try tx.insert(code) } }
            let moment = Timestamp.seconds(afterNoon: 3)

            try await store.write { tx in _ = try tx.deleteUser(key: gone.key) }
            let removed = try await store.write { tx in
                [
                    try tx.removeExpired(from: .authorizationCodes, by: moment, limit: 2),
                    try tx.removeExpired(from: .authorizationCodes, by: moment, limit: 2),
                ]
            }

            #expect(removed == [2, 1])
            let left = try await store.write { tx in
                try (codes + [code]).map { try tx.consumeAuthorizationCode(hash: $0.codeHash, at: .noon) != nil }
            }
            #expect(left == [false, false, false, true, true, false])
        }
    }
}
