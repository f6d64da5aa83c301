import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("probing grants")
struct GrantProbeTests {
    private static let hour: TimeInterval = 3600
    private static let day: TimeInterval = 86_400

    /// Users of Apple with a session and a stored grant each.
    private struct Users {
        let people: [AppleSimulator.Person]
        let rows: [User]
        let sessions: [Session]
    }

    private static func addUsers(_ count: Int, _ broker: TestBroker, _ providers: TestProviders) async throws -> Users {
        let apple = providers.apple
        let people = (0..<count).map { _ in apple.add(AppleSimulator.Person(givenName: "Ada")) }
        let vault = broker.core.stored.vault
        let begun = Timestamp(broker.clock.now)
        let known = people.map { person in
            (
                apple.subject(of: person, for: apple.nativeApplication),
                apple.refreshToken(for: person, application: apple.nativeApplication)
            )
        }
        let issuer = "\(apple.url)/\(apple.teamID)"
        let made = try await broker.core.store.write(at: begun) { [clientID = apple.nativeApplication.clientID] tx in
            try known.map { subject, token in
                let user = User(key: tx.nextKey(), localID: RandomText.alphanumeric(28), createdAt: begun)
                let identity = Identity(
                    key: tx.nextKey(), userKey: user.key,
                    identity: IdentityKey(provider: "apple.com", issuer: issuer, subject: subject), profile: "{}",
                    linkedAt: begun, lastSignInAt: begun)
                let session = Session(
                    key: tx.nextKey(), id: RandomText.alphanumeric(22), userKey: user.key, signInProvider: "apple.com",
                    authTime: begun.seconds, createdAt: begun, epoch: 0)
                guard try tx.insert(user), try tx.insert(identity) else { throw TestFailure("taken") }
                try tx.insert(session)
                _ = try vault.keep(
                    UpstreamGrant(clientID: clientID, accessToken: "a", refreshToken: token), of: identity,
                    key: tx.nextKey(), at: begun, in: tx)
                return (user, session)
            }
        }
        return Users(people: people, rows: made.map(\.0), sessions: made.map(\.1))
    }

    /// Which of the sessions are not revoked.
    private static func live(_ users: Users, _ broker: TestBroker) async throws -> [Bool] {
        try await broker.core.store.read { tx in try users.sessions.map { try tx.session(id: $0.id)?.revokedAt == nil }
        }
    }

    @discardableResult
    private static func turn(_ broker: TestBroker) async throws -> GrantProbes.Done {
        let probes = try #require(broker.core.outbox.grantProbes)
        return try #require(try await probes.turn())
    }

    @Test func `a user who withdrew loses the sessions of Apple an hour later, and no other`() async throws {
        try await TestProviders.run { broker, providers in
            let (apple, person) = (providers.apple, providers.apple.people()[0])
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            let linked = try providers.person(at: "gitlab.com", email: "x@example.com")
            #expect(try await broker.signIn(linked, linkingTo: session).status == 200)
            let stays = try await broker.signIn(postBody: providers.nativeCredential(of: apple.people()[1]))
            providers.advance(Self.day, with: broker)
            let other = try await broker.signIn(linked)
            apple.revokeGrant(of: person, application: apple.nativeApplication)

            let first = try await Self.turn(broker)
            let remains = try await broker.refresh(session.string("refreshToken"))
            providers.advance(Self.hour, with: broker)
            let second = try await Self.turn(broker)

            #expect(first == GrantProbes.Done(probes: 2, withdrawals: 0) && remains.status == 200)
            #expect(second == GrantProbes.Done(probes: 0, withdrawals: 1))
            #expect(try await broker.refresh(remains.string("refresh_token")).code == "TOKEN_EXPIRED")
            #expect(other["localId"] == session["localId"])
            #expect(try await broker.refresh(other.string("refreshToken")).status == 200)
            #expect(try await broker.refresh(stays.string("refreshToken")).status == 200)
            let events = try await broker.events(of: session.string("localId"))
            #expect(events.prefix(2) == ["session.revoked-by-provider", "grant.refused"])
            let grant = try #require(
                try await broker.storedGrants(ofUser: session.string("localId")).first {
                    $0.provider == "apple.com"
                })
            #expect(grant.refusal?.reason == .revoked)
        }
    }

    @Test func `a refusal met by a backend's token read ends the sessions of Apple an hour later`() async throws {
        try await TestProviders.run { broker, providers in
            let (apple, person) = (providers.apple, providers.apple.people()[0])
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            let (backend, localID) = (try await TokenBackend(of: broker), try session.string("localId"))
            providers.advance(2 * Self.hour, with: broker)
            apple.revokeGrant(of: person, application: apple.nativeApplication)

            #expect(try await backend.read(localID, "apple.com", at: broker).code == "REVOKED")
            let asked = apple.requests(.token).count
            #expect(try await backend.read(localID, "apple.com", at: broker).code == "REVOKED")
            #expect(apple.requests(.token).count == asked)
            let remains = try await broker.refresh(session.string("refreshToken"))
            #expect(remains.status == 200)

            providers.advance(Self.hour, with: broker)
            #expect(try await Self.turn(broker) == GrantProbes.Done(probes: 0, withdrawals: 1))
            #expect(try await broker.refresh(remains.string("refresh_token")).code == "TOKEN_EXPIRED")
        }
    }

    @Test func `a grant is probed once a day at most, and not again once it is marked`() async throws {
        try await TestProviders.run { broker, providers in
            providers.apple.behaviour.refreshesPerDay = 1
            let users = try await Self.addUsers(2, broker, providers)
            func probes() async throws -> Int { try await Self.turn(broker).probes }

            #expect(try await probes() == 0)
            providers.advance(Self.day, with: broker)
            #expect(try await probes() == 2)
            providers.advance(Self.day - 60, with: broker)
            #expect(try await probes() == 0)
            providers.advance(60, with: broker)
            providers.apple.revokeGrant(of: users.people[0], application: providers.apple.nativeApplication)
            #expect(try await probes() == 2)
            providers.advance(Self.day, with: broker)
            #expect(try await probes() == 1)
        }
    }

    @Test func `a sign-in before the effect proves that the user is back`() async throws {
        try await TestProviders.run { broker, providers in
            let (apple, person) = (providers.apple, providers.apple.people()[0])
            let session = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            providers.advance(Self.day, with: broker)
            apple.revokeGrant(of: person, application: apple.nativeApplication)
            try await Self.turn(broker)
            let again = try await broker.signIn(postBody: providers.nativeCredential(of: person))
            providers.advance(Self.hour, with: broker)

            let done = try await Self.turn(broker)

            #expect(done.withdrawals == 0)
            for one in [session, again] { #expect(try await broker.refresh(one.string("refreshToken")).status == 200) }
        }
    }

    @Test func `of four hundred users twenty withdrawals count, one more is a changed client`() async throws {
        try await TestProviders.run({ $0.grantProbes.perMinute = 6000 }) { broker, providers in
            let users = try await Self.addUsers(400, broker, providers)
            let apple = providers.apple
            // The order of probes is the order of the rows: one failure in twenty at every moment.
            for index in stride(from: 19, to: 400, by: 20) {
                apple.revokeGrant(of: users.people[index], application: apple.nativeApplication)
            }
            providers.advance(Self.day, with: broker)

            #expect(try await Self.turn(broker).probes == 400)
            #expect(try await broker.core.admin.pausedProbes().isEmpty)
            providers.advance(Self.hour, with: broker)
            #expect(try await Self.turn(broker).withdrawals == 20)

            let live = try await Self.live(users, broker)
            #expect(live.indices.allSatisfy { live[$0] == ($0 % 20 != 19) })
        }
    }

    @Test(arguments: ["a key that was revoked", "a client that was changed", "refused tokens"])
    func `a changed client pauses four hundred grants, and no session ends`(change: String) async throws {
        try await TestProviders.run({ $0.grantProbes.perMinute = 6000 }) { broker, providers in
            let users = try await Self.addUsers(400, broker, providers)
            let apple = providers.apple
            switch change {
            case "a key that was revoked": apple.revoke(keyID: apple.key.keyID)
            case "a client that was changed":
                apple.transfer(apple.nativeApplication, to: "OTHERTEAM1")
            default:
                for person in users.people { apple.revokeGrant(of: person, application: apple.nativeApplication) }
            }
            providers.advance(Self.day, with: broker)

            let asked = try await Self.turn(broker).probes
            let pause = try #require(try await broker.core.admin.pausedProbes().first)
            for _ in 0..<3 {
                providers.advance(Self.day, with: broker)
                #expect(try await Self.turn(broker) == GrantProbes.Done())
            }

            // Judged after each batch of eight, so no request follows the decision.
            #expect(asked == 24 && pause.counts == GrantProbeCounts(probes: 24, failures: 24))
            #expect(pause.provider == "apple.com")
            #expect(try await Self.live(users, broker).allSatisfy { $0 })
        }
    }

    @Test func `two brokers judge together, and one probes at a time`() async throws {
        try await TestProviders.run({ $0.grantProbes.perMinute = 16 }) { broker, providers in
            let users = try await Self.addUsers(40, broker, providers)
            for person in users.people {
                providers.apple.revokeGrant(of: person, application: providers.apple.nativeApplication)
            }
            providers.advance(Self.day, with: broker)

            try await broker.withSecondCore(plugins: TestProviders.plugins) { second in
                let other = try #require(second.outbox.grantProbes)
                let first = try await Self.turn(broker)
                let held = try await other.turn()
                let probes = try #require(broker.core.outbox.grantProbes)
                try await probes.release()
                let taken = try #require(try await other.turn())

                #expect(first.probes == 16 && held == nil && taken.probes == 8)
            }
            let pause = try #require(try await broker.core.admin.pausedProbes().first)
            #expect(pause.counts.failures == 24)
            #expect(try await Self.live(users, broker).allSatisfy { $0 })
        }
    }

    @Test func `after an operator has resumed, the failures of before have no effect`() async throws {
        try await TestProviders.run({ $0.grantProbes.perMinute = 6000 }) { broker, providers in
            let users = try await Self.addUsers(30, broker, providers)
            let apple = providers.apple
            for person in users.people { apple.revokeGrant(of: person, application: apple.nativeApplication) }
            providers.advance(Self.day, with: broker)
            try await Self.turn(broker)
            let origin = Origin(.admin, actor: "test")

            let resumed = try await broker.core.admin.resumeProbes("apple.com", origin: origin)
            let again = try await broker.core.admin.resumeProbes("apple.com", origin: origin)
            providers.advance(2 * Self.hour, with: broker)
            let done = try await Self.turn(broker)

            #expect(resumed && !again)
            // The six grants that were not asked before the pause.
            #expect(done == GrantProbes.Done(probes: 6, withdrawals: 0))
            #expect(try await Self.live(users, broker).allSatisfy { $0 })
        }
    }

    @Test func `an Apple that does not answer is no failure of any grant`() async throws {
        try await TestProviders.run({ $0.grantProbes.perMinute = 6000 }) { broker, providers in
            let users = try await Self.addUsers(40, broker, providers)
            providers.apple.fail(.token, with: .status(503))
            providers.advance(Self.day, with: broker)

            let asked = try await Self.turn(broker).probes
            providers.advance(2 * Self.hour, with: broker)
            try await Self.turn(broker)

            #expect(asked == 8, "the turn ends with the first batch")
            #expect(try await broker.core.admin.pausedProbes().isEmpty)
            #expect(try await Self.live(users, broker).allSatisfy { $0 })
        }
    }

    @Test func `probes may be off`() async throws {
        try await TestProviders.run({ $0.grantProbes.isEnabled = false }) { broker, _ in
            #expect(broker.core.outbox.grantProbes == nil)
        }
    }
}
