import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("The own account", .timeLimit(.minutes(20)))
struct AccountTests {
    private static let record: JSONObject = [
        "kind": "broker#Account", "localId": "user-1", "email": "ada@example.com", "emailVerified": true,
        "displayName": "Ada", "createdAt": "1700000000000", "lastLoginAt": "1700000001000",
        "providerUserInfo": [
            ["providerId": "github.com", "rawId": "7", "screenName": "ada", "rawUserInfo": #"{"login":"ada","id":7}"#]
        ],
    ]

    private static func run(
        _ handler: @escaping @Sendable (StandInBroker.Call, StandInBroker) throws -> StandInBroker.Reply?,
        _ body: (TestApp) async throws -> Void
    ) async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { try handler($0, broker) }
            try await body(app)
        }
    }

    @Test func `the record has its identities with the providers' own profiles`() async throws {
        try await Self.run { call, _ in
            call.path == "/v1/broker/me" ? .json(Self.record) : nil
        } _: { app in
            let account = try await app.auth.account()

            #expect(account.userID == "user-1" && account.email == "ada@example.com" && account.isEmailVerified)
            #expect(account.createdAt == Date(timeIntervalSince1970: 1_700_000_000))
            struct Profile: Decodable { let login: String }
            let profile = try #require(account.identity(at: .gitHub)?.profile)
            #expect(try profile.decode(Profile.self).login == "ada")
            #expect(account.identity(at: .apple) == nil)
            #expect(app.broker.calls.last?.headers["authorization"] == "Bearer access-1")
        }
    }

    @Test func `a refused access token is refreshed once`() async throws {
        try await Self.run { call, _ in
            guard call.path == "/v1/broker/me" else { return nil }
            return call.headers["authorization"] == "Bearer access-1"
                ? .business("UNAUTHENTICATED", status: 401) : .json(Self.record)
        } _: { app in
            let account = try await app.auth.account()

            #expect(account.userID == "user-1")
            #expect(app.broker.refreshes.count == 1)
        }
    }

    @Test func `changes are sent, and an id is one path segment`() async throws {
        try await Self.run { call, _ in
            call.path.hasPrefix("/v1/broker/me") ? .json(Self.record) : nil
        } _: { app in
            try await app.auth.updateAccount(displayName: "Countess", removing: [.photoURL])
            try await app.auth.unlink("../a?b")

            let calls = app.broker.calls.suffix(2)
            #expect(calls.first?.path == "/v1/broker/me:update")
            #expect(calls.first?.json == ["displayName": "Countess", "deleteAttribute": ["PHOTO_URL"]])
            #expect(calls.last?.path.hasPrefix("/v1/broker/me/providers/") ?? false)
            #expect(calls.last?.path.hasSuffix(":unlink") ?? false)
        }
    }

    @Test func `a provider's token comes with its scopes`() async throws {
        try await Self.run { call, _ in
            guard call.path == "/v1/broker/me/providers/github.com:token" else { return nil }
            return .json([
                "accessToken": "gho_1", "scopes": ["repo"], "expiresAt": "2030-01-02T03:04:05Z", "tokenType": "Bearer",
            ])
        } _: { app in
            let token = try await app.auth.providerToken(.gitHub, scopes: ["repo"])

            #expect(token.accessToken == "gho_1" && token.scopes == ["repo"])
            #expect(token.expiresAt == Date(timeIntervalSince1970: 1_893_553_445))
            #expect(app.broker.calls.last?.json == ["scopes": ["repo"]])
        }
    }

    @Test func `sessions come page by page, and the own one is signed out as usual`() async throws {
        try await Self.run { call, _ in
            switch call.path {
            case "/v1/broker/me/sessions":
                .json([
                    "sessions": [
                        ["id": "session-user-1", "family": "oauth", "isCurrent": true, "clientId": "app"],
                        ["id": "other", "family": "web", "signInProvider": "github.com"],
                    ]
                ])
            case "/v1/broker/me/sessions/other:signOut": .json([:])
            default: nil
            }
        } _: { app in
            let sessions = try await app.auth.sessions()
            #expect(sessions.map(\.id) == ["session-user-1", "other"] && sessions.map(\.isCurrent) == [true, false])

            try await app.auth.signOut(sessionID: "other")
            #expect(await app.auth.session != nil)
            try await app.auth.signOut(sessionID: "session-user-1")

            #expect(await app.auth.session == nil)
            #expect(app.broker.calls(of: "/oauth/revoke").count == 1)
        }
    }

    @Test func `providers come with their last use and what the user has granted`() async throws {
        try await Self.run { call, _ in
            guard call.path == "/v1/broker/me/providers" else { return nil }
            return .json([
                "providers": [
                    [
                        "providerId": "github.com", "name": "GitHub", "linkedAt": "2030-01-01T00:00:00Z",
                        "lastSignInAt": "2030-01-02T03:04:05Z", "scopes": ["read:user"], "withdrawal": "queued",
                    ],
                    ["providerId": "apple.com", "name": "Apple", "withdrawal": "nothingStored"],
                ]
            ])
        } _: { app in
            let providers = try await app.auth.connectedProviders()

            #expect(providers.map(\.provider) == [.gitHub, .apple] && providers.map(\.name) == ["GitHub", "Apple"])
            #expect(providers[0].lastSignInAt == Date(timeIntervalSince1970: 1_893_553_445))
            #expect(providers.map(\.scopes) == [["read:user"], nil])
            #expect(providers.map(\.withdrawal) == ["queued", "nothingStored"])
        }
    }

    @Test func `the history comes page by page, up to a limit`() async throws {
        try await Self.run { call, _ in
            guard call.path == "/v1/broker/me/history" else { return nil }
            let isFirst = call.query?.contains("pageToken") != true
            let entry: JSONValue = [
                "time": "2030-01-02T03:04:05Z", "event": "user.updated", "actor": "administrator",
                "fields": ["displayName"],
            ]
            var page: JSONObject = ["kind": "broker#History", "entries": [entry, entry]]
            page["nextPageToken"] = isFirst ? "5" : nil
            return .json(page)
        } _: { app in
            let (all, three) = (try await app.auth.history(), try await app.auth.history(limit: 3))

            #expect(all.count == 4 && three.count == 3)
            #expect(all.first?.actor == "administrator" && all.first?.changedFields == ["displayName"])
            #expect(app.broker.calls.last?.query?.contains("pageSize=1") == true)
        }
    }

    @Test func `the export is the broker's document`() async throws {
        try await Self.run { call, _ in
            guard call.path == "/v1/broker/me:export" else { return nil }
            return .json(["kind": "broker#AccountExport", "user": ["localId": "u"]])
        } _: { app in
            let document = try JSONValue(parsing: [UInt8](try await app.auth.exportAccount()))

            #expect(document["kind"] == "broker#AccountExport" && document["user"]?["localId"] == "u")
        }
    }

    static let refusals: [(message: String, error: BrokerAuthError)] = [
        ("APPLE_CODE_REQUIRED : Send one.", .tokenCreationFailed("APPLE_CODE_REQUIRED")),
        ("APPLE_CODE_EXPIRED", .tokenCreationFailed("APPLE_CODE_EXPIRED")),
        ("INVALID_IDP_RESPONSE : The provider refused.", .tokenCreationFailed("INVALID_IDP_RESPONSE")),
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .recentLoginRequired),
        ("ADMIN_ONLY_OPERATION", .adminOnlyOperation),
        ("TOO_MANY_ATTEMPTS_TRY_LATER", .network(NetworkFailure(.unavailable(status: 429)))),
    ]

    @Test(arguments: refusals.indices)
    func `a deletion that the broker refuses keeps the session`(index: Int) async throws {
        let (message, error) = Self.refusals[index]
        try await Self.run { call, _ in
            call.path == "/v1/broker/me:delete" ? .business(message) : nil
        } _: { app in
            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.deleteAccount(appleAuthorizationCode: "code")
            }

            #expect(thrown == error)
            #expect(await app.auth.session != nil && app.storage.items.count == 1)
            #expect(app.broker.calls.last?.json == ["authorizationCode": "code", "providerId": "apple.com"])
        }
    }

    @Test(arguments: ["queued", "failed", "nothingStored"])
    func `a deletion removes the session, and a withdrawal that failed is reported`(state: String) async throws {
        try await Self.run { call, _ in
            guard call.path == "/v1/broker/me:delete" else { return nil }
            return .json(["broker": ["withdrawals": [["providerId": "apple.com", "state": .string(state)]]]])
        } _: { app in
            var events = app.auth.events.makeAsyncIterator()
            let result = await Result { () async throws(BrokerAuthError) in try await app.auth.deleteAccount() }

            let receipts = [Withdrawal(provider: .apple, state: state, receipt: nil)]
            #expect(result == (state == "queued" ? .success(receipts) : .failure(.withdrawalFailed(receipts))))
            #expect(await app.auth.session == nil && app.storage.items.isEmpty)
            #expect(await events.next() == .signedOut(.accountDeleted))
        }
    }

    @Test(arguments: [true, false])
    func `a user who was merged away meanwhile is not deleted`(isExpired: Bool) async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            if isExpired { app.clock.advance(by: 4000) }
            broker.answer { call in
                if call.path == "/v1/broker/me:delete" { return .business("UNAUTHENTICATED", status: 401) }
                guard call.path == "/oauth/token" else { return nil }
                var tokens = try broker.tokens(of: "survivor", at: app.clock.now)
                tokens["broker"] = ["mergedFrom": ["user-1"]]
                return .json(tokens)
            }

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.deleteAccount() }

            #expect(thrown == .accountMerged(into: "survivor"))
            #expect(broker.calls(of: "/v1/broker/me:delete").count == (isExpired ? 0 : 1))
        }
    }
}
