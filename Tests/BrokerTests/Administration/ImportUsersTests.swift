import Broker
import BrokerStore
import ProviderKit
import ProviderSimulators
import Testing

@Suite("import and export of users")
struct ImportUsersTests {
    private static func call(_ broker: TestBroker) -> AdminCall {
        AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
    }

    private static func outcomes(_ answer: ImportUserPage.Answer) -> [String] {
        answer.results.map { $0.code ?? $0.outcome.rawValue }
    }

    /// Users with everything that an export has.
    private static func populate(_ broker: TestBroker) async throws {
        _ = try await broker.signIn(broker.person("ada"))
        let ben = try await broker.signIn(broker.person("ben"))
        let instance = try #require(broker.core.providers.current.provider("github.com")).instance
        try await broker.core.store.write(at: Timestamp(broker.clock.now)) { transaction in
            var user = User(
                key: transaction.nextKey(), localID: "everything", email: "all@example.com",
                emailCanonical: "all@example.com", isEmailVerified: true, emailAssertedBy: "github.com",
                emailAssertedAt: Timestamp(milliseconds: 1_700_000_000_001), displayName: "Zoë \"Z\" \\ 名",
                photoURL: "https://example.com/z.png", screenName: "zoe", isDisabled: true,
                customAttributes: #"{"role":"a\"b","n":1.50}"#, isCustomAuth: true, initialEmail: "first@example.com",
                createdAt: Timestamp(milliseconds: 1_600_000_000_123))
            user.lastLoginAt = Timestamp(milliseconds: 1_700_000_000_614)
            user.lastRefreshAt = Timestamp(milliseconds: 1_700_000_000_999)
            user.validSince = 1_650_000_000
            #expect(try transaction.insert(user))
            let identity = Identity(
                key: transaction.nextKey(), userKey: user.key,
                identity: IdentityKey(provider: "github.com", issuer: instance, subject: "4711"),
                email: "z@example.com", isEmailVerified: true, displayName: "Z", photoURL: "https://example.com/g.png",
                screenName: "z", profile: #"{"login":"z","id":4711}"#,
                linkedAt: Timestamp(milliseconds: 1_600_000_000_200),
                lastSignInAt: Timestamp(milliseconds: 1_700_000_000_300), wasAnonymous: true)
            #expect(try transaction.insert(identity))
            let alias = IdentityKey(provider: "github.com", issuer: instance, subject: "4712")
            #expect(try transaction.addAlias(alias, to: identity.key, at: transaction.now))
            #expect(try transaction.setMailDisabled(true, ofIdentity: identity.key, since: transaction.now))
            try transaction.markConsentRevoked(
                ofIdentity: identity.key, at: Timestamp(milliseconds: 1_700_000_000_400))
            #expect(try transaction.addUserAlias("merged-away", of: user.key, at: transaction.now))
            let bare = User(key: transaction.nextKey(), localID: "bare", createdAt: Timestamp(milliseconds: 5))
            #expect(try transaction.insert(bare))
        }
        _ = try ben.string("localId")
    }

    @Test func `an export that is imported again exports the same`() async throws {
        try await TestBroker.run { broker in
            try await Self.populate(broker)
            let call = Self.call(broker)
            let exported = try await ExportUserPage(after: nil, limit: 1000).run(for: call).users
            for user in exported {
                try await broker.core.accounts.deleteAccount(
                    localID: try #require(user["localId"]?.string), origin: call.origin)
            }
            #expect(try await ExportUserPage(after: nil, limit: 10).run(for: call).users.isEmpty)

            let answer = try await ImportUserPage(users: exported).run(for: call)
            let again = try await ExportUserPage(after: nil, limit: 1000).run(for: call).users

            #expect(Self.outcomes(answer) == ["created", "created", "created", "created"])
            #expect(answer.results.allSatisfy { $0.dropped == nil })
            #expect(exported == again)
            #expect(exported.contains { $0["broker"]?["aliases"] == ["merged-away"] })
            // The second subject of the identity still leads to the user.
            let owner = try await broker.core.store.read { transaction in
                let instance = try #require(broker.core.providers.current.provider("github.com")).instance
                return try transaction.user(
                    owning: IdentityKey(provider: "github.com", issuer: instance, subject: "4712"))
            }
            #expect(owner?.localID == "everything")
        }
    }

    @Test func `a repeated import changes nothing, also of users who have signed in since`() async throws {
        try await TestBroker.run { broker in
            let call = Self.call(broker)
            let subject = String(try broker.person("ada").id)
            let users: [JSONObject] = [
                [
                    "localId": "ada", "createdAt": "1600000000000",
                    "providerUserInfo": [["providerId": "github.com", "rawId": .string(subject)]],
                ], ["localId": "password", "createdAt": "1600000000001", "email": "p@example.com"],
                ["localId": "unknown-age", "email": "u@example.com"],
            ]

            let first = try await ImportUserPage(users: users).run(for: call)
            _ = try await broker.signIn(broker.person("ada"))
            let before = try await ExportUserPage(after: nil, limit: 10).run(for: call).users
            broker.clock.advance(seconds: 10)
            let second = try await ImportUserPage(users: users).run(for: call)

            #expect(Self.outcomes(first) == ["created", "created", "created"])
            #expect(Self.outcomes(second) == ["unchanged", "unchanged", "unchanged"])
            #expect(try await ExportUserPage(after: nil, limit: 10).run(for: call).users == before)
        }
    }

    @Test func `another user with the id, the address or the identity is named as the conflict`() async throws {
        try await TestBroker.run { broker in
            try await Self.populate(broker)
            let call = Self.call(broker)
            let entry: JSONObject = ["providerId": "github.com", "rawId": "4711"]
            let alias: JSONObject = ["providerId": "github.com", "rawId": "4712"]
            let foreign: JSONObject = [
                "providerId": "github.com", "rawId": "9", "broker": ["issuer": "https://evil.example"],
            ]

            let answer = try await ImportUserPage(users: [
                ["localId": "bare", "createdAt": "6"], ["localId": "merged-away"],
                ["localId": "x1", "email": "ALL@example.com"],
                ["localId": "x2", "providerUserInfo": [.object(entry)]],
                ["localId": "x3", "providerUserInfo": [.object(alias)]],
                ["localId": "x4", "providerUserInfo": [.object(foreign)]],
                ["localId": "x5", "providerUserInfo": [.object(entry), .object(alias)]],
                ["localId": "x6", "broker": ["aliases": ["merged-away"]]],
                ["localId": "x7", "createdAt": "soon"],
            ]).run(for: call)

            #expect(
                Self.outcomes(answer) == [
                    "DUPLICATE_LOCAL_ID", "DUPLICATE_LOCAL_ID", "EMAIL_EXISTS", "IDENTITY_EXISTS", "IDENTITY_EXISTS",
                    "FOREIGN_ISSUER", "TWO_IDENTITIES", "DUPLICATE_ALIAS", "INVALID_FIELD",
                ])
            #expect(answer.results[2...4].allSatisfy { $0.conflictsWith == "everything" })
            #expect(answer.providers == ["github.com"])
            #expect(try await ExportUserPage(after: nil, limit: 10).run(for: call).users.count == 4)
        }
    }

    @Test func `an alias that is the user's own id refuses the user, and the page goes on`() async throws {
        try await TestBroker.run { broker in
            let call = Self.call(broker)
            let claims = JSONValue.object(["big": .string(String(repeating: "x", count: 1 << 20))]).serialized()

            let answer = try await ImportUserPage(users: [
                ["localId": "before"], ["localId": "self", "broker": ["aliases": ["other", "self"]]],
                ["localId": "claims", "customAttributes": #"{"sub":"someone"}"#],
                ["localId": "large", "customAttributes": .string(claims)], ["localId": "after"],
            ]).run(for: call)
            let again = try await ImportUserPage(
                users: [["localId": "before", "broker": ["aliases": ["before"]]]], replaceExisting: true
            ).run(for: call)

            #expect(
                Self.outcomes(answer) == ["created", "INVALID_FIELD", "FORBIDDEN_CLAIM", "CLAIMS_TOO_LARGE", "created"])
            #expect(answer.results[1].message?.contains("own localId") == true)
            #expect(Self.outcomes(again) == ["INVALID_FIELD"])
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `one bad record never fails its page`(seed: UInt64) async throws {
        var random = RandomRecords(seed: seed)
        let pages = (0..<12).map { _ in (0..<25).map { _ in random.record() } }
        let replaces = (0..<12).map { _ in random.isReplacing() }
        try await TestBroker.run { broker in
            try await Self.populate(broker)
            let call = Self.call(broker)
            for (number, page) in pages.enumerated() {
                let good = "good-\(number)"
                let users = page.prefix(12) + [["localId": .string(good)]] + page.dropFirst(12)

                let answer = try await ImportUserPage(users: Array(users), replaceExisting: replaces[number])
                    .run(for: call)

                #expect(answer.results.count == users.count)
                #expect(answer.results[12].outcome == .created, "seed \(seed), page \(number)")
            }
            // What was imported can be read and written.
            let exported = try await ExportUserPage(after: nil, limit: 1000).run(for: call).users
            #expect(exported.count >= 16)
            let report = try await broker.core.store.examine()
            #expect(report.violations == [], "\(report.violations)")
        }
    }

    @Test func `a dry run tells the outcomes and writes nothing`() async throws {
        try await TestBroker.run { broker in
            try await Self.populate(broker)
            let call = Self.call(broker)
            let before = try await ExportUserPage(after: nil, limit: 10).run(for: call).users

            let answer = try await ImportUserPage(
                users: [["localId": "new"], ["localId": "bare"], ["localId": "x", "email": "all@example.com"]],
                dryRun: true
            ).run(for: call)
            let replacing = try await ImportUserPage(
                users: [["localId": "bare"]], replaceExisting: true, dryRun: true
            ).run(for: call)

            #expect(Self.outcomes(answer) == ["created", "unchanged", "EMAIL_EXISTS"])
            #expect(Self.outcomes(replacing) == ["replaced"])
            #expect(try await ExportUserPage(after: nil, limit: 10).run(for: call).users == before)
        }
    }

    @Test func `fields that are not imported are named`() async throws {
        try await TestBroker.run { broker in
            let answer = try await ImportUserPage(users: [
                [
                    "localId": "a", "phoneNumber": "+49", "passwordHash": "x", "photoUrl": "http://example.com/a.png",
                    "mfaInfo": [[:]], "tenantId": .null,
                    "providerUserInfo": [
                        ["providerId": "github.com", "rawId": "1", "phoneNumber": "+49"],
                        ["providerId": "phone", "rawId": "+49"],
                    ],
                ]
            ]).run(for: Self.call(broker))

            #expect(Self.outcomes(answer) == ["created"])
            #expect(
                Set(answer.results[0].dropped ?? []) == [
                    "phoneNumber", "passwordHash", "mfaInfo", "providerUserInfo.phoneNumber", "providerUserInfo.phone",
                ])
        }
    }
}
