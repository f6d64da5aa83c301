import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("what administrators do to users")
struct AdministrationTests {
    private static let admin = Origin(.admin, actor: "root")

    @Test func `a disabled user is refused everywhere at once, and goes on with the same session when enabled`()
        async throws
    {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            let session = try await broker.signIn(person)
            let localID = try session.string("localId")

            let disabled = try await broker.core.accounts.disableUser(localID: localID, origin: Self.admin)

            #expect(disabled.user.isDisabled)
            #expect(try await broker.lookup(session.string("idToken")).code == "USER_DISABLED")
            #expect(try await broker.refresh(session.string("refreshToken")).code == "USER_DISABLED")
            #expect(try await broker.signIn(person).code == "USER_DISABLED")
            _ = try await broker.core.accounts.disableUser(false, localID: localID, origin: Self.admin)
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            #expect(try await broker.refresh(session.string("refreshToken")).status == 200)
        }
    }

    @Test func `disabling twice records one change, with the name of the administrator`() async throws {
        try await TestBroker.run { broker in
            let localID = try await broker.signUp().string("localId")

            for _ in 1...2 { _ = try await broker.core.accounts.disableUser(localID: localID, origin: Self.admin) }

            let entries = try await broker.core.store.read { try $0.auditEntries(localID: localID, limit: 10) }
            #expect(entries.map(\.event) == ["user.disabled", "user.created"])
            #expect(entries.first?.actorKind == .admin && entries.first?.actor == "root")
        }
    }

    @Test func `a revoked session ends at once and no other does`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            let mine = try await broker.signIn(person)
            let other = try await broker.signIn(person)
            let localID = try mine.string("localId")
            let sessions = try await broker.core.store.read { transaction in
                try transaction.user(localID: localID).map { try transaction.sessions(of: $0.key) } ?? []
            }
            let id = try #require(sessions.first).id

            #expect(try await broker.core.sessions.revokeSession(id, origin: Self.admin))

            #expect(try await broker.lookup(mine.string("idToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.refresh(mine.string("refreshToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.lookup(other.string("idToken")).status == 200)
            #expect(try await !broker.core.sessions.revokeSession(id, origin: Self.admin), "it has ended already")
            #expect(try await broker.auditEvents(of: mine.string("localId")).first == "session.revoked")
        }
    }

    @Test func `revoking all of a user ends every token of that second, and a new sign-in lives`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            let sessions = [try await broker.signIn(person), try await broker.signIn(person)]
            let stranger = try await broker.signIn(try broker.person("ben"))
            let localID = try sessions[0].string("localId")

            let count = try await broker.core.sessions.revokeSessions(of: localID, origin: Self.admin)
            let again = try await broker.signIn(person)

            #expect(count == 2)
            for session in sessions {
                #expect(try await broker.lookup(session.string("idToken")).code == "TOKEN_EXPIRED")
                #expect(try await broker.refresh(session.string("refreshToken")).code == "TOKEN_EXPIRED")
            }
            let record = try await broker.lookup(again.string("idToken"))
            #expect(record["users"]?.array?.first?["validSince"]?.string == "1800000000")
            #expect(try await broker.lookup(stranger.string("idToken")).status == 200)
        }
    }

    @Test func `a deleted user is gone with identities and sessions, the record of it stays`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            let session = try await broker.signIn(person)
            let localID = try session.string("localId")

            try await broker.core.accounts.deleteAccount(localID: localID, origin: Self.admin)

            #expect(try await broker.lookup(session.string("idToken")).code == "USER_NOT_FOUND")
            #expect(try await broker.refresh(session.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
            #expect(
                try await broker.auditEvents(of: localID) == ["user.deleted", "withdrawal.queued", "user.created"])
            await #expect(throws: BrokerError.userNotFound) {
                try await broker.core.accounts.deleteAccount(localID: localID, origin: Self.admin)
            }
            let again = try await broker.signIn(person)
            #expect(again["isNewUser"] == true && again["localId"] != session["localId"])
        }
    }

    @Test(arguments: [(Policy.strict, false, false), (.strict, true, true), (.firebase, false, true)])
    func `the last way to sign in goes only by force, or under the firebase policy`(
        policy: Policy, force: Bool, goes: Bool
    ) async throws {
        try await TestBroker.run {
            $0.policy = policy
        } _: { broker in
            let localID = try await broker.signIn(try broker.person("ada")).string("localId")

            do {
                let outcome = try await broker.core.accounts.unlink(
                    provider: "github.com", from: localID, leavesNoWayIn: force, origin: Self.admin)
                #expect(goes && outcome.isUnlinked && outcome.record.identities.isEmpty)
            } catch BrokerError.lastSignInMethod {
                #expect(!goes)
            }
            #expect(try await broker.auditEvents(of: localID).contains("identity.unlinked") == goes)
        }
    }

    @Test func `a credential proves its own user and no other, and only the audit records it`() async throws {
        try await TestBroker.run { broker in
            let ada = try await broker.signIn(try broker.person("ada")).string("localId")
            let ben = try await broker.signIn(try broker.person("ben")).string("localId")
            func prove(_ login: String, as localID: String) async throws -> ReauthenticationFinding {
                let token = broker.simulator.accessToken(
                    for: try broker.person(login), application: broker.simulator.defaultApplication)
                let credential = try await broker.core.accounts.verify(
                    Credential(.accessToken(token)), from: "github.com")
                return try await broker.core.accounts.reauthenticate(credential, as: localID, origin: Self.admin)
            }

            let own = try await prove("ada", as: ada)
            let others = try await prove("ben", as: ada)
            let nobodys = try await prove("cleo", as: ada)

            #expect(own.matches && own.owner?.user.localID == ada)
            #expect(!others.matches && others.owner?.user.localID == ben)
            #expect(!nobodys.matches && nobodys.owner == nil)
            #expect(
                try await broker.auditEvents(of: ada) == [
                    "user.reauthentication-failed", "user.reauthentication-failed", "user.reauthenticated",
                    "user.created",
                ])
            #expect(try await broker.auditEvents(of: ben) == ["user.created"])
            let users = try await broker.core.store.read { try $0.users(after: nil, limit: 10) }
            #expect(users.count == 2)
        }
    }
}
