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
        try await TestBroker.run { broker in
            let signedIn = try await Self.signIn(broker)
            try await broker.core.store.write { transaction in
                try transaction.run("forget_login", "UPDATE pending_tokens SET auth_time = NULL")
            }
            broker.clock.advance(seconds: 600)

            let again = try await broker.usePending(signedIn.string("pendingToken"))

            #expect(try broker.claims(of: again)["auth_time"] == broker.claims(of: signedIn)["auth_time"])
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
