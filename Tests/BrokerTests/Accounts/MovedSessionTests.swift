import Broker
import BrokerStore
import Foundation
import JOSE
import OAuth
import ProviderKit
import Testing

@Suite("Sessions after a merge")
struct MovedSessionTests {
    private static let admin = Origin(.admin, actor: "root")

    /// Lets the provider report that two accounts are one, and an administrator approve it.
    private static func merge(
        _ absorbed: String, into survivor: String, proven: Bool = true, _ broker: TestBroker
    ) async throws {
        _ = try await broker.signIn(
            .init(absorbed, survivor: survivor, absorbed: [absorbed], proven: proven ? [absorbed] : []))
        let id = try #require(try await broker.merges().first).merge.id
        _ = try await broker.core.accounts.approveMerge(id, origin: admin)
    }

    @Test func `only app sessions that began with the proven account go on as the remaining user's`() async throws {
        try await TestBroker.runWithMerges({ $0.allowsAnonymousSignIn = true }) { broker in
            let anonymous = try await broker.signUp()
            let merged = try await broker.link(.init("7"), to: anonymous)
            let gitHub = try await broker.link(broker.person("ada"), to: merged)
            let goneID = try merged.string("localId")
            let user = try #require(try await broker.user(goneID)?.user)
            let app = try await OAuthApp(at: broker)
            let oauth = try await app.signIn(user)
            let others = try await broker.addSessions(of: user)
            let survivor = try await broker.signIn(.init("9"))
            let survivorID = try survivor.string("localId")

            try await Self.merge("7", into: "9", broker)
            let refreshed = try await broker.refresh(merged.string("refreshToken"))

            #expect(refreshed.status == 200 && refreshed["user_id"]?.string == survivorID, "\(refreshed.text)")
            let (before, after) = (try broker.claims(of: merged), try broker.claims(idToken: refreshed))
            #expect(after["sub"]?.string == survivorID && after["broker"]?["sid"] == before["broker"]?["sid"])
            #expect(after["auth_time"] == before["auth_time"], "the login is that of the account it began with")
            for ended in [anonymous, gitHub] {
                #expect(try await broker.refresh(ended.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
                #expect(try await broker.lookup(ended.string("idToken")).code == "USER_NOT_FOUND")
            }
            #expect(try await app.refresh(oauth.string("refresh_token")).oauthError == "invalid_grant")
            for id in others { #expect(try await broker.core.store.read { try $0.session(id: id) } == nil, "\(id)") }
            #expect(try await broker.lookup(survivor.string("idToken")).status == 200)
            let entry = try await broker.core.store.read { try $0.auditEntries(localID: goneID, limit: 1) }.first
            let detail = try JSONValue(parsing: entry?.detail.text ?? "")
            #expect(detail["sessionsMoved"] == 1 && detail["sessionsEnded"] == 5, "\(detail)")
        }
    }

    @Test func `a merge by an e-mail address or for an unknown reason moves no session`() async throws {
        try await TestBroker.runWithMerges { broker in
            _ = try await broker.signIn(.init("9"))
            let planted = try await broker.signIn(.init("7"))

            try await Self.merge("7", into: "9", proven: false, broker)

            #expect(try await broker.refresh(planted.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
            #expect(try await broker.lookup(planted.string("idToken")).code == "USER_NOT_FOUND")
        }
    }

    @Test func `a session that began while the account was anonymous ends`() async throws {
        try await TestBroker.runWithMerges { broker in
            _ = try await broker.signIn(.init("9"))
            let device = try await broker.signIn(.init("7", isAnonymous: true))
            let unknown = try await broker.signIn(.init("8"))
            let known = [
                try await broker.signIn(.init("7")), try await broker.signIn(.init("8", wasAnonymous: true)),
            ]

            try await Self.merge("7", into: "9", broker)
            try await Self.merge("8", into: "9", broker)

            for session in [device, unknown] {
                #expect(try await broker.refresh(session.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
            }
            for session in known { #expect(try await broker.refresh(session.string("refreshToken")).status == 200) }
        }
    }

    @Test(arguments: [Policy.strict, .firebase])
    func `a session that is not live does not move, and tokens that do not rotate stay the same`(
        policy: Policy
    ) async throws {
        try await TestBroker.runWithMerges({ $0.policy = policy }) { broker in
            _ = try await broker.signIn(.init("9"))
            let idle = try await broker.signIn(.init("7"))
            broker.clock.advance(seconds: 31 * 86_400)
            let signedOut = try await broker.signIn(.init("7"))
            _ = try await broker.post(
                "/v1/broker/sessions:signOut", ["idToken": .string(try signedOut.string("idToken"))])
            let fresh = try await broker.signIn(.init("7"))

            try await Self.merge("7", into: "9", broker)

            let refreshed = try await broker.refresh(fresh.string("refreshToken"))
            #expect(refreshed.status == 200)
            #expect((refreshed["refresh_token"] == fresh["refreshToken"]) == (policy == .firebase))
            #expect(try await broker.refresh(signedOut.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
            // Firebase's tokens do not expire by age.
            let status = try await broker.refresh(idle.string("refreshToken")).status
            #expect((status == 200) == (policy == .firebase))
        }
    }

    @Test func `a moved session is no recent login, and neither is what it begins`() async throws {
        try await TestBroker.runWithMerges { broker in
            _ = try await broker.signIn(.init("9"))
            let moved = try await broker.signIn(.init("7"))
            try await Self.merge("7", into: "9", broker)
            let refreshed = try await broker.refresh(moved.string("refreshToken"))
            let idToken = try refreshed.string("id_token")

            let deletion = try await broker.post("/v1/accounts:delete", ["idToken": .string(idToken)])
            let link = try await broker.link(broker.person("ada"), to: moved)
            let early = try await broker.delete(moved)

            for answer in [deletion, link, early] { #expect(answer.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN") }
            let recent = try await broker.signIn(.init("9"))
            #expect(try await broker.delete(recent).status == 200)
            #expect(try await broker.lookup(moved.string("idToken")).code == "USER_NOT_FOUND")
        }
    }

    @Test func `tokens of a moved session lead to the remaining user, through later merges too`() async throws {
        try await TestBroker.runWithMerges { broker in
            let moved = try await broker.signIn(.init("7"))
            let goneID = try moved.string("localId")
            _ = try await broker.signIn(.init("9"))
            try await Self.merge("7", into: "9", broker)
            let last = try await broker.signIn(.init("1")).string("localId")
            try await Self.merge("9", into: "1", broker)

            let record = try await broker.lookup(moved.string("idToken"))["users"]?.array?.first

            #expect(record?["localId"]?.string == last)
            #expect(record?["broker"]?["localId"]?.string == goneID && record?["broker"]?["mergedInto"]?.string == last)
            #expect(try await broker.core.admin.survivor(of: goneID) == last)
            _ = try await broker.core.accounts.deleteAccount(localID: last, origin: Self.admin)
            #expect(try await broker.core.admin.survivor(of: goneID) == nil)
        }
    }

    @Test func `a custom token for a merged user signs in neither user`() async throws {
        let fixture = try ServiceAccountFixture.trusted.get()
        let account = try fixture.account()
        try await TestBroker.runWithMerges({ $0.serviceAccounts = [account] }) { broker in
            _ = try await broker.signIn(.init("9"))
            let gone = try await broker.signIn(.init("7")).string("localId")
            try await Self.merge("7", into: "9", broker)
            let token = try fixture.token(ServiceAccountFixture.claims(gone, at: broker.clock.now))

            let answer = try await broker.post(
                "/v1/accounts:signInWithCustomToken", ["token": .string(token), "returnSecureToken": true])

            #expect(answer.code == "INVALID_CUSTOM_TOKEN", "\(answer.text)")
            #expect(try await broker.user(gone) == nil)
        }
    }
}

extension TestBroker {
    /// The claims of a refresh's ID token.
    fileprivate func claims(idToken answer: Answer) throws -> JSONValue {
        try CompactJWS(parsing: answer.string("id_token")).verified(
            with: core.sessions.signingKeys.verification, algorithms: Set(SignatureAlgorithm.allCases))
    }

    /// A browser's session and one of a custom token, as their flows insert them.
    fileprivate func addSessions(of user: User) async throws -> [String] {
        let now = Timestamp(clock.now)
        return try await core.store.write(at: now) { transaction in
            try [(Session.Family.web, MergingProvider.id), (.identityToolkit, "custom")].map { family, provider in
                let id = RandomText.alphanumeric(22)
                try transaction.insert(
                    Session(
                        key: transaction.nextKey(), id: id, userKey: user.key, signInProvider: provider,
                        authTime: now.seconds, createdAt: now, epoch: user.epoch, family: family))
                return id
            }
        }
    }
}
