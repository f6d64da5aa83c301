import Broker
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import BrokerStore

@Suite("pending tokens")
struct PendingTokenTests {
    @Test func `a sign-in with a pending token answers with no other one`() async throws {
        try await TestBroker.run { broker in
            let signedIn = try await Self.signIn(broker)

            let again = try await broker.usePending(signedIn.string("pendingToken"))

            #expect(again.status == 200 && again["localId"] == signedIn["localId"], "\(again.text)")
            #expect(again["pendingToken"] == nil)
        }
    }

    @Test func `the session of a pending token has the auth_time of the provider's proof`() async throws {
        try await TestBroker.run { broker in
            let signedIn = try await Self.signIn(broker)
            broker.clock.advance(seconds: 1800)

            let again = try await broker.usePending(signedIn.string("pendingToken"))

            #expect(try broker.claims(of: again)["auth_time"] == broker.claims(of: signedIn)["auth_time"])
            // Half an hour old: no recent login.
            #expect(try await broker.delete(again).code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
    }

    @Test func `a pending token that an older broker stored without auth_time is as old as its row`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let refused = try await broker.signIn(broker.person("ada"), provider: "github.work")
            let stored = try broker.claims(of: holder)["auth_time"]
            _ = try await broker.core.store.write { transaction in
                try transaction.run("forget_login", "UPDATE pending_tokens SET auth_time = NULL")
            }
            broker.clock.advance(seconds: 600)
            try await broker.core.accounts.deleteAccount(localID: holder.string("localId"), origin: Origin(.admin))

            let signedIn = try await broker.usePending(refused.string("pendingToken"))

            #expect(signedIn["isNewUser"] == true, "\(signedIn.text)")
            #expect(try broker.claims(of: signedIn)["auth_time"] == stored)
        }
    }

    @Test func `a sign-in that succeeded stores nothing of its pending token before its use`() async throws {
        try await TestBroker.run { broker in
            let token = try await Self.signIn(broker).string("pendingToken")
            func rows() async throws -> [Int] {
                try await broker.core.store.read { transaction in
                    func key(_ row: inout Row) throws(StoreError) -> Int64 { try row.integer() }
                    return [
                        try transaction.rows("pending", "SELECT key FROM pending_tokens", decode: key).count,
                        try transaction.rows("used", "SELECT key FROM used_id_tokens", decode: key).count,
                    ]
                }
            }
            let before = try await rows()

            let used = try await broker.usePending(token)

            #expect(before == [0, 0] && used.status == 200, "\(used.text)")
            #expect(try await rows() == [0, 1])
            #expect(try await broker.usePending(token).code == "INVALID_PENDING_TOKEN")
        }
    }

    @Test func `of twenty uses of a pending token at once one signs in`() async throws {
        try await TestBroker.run { broker in
            let token = try await Self.signIn(broker).string("pendingToken")

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await broker.usePending(token) } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }

            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.count { $0.code == "INVALID_PENDING_TOKEN" } == 19)
        }
    }

    @Test func `a pending token with any other content or signature is invalid`() async throws {
        try await TestBroker.run { broker in
            let token = try await Self.signIn(broker).string("pendingToken")
            let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            try #require(parts.count == 8)
            let altered = parts.indices.map { index in
                var other = parts
                other[index] = index == 3 ? "x" + other[index].dropFirst() : String(other[index].dropLast()) + "1"
                if other[index] == parts[index] { other[index] += "2" }
                return other.joined(separator: ".")
            }

            for text in altered + [token + ".1", String(token.dropLast()), "pt1_", parts[0] + "." + parts[7]] {
                #expect(try await broker.usePending(text).code == "INVALID_PENDING_TOKEN", "\(text)")
            }
            // Other bits at the end of the signature's last character stand for the same bytes.
            _ = try await broker.usePending(token)
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            for letter in letters {
                let again = try await broker.usePending(String(token.dropLast()) + String(letter))
                #expect(again.code == "INVALID_PENDING_TOKEN")
            }
        }
    }

    @Test func `a pending token writes nothing over what a later sign-in has brought`() async throws {
        try await TestBroker.run { broker in
            let token = try await Self.signIn(broker).string("pendingToken")
            _ = broker.simulator.update(personID: try broker.person("ada").id) { $0.name = "Ada of later" }
            _ = try await broker.signIn(broker.person("ada"))

            let again = try await broker.usePending(token)

            #expect(again["displayName"] == "Ada of later", "\(again.text)")
            let info = try await broker.record(again)["providerUserInfo"]?.array?.first
            #expect(info?["displayName"] == "Ada of later")
        }
    }

    @Test func `a pending token linked from an anonymous session keeps the auth_time of its proof`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let refused = try await broker.signIn(broker.person("ada"), provider: "github.work")
            let proven = Int64(broker.clock.now.timeIntervalSince1970)
            broker.clock.advance(seconds: 1200)
            let holder = try await broker.signIn(broker.person("ada")).string("localId")
            try await broker.core.accounts.deleteAccount(localID: holder, origin: Origin(.admin))
            let anonymous = try await broker.signUp()

            let linked = try await broker.usePending(
                refused.string("pendingToken"), idToken: anonymous.string("idToken"))

            #expect(linked["localId"] == anonymous["localId"], "\(linked.text)")
            #expect(try broker.claims(of: linked)["auth_time"]?.integer == proven)
        }
    }

    @Test func `refusals do not extend the hour that runs from the provider's proof`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let token = try await broker.signIn(broker.person("ada"), provider: "github.work").string("pendingToken")
            broker.clock.advance(seconds: 3000)
            let refused = try await broker.usePending(token)
            broker.clock.advance(seconds: 599)
            let refusedLater = try await broker.usePending(token)
            broker.clock.advance(seconds: 1)

            let late = try await broker.usePending(token, idToken: holder.string("idToken"))

            #expect(refused["needConfirmation"] == true && refused["pendingToken"]?.string == token)
            #expect(refusedLater["needConfirmation"] == true)
            #expect(late.code == "INVALID_PENDING_TOKEN")
        }
    }

    /// The events after which a pending token of a session is invalid.
    enum End: String, CaseIterable, Sendable {
        case signOut, signOutAll, revokeSession, revokeAllSessions, validSince, refreshTokenReuse
        case unlink, unlinkByAdministrator, unlinkAndLinkAgain, delete, deleteByAdministrator
    }

    @Test(arguments: End.allCases)
    func `a pending token of a sign-in ends with what the sign-in gave`(end: End) async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let session = try await Self.signIn(broker)
            let token = try session.string("pendingToken")
            try await Self.carryOut(end, on: session, at: broker)

            let signedIn = try await broker.usePending(token)
            let attacker = try await broker.signUp()
            let linked = try await broker.usePending(token, idToken: attacker.string("idToken"))

            #expect(signedIn.code == "INVALID_PENDING_TOKEN", "\(signedIn.text)")
            #expect(linked.code == "INVALID_PENDING_TOKEN", "\(linked.text)")
            #expect(try await broker.record(attacker)["providerUserInfo"] == nil)
        }
    }

    @Test func `a pending token of a sign-in counts for that user only, and is not consumed by others`() async throws {
        try await TestBroker.run { broker in
            let session = try await Self.signIn(broker)
            let stranger = try await broker.signUp()
            let token = try session.string("pendingToken")

            let linked = try await broker.usePending(token, idToken: stranger.string("idToken"))
            let signedIn = try await broker.usePending(token)

            #expect(linked.code == "INVALID_PENDING_TOKEN")
            #expect(signedIn["localId"] == session["localId"])
        }
    }

    @Test func `a pending token of needConfirmation outlives the holder's sign-out everywhere`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let refused = try await broker.signIn(broker.person("ada"), provider: "github.work")
            _ = try await broker.core.sessions.revokeSessions(of: holder.string("localId"), origin: Origin(.admin))
            let again = try await broker.signIn(broker.person("ada"))

            let linked = try await broker.usePending(refused.string("pendingToken"), idToken: again.string("idToken"))

            #expect(linked.status == 200 && linked["localId"] == holder["localId"], "\(linked.text)")
        }
    }

    @Test func `an exchanged credential signs in once, as of its proof, and is bound to no user before`() async throws {
        try await TestProviders.run { broker, providers in
            providers.allow(AppSignIn.page)
            _ = try providers.person(at: "github.com", email: "ann@example.com")
            let signIn = try await AppSignIn.begin(broker, "github.com", as: "ann@example.com")
            let exchanged = try await signIn.finish(by: "/v1/broker/credentials:exchange")
            let proven = Int64(broker.clock.now.timeIntervalSince1970)
            broker.clock.advance(seconds: 900)

            let signedIn = try await broker.usePending(exchanged.string("pendingToken"))

            #expect(signedIn["isNewUser"] == true && signedIn["pendingToken"] == nil, "\(signedIn.text)")
            #expect(try broker.claims(of: signedIn)["auth_time"]?.integer == proven)
        }
    }

    /// A sign-in with a single-use credential.
    private static func signIn(_ broker: TestBroker) async throws -> Answer {
        let answer = try await broker.signInWithCode(broker.person("ada"), verifier: RandomText.alphanumeric(64))
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    private static func carryOut(_ end: End, on session: Answer, at broker: TestBroker) async throws {
        let (core, localID) = (broker.core, try session.string("localId"))
        let idToken = try #require(session["idToken"])
        switch end {
        case .signOut: _ = try await broker.post("/v1/broker/sessions:signOut", ["idToken": idToken])
        case .signOutAll: _ = try await broker.post("/v1/broker/sessions:signOutAll", ["idToken": idToken])
        case .revokeSession:
            let id = try #require(try broker.claims(of: session).sessionID)
            #expect(try await core.sessions.revokeSession(id, origin: Origin(.admin)))
        case .revokeAllSessions: _ = try await core.sessions.revokeSessions(of: localID, origin: Origin(.admin))
        case .validSince: #expect(try await broker.update(session, ["validSince": "1"]).status == 200)
        case .refreshTokenReuse:
            let first = try await broker.refresh(session.string("refreshToken"))
            _ = try await broker.refresh(first.string("refresh_token"))
            #expect(try await broker.refresh(session.string("refreshToken")).code == "TOKEN_EXPIRED")
        case .unlink, .unlinkAndLinkAgain:
            // Two identities, since strict keeps the last one.
            _ = try await broker.link(broker.person("ben"), to: session, provider: "github.work")
            #expect(try await broker.update(session, ["deleteProvider": ["github.com"]]).status == 200)
            guard end == .unlinkAndLinkAgain else { return }
            #expect(try await broker.link(broker.person("ada"), to: session).status == 200)
        case .unlinkByAdministrator:
            _ = try await core.accounts.unlink(
                provider: "github.com", from: localID, leavesNoWayIn: true, origin: Origin(.admin))
        case .delete: #expect(try await broker.delete(session).status == 200)
        case .deleteByAdministrator: try await core.accounts.deleteAccount(localID: localID, origin: Origin(.admin))
        }
    }
}

extension JSONValue {
    /// The session an ID token names, by either place where it may stand.
    fileprivate var sessionID: String? { self["sid"]?.string ?? self["broker"]?["sid"]?.string }
}
