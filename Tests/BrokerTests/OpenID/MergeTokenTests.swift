import Broker
import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import OAuth
import ProviderKit
import Testing

@Suite("Sessions of OAuth clients after a merge")
struct MergeTokenTests {
    private static let admin = Origin(.admin, actor: "root")
    private static let scope = "openid offline_access account"

    /// A client's session that began with an account which is absorbed, and the user who remains.
    private struct Scene {
        let broker: TestBroker
        let app: OAuthApp
        let tokens: Answer
        let absorbed, survivor: String

        init(_ broker: TestBroker, isFirstParty: Bool = true, proven: Bool = true, merges: Bool = true) async throws {
            self.broker = broker
            app = try await OAuthApp(at: broker, isFirstParty: isFirstParty)
            survivor = try await broker.signIn(.init("9")).string("localId")
            absorbed = try await broker.signIn(.init("7")).string("localId")
            let user = try #require(try await broker.user(absorbed))
            let parent = try await broker.webSession(of: user)
            tokens = try await app.token(
                try await app.ticket(for: user.user, scope: MergeTokenTests.scope, parentID: parent))
            #expect(tokens.status == 200, "\(tokens.text)")
            if merges { try await merge("7", into: "9", proven: proven) }
        }

        func merge(_ absorbed: String, into survivor: String, proven: Bool = true) async throws {
            _ = try await broker.signIn(
                .init(absorbed, survivor: survivor, absorbed: [absorbed], proven: proven ? [absorbed] : []))
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(id, origin: MergeTokenTests.admin)
        }

        func refresh(_ token: String? = nil, accepting: Bool = true) async throws -> Answer {
            var form = [
                ("grant_type", "refresh_token"), ("refresh_token", try token ?? tokens.string("refresh_token")),
            ]
            if accepting { form.append(("accept_merge", "true")) }
            return try await app.post("/oauth/token", form)
        }

        func mergeToken() async throws -> String {
            let refused = try await refresh()
            #expect(refused.status == 400 && refused.oauthError == "invalid_grant", "\(refused.text)")
            return try refused.string("merge_token")
        }

        func redeem(_ token: String, by client: OAuthApp? = nil) async throws -> Answer {
            try await (client ?? app).post(
                "/oauth/token", [("grant_type", "urn:broker:oauth:grant-type:merge"), ("merge_token", token)])
        }

        func claims(_ answer: Answer) async throws -> JSONValue {
            try await broker.openIDClaims(answer.string("id_token"), type: "JWT")
        }
    }

    private static func run(
        isFirstParty: Bool = true, proven: Bool = true, merges: Bool = true,
        _ change: (inout Configuration) -> Void = { _ in }, _ body: (Scene) async throws -> Void
    ) async throws {
        try await TestBroker.runWithMerges(change) { broker in
            try await body(try await Scene(broker, isFirstParty: isFirstParty, proven: proven, merges: merges))
        }
    }

    @Test func `a first-party client that accepts merges goes on as the remaining user's, without a login`()
        async throws
    {
        try await Self.run { scene in
            let before = try await scene.claims(scene.tokens)
            let silent = try await scene.refresh(accepting: false)

            let resumed = try await scene.redeem(try await scene.mergeToken())
            let next = try await scene.refresh(resumed.string("refresh_token"), accepting: false)

            #expect(silent.oauthError == "invalid_grant" && silent["merge_token"] == nil, "\(silent.text)")
            for answer in [resumed, next] {
                #expect(answer["broker"] == ["mergedFrom": [.string(scene.absorbed)]], "\(answer.text)")
                let claims = try await scene.claims(answer)
                #expect(claims["sub"]?.string == scene.survivor && claims["sid"] == before["sid"])
                #expect(claims["auth_time"] == before["auth_time"], "the login is that of the absorbed account")
            }
            #expect(try await scene.broker.events(of: scene.survivor).contains("session.resumed"))
        }
    }

    @Test func `until then no token of the session is valid`() async throws {
        try await Self.run { scene in
            let access = try scene.tokens.string("access_token")
            #expect(try await scene.broker.userInfo(access).status == 401)
            let token = try await scene.mergeToken()
            #expect(try await scene.broker.userInfo(access).status == 401)

            let resumed = try await scene.redeem(token)

            #expect(try await scene.broker.userInfo(access).status == 401, "it names another user")
            #expect(try await scene.broker.userInfo(resumed.string("access_token"))["sub"]?.string == scene.survivor)
        }
    }

    @Test func `another client gets invalid_grant and no merge token`() async throws {
        try await Self.run(isFirstParty: false) { scene in
            let refused = try await scene.refresh()

            #expect(refused.oauthError == "invalid_grant" && refused["merge_token"] == nil, "\(refused.text)")
            #expect(try await scene.redeem("mt1_x").oauthError == "unauthorized_client")
        }
    }

    @Test func `a merge that nothing has proven moves no session of a client`() async throws {
        try await Self.run(proven: false) { scene in
            let refused = try await scene.refresh()

            #expect(refused.oauthError == "invalid_grant" && refused["merge_token"] == nil, "\(refused.text)")
        }
    }

    @Test func `a merge token is valid once, for a minute, for its client`() async throws {
        try await Self.run { scene in
            let other = try await OAuthApp(at: scene.broker, isFirstParty: true)
            let (stale, token) = (try await scene.mergeToken(), try await scene.mergeToken())
            let foreign = try await scene.redeem(token, by: other)
            let forged = try await scene.redeem(String(token.dropLast(4)) + "AAAA")
            scene.broker.clock.advance(seconds: 60)
            let late = try await scene.redeem(token)
            let fresh = try await scene.mergeToken()
            let first = try await scene.redeem(fresh)
            let second = try await scene.redeem(fresh)

            for refused in [foreign, forged, late, second, try await scene.redeem(stale)] {
                #expect(refused.status == 400 && refused.oauthError == "invalid_grant", "\(refused.text)")
            }
            #expect(first.status == 200, "\(first.text)")
            #expect(try await scene.refresh(first.string("refresh_token")).status == 200, "a repetition ends nothing")
        }
    }

    @Test func `of concurrent redemptions one succeeds`() async throws {
        try await Self.run { scene in
            let token = try await scene.mergeToken()

            let succeeded = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 1...8 { group.addTask { try await scene.redeem(token).status == 200 } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }

            #expect(succeeded == 1)
        }
    }

    @Test func `a client whose answer was lost refreshes with the token it has, for a minute`() async throws {
        try await Self.run { scene in
            let first = try await scene.redeem(try await scene.mergeToken())
            scene.broker.clock.advance(seconds: 30)
            let again = try await scene.refresh()

            #expect(again.status == 200 && again["refresh_token"] == first["refresh_token"], "\(again.text)")
            #expect(try await scene.claims(again)["sub"]?.string == scene.survivor)
            scene.broker.clock.advance(seconds: 31)
            #expect(try await scene.refresh().oauthError == "invalid_grant")
            #expect(
                try await scene.refresh(first.string("refresh_token")).oauthError == "invalid_grant",
                "two parties hold the session's tokens")
        }
    }

    @Test func `an older refresh token of a waiting session ends it, as of any other`() async throws {
        try await Self.run(merges: false) { scene in
            let parent = try await scene.refresh(accepting: false).string("refresh_token")
            let current = try await scene.refresh(parent, accepting: false).string("refresh_token")
            try await scene.merge("7", into: "9")

            let withinGrace = try await scene.refresh(parent)
            let stolen = try await scene.refresh()

            #expect(withinGrace["merge_token"] != nil, "\(withinGrace.text)")
            #expect(stolen.oauthError == "invalid_grant" && stolen["merge_token"] == nil)
            #expect(try await scene.refresh(current)["merge_token"] == nil)
            let refused = try await scene.redeem(withinGrace.string("merge_token"))
            #expect(refused.oauthError == "invalid_grant")
        }
    }

    /// What an administrator, the user or the client does between merge and redemption.
    enum Obstacle: CaseIterable, Sendable {
        case disabled, signedOutEverywhere, undone, revoked, deleted, noFirstParty, idle
    }

    @Test(arguments: Obstacle.allCases)
    func `a session that may not go on gets no merge token, and one from before is refused`(
        obstacle: Obstacle
    ) async throws {
        try await Self.run { scene in
            let token = try await scene.mergeToken()
            let (broker, accounts) = (scene.broker, scene.broker.core.accounts)
            switch obstacle {
            case .disabled: _ = try await accounts.disableUser(localID: scene.survivor, origin: Self.admin)
            case .signedOutEverywhere:
                let session = try await broker.signIn(.init("9"))
                _ = try await broker.post(
                    "/v1/broker/sessions:signOutAll", ["idToken": .string(try session.string("idToken"))])
            case .undone:
                let merge = try #require(try await accounts.undoableMerges(limit: 1).first)
                _ = try await accounts.undoMerge(merge.id, origin: Self.admin)
            case .revoked:
                _ = try await scene.app.post(
                    "/oauth/revoke", [("token", try scene.tokens.string("refresh_token"))])
            case .deleted: _ = try await accounts.deleteAccount(localID: scene.survivor, origin: Self.admin)
            case .noFirstParty:
                _ = try await broker.core.openID.clients.update(
                    id: scene.app.client.id, ClientChanges(isFirstParty: false), origin: Self.admin)
            case .idle: broker.clock.advance(seconds: 31 * 86_400)
            }

            let refused = try await scene.refresh()
            let redeemed = try await scene.redeem(token)

            #expect(refused.oauthError == "invalid_grant" && refused["merge_token"] == nil, "\(refused.text)")
            let code = obstacle == .noFirstParty ? "unauthorized_client" : "invalid_grant"
            #expect(redeemed.status == 400 && redeemed.oauthError == code, "\(redeemed.text)")
        }
    }

    @Test func `a resumed session is no recent login and meets no step-up rule`() async throws {
        let rule: JSONValue = ["acr": "urn:hub", "providers": ["github.com"], "routes": ["/oauth/userinfo"]]
        let policy = try Policy(reading: ["stepUp": [rule]])
        try await Self.run({ $0.policy.stepUp = policy.stepUp }) { scene in
            let resumed = try await scene.redeem(try await scene.mergeToken())
            let access = try resumed.string("access_token")

            let deletion = try await scene.broker.send(
                .POST, "/v1/broker/me:delete",
                headers: ["Authorization": "Bearer \(access)", "Content-Type": "application/json"],
                body: Array("{}".utf8))

            #expect(deletion.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(deletion.text)")
            #expect(try await scene.broker.userInfo(access).status == 401)
            #expect(try await scene.claims(resumed)["acr"] == nil)
        }
    }

    @Test func `a session that waits moves on with the next merge`() async throws {
        try await Self.run { scene in
            let token = try await scene.mergeToken()
            let last = try await scene.broker.signIn(.init("1")).string("localId")
            try await scene.merge("9", into: "1")

            let outdated = try await scene.redeem(token)
            let resumed = try await scene.redeem(try await scene.mergeToken())

            #expect(outdated.oauthError == "invalid_grant", "it names another user")
            #expect(try await scene.claims(resumed)["sub"]?.string == last)
            let absorbed = resumed["broker"]?["mergedFrom"]?.array?.compactMap(\.string) ?? []
            #expect(absorbed.sorted() == [scene.absorbed, scene.survivor].sorted(), "\(resumed.text)")
        }
    }
}

extension TestBroker {
    /// A browser's session that began with the identity of the provider that merges accounts.
    fileprivate func webSession(of record: UserRecord) async throws -> String {
        let now = Timestamp(clock.now)
        let id = RandomText.alphanumeric(22)
        let identity = record.identities.first { $0.provider == MergingProvider.id }
        try await core.store.write(at: now) { transaction in
            try transaction.insert(
                Session(
                    key: transaction.nextKey(), id: id, userKey: record.user.key, signInProvider: MergingProvider.id,
                    authTime: now.seconds, createdAt: now, epoch: record.user.epoch, family: .web,
                    identityKey: identity?.key))
        }
        return id
    }
}
