import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass's events", .timeLimit(.minutes(20)))
struct OnePassEventTests {
    private static func options(_ members: JSONObject) -> (inout JSONObject) -> Void {
        { entry in
            guard entry["id"] == "1pass.dev", var options = entry["options"]?.object else { return }
            for (name, value) in members { options[name] = value }
            entry["options"] = .object(options)
        }
    }

    private static let secrets = (old: String(repeating: "o", count: 32), new: String(repeating: "n", count: 32))

    /// A broker that accepts both signatures, and a user who has signed in.
    private static func signedIn(
        options more: JSONObject = [:], autoMerge: Bool = false,
        _ test: (TestBroker, TestProviders, OnePassSimulator.Person, Answer) async throws -> Void
    ) async throws {
        let keys: JSONObject = ["whk_a": .string(secrets.new), "whk_b": .string(secrets.old)]
        var members: JSONObject = ["webhookKeys": .object(keys), "webhookSecret": .string(secrets.old)]
        for (name, value) in more { members[name] = value }
        let change = options(members)
        try await TestProviders.run(
            entries: { entry in
                change(&entry)
                if entry["id"] == "1pass.dev" { entry["autoMerge"] = .bool(autoMerge) }
            }
        ) { broker, providers in
            var application = providers.onePass.defaultApplication
            application.webhookSecret = secrets.old
            application.webhookKeys = [.init(id: "whk_a", secret: secrets.new)]
            providers.onePass.register(application)
            let person = providers.onePass.people()[0]
            let session = try await providers.signInWithOnePass(broker, person)
            providers.advance(broker, seconds: 60)
            try await test(broker, providers, person, session)
        }
    }

    private static func emit(
        _ type: OnePassSimulator.EventType, _ providers: TestProviders, _ person: OnePassSimulator.Person
    ) async throws -> OnePassSimulator.Event {
        let events = await providers.onePass.emit(
            type, about: person, to: providers.onePass.defaultApplication)
        return try #require(events.first)
    }

    @Test(arguments: [OnePassSimulator.EventType.consentRevoked, .userUnlinked, .userGrantsRevoked])
    func `revoked grants end the sessions and are removed without a withdrawal`(
        type: OnePassSimulator.EventType
    ) async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")

            let answer = try await broker.notify(Self.emit(type, providers, person))

            #expect(answer.status == 200)
            #expect(try await broker.lookup(session.string("idToken")).status == 400)
            #expect(try await broker.grantCount(of: localID) == 0)
            #expect(try await broker.withdrawals().isEmpty)
            let mark = try await broker.identity(of: localID, at: "1pass.dev")?.consentRevokedAt
            #expect((mark != nil) == (type != .userGrantsRevoked))
        }
    }

    @Test func `a revoked access token expires, and the session stays valid`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")

            #expect(try await broker.notify(Self.emit(.tokenRevoked, providers, person)).status == 200)

            let grants = try await broker.core.store.read { transaction in
                guard let user = try transaction.user(localID: localID) else { return [ProviderGrant]() }
                return try transaction.grants(of: user.key)
            }
            let now = Timestamp(broker.clock.now)
            #expect(grants.count == 1 && grants.allSatisfy { $0.expiresAt.map { $0.seconds <= now.seconds } ?? false })
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test func `a deleted account disables the user, who is deleted after thirty days`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")

            #expect(try await broker.notify(Self.emit(.userDeleted, providers, person)).status == 200)

            let disabled = try await broker.user(localID)
            #expect(disabled?.user.isDisabled == true && disabled?.identities.count == 1)
            #expect(try await Self.removeDeleted(broker, afterDays: 29) == 0)
            #expect(try await Self.removeDeleted(broker, afterDays: 30) == 1)
            #expect(try await broker.user(localID) == nil)
            #expect(try await broker.auditEvents(of: localID).first == "user.deleted")
        }
    }

    @Test func `an administrator who enables the user cancels the deletion`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            _ = try await broker.notify(Self.emit(.userDeleted, providers, person))

            _ = try await broker.core.accounts.disableUser(false, localID: localID, origin: Origin(.admin))

            #expect(try await Self.removeDeleted(broker, afterDays: 31) == 0)
            let again = try await providers.signInWithOnePass(broker, person)
            #expect(again["localId"] == session["localId"])
        }
    }

    @Test func `a user with another identity loses only that of the deleted account`() async throws {
        try await Self.signedIn(options: ["deletedAccountDays": 2]) { broker, providers, person, session in
            let localID = try session.string("localId")
            _ = try await broker.link(broker.person("ben"), to: try await providers.signInWithOnePass(broker, person))
            providers.advance(broker, seconds: 60)

            _ = try await broker.notify(Self.emit(.userDeleted, providers, person))

            #expect(try await broker.user(localID)?.user.isDisabled == false)
            #expect(try await Self.removeDeleted(broker, afterDays: 2) == 1)
            #expect(try await broker.user(localID)?.identities.map(\.provider) == ["github.com"])
        }
    }

    private static func removeDeleted(_ broker: TestBroker, afterDays days: Int) async throws -> Int {
        let moment = Timestamp(broker.clock.now.addingTimeInterval(TimeInterval(days * 86_400)))
        return try await broker.core.store.write(at: moment) { [accounts = broker.core.accounts] transaction in
            try accounts.removeDeletedAccounts(dueBy: moment, limit: 100, in: transaction)
        }
    }

    @Test(arguments: [true, false])
    func `merged accounts become one user where the operator permits it`(autoMerge: Bool) async throws {
        try await Self.signedIn(autoMerge: autoMerge) { broker, providers, survivor, session in
            let other = providers.onePass.people()[1]
            let absorbed = try await providers.signInWithOnePass(broker, other)
            providers.advance(broker, seconds: 60)
            let events = try await providers.onePass.merge(other, into: survivor, via: .deviceLink)

            for event in events { #expect(try await broker.notify(event).status == 200) }

            #expect(try await broker.merges().count == (autoMerge ? 0 : 1))
            #expect(try await (broker.user(absorbed.string("localId")) == nil) == autoMerge)
            #expect(try await broker.user(session.string("localId")) != nil)
        }
    }

    @Test func `a subject that merged into a known account is known from then on`() async throws {
        try await Self.signedIn { broker, providers, survivor, session in
            let other = providers.onePass.people()[1]
            let events = try await providers.onePass.merge(other, into: survivor, via: .deviceLink)

            for event in events { _ = try await broker.notify(event) }

            let key = IdentityKey(provider: "1pass.dev", issuer: providers.onePass.url, subject: other.subject)
            let identity = try await broker.core.store.read { try $0.identity(key) }
            #expect(identity?.subject == survivor.subject)
            // The absorbed account may be deleted, which is not the user's end.
            let event = await providers.onePass.emit(
                .userDeleted, about: other, to: providers.onePass.defaultApplication)
            _ = try await broker.notify(#require(event.first))
            #expect(try await broker.user(session.string("localId"))?.user.isDisabled == false)
        }
    }

    @Test func `a compromised key is refused from then on, by every broker`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            var application = providers.onePass.defaultApplication
            application.webhookSecret = Self.secrets.old
            application.webhookKeys = [.init(id: "whk_b", secret: Self.secrets.old)]
            providers.onePass.register(application)
            let byOld = try await Self.emit(.userGrantsRevoked, providers, person)
            application.webhookKeys = [.init(id: "whk_a", secret: Self.secrets.new)]
            providers.onePass.register(application)
            let alert = providers.onePass.emit(.webhookKeyCompromised, data: ["kid": "whk_b"], to: application)

            #expect(try await broker.notify(#require(alert.first)).status == 200)

            #expect(try await broker.notify(byOld).code == "INVALID_NOTIFICATION")
            try await broker.withSecondBroker(plugins: TestProviders.plugins) { second in
                let answer = try await second.notify(byOld)
                #expect(answer.code == "INVALID_NOTIFICATION")
            }
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            #expect(try await broker.notify(Self.emit(.userGrantsRevoked, providers, person)).status == 200)
        }
    }

    @Test func `a signature that does not match is refused`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let keyed = try await Self.emit(.userGrantsRevoked, providers, person)
            let legacy = try await Self.emit(.consentRevoked, providers, person)
            let header = try #require(keyed.headers.first { $0.name == "x-logi-signature" }?.value)
            let signature = "X-Logi-Signature"
            let answers = [
                try await broker.notify(keyed, body: keyed.body + " "),
                try await broker.notify(legacy, body: legacy.body + " "),
                try await broker.notify(keyed) { $0.remove(name: signature) },
                try await broker.notify(keyed) { $0.add(name: signature, value: header) },
                try await broker.notify(keyed) {
                    $0.replaceOrAdd(name: signature, value: header.replacing("whk_a", with: "whk_b"))
                },
                try await broker.notify(keyed) {
                    $0.replaceOrAdd(name: signature, value: header.replacing("whk_a", with: "whk_x"))
                },
                try await broker.notify(keyed) { $0.replaceOrAdd(name: signature, value: header + ",v1=00") },
                try await broker.notify(keyed) { $0.replaceOrAdd(name: signature, value: "t=,kid=whk_a,v1=") },
                try await broker.notify(keyed) { $0.replaceOrAdd(name: signature, value: "sha256=") },
                try await broker.notify(keyed) { $0.replaceOrAdd(name: "X-Logi-Event-Id", value: "evt_other") },
                try await broker.notify(legacy) { $0.remove(name: "X-Logi-Timestamp") },
            ]

            for (index, answer) in answers.enumerated() {
                #expect(answer.status == 400 && answer.code == "INVALID_NOTIFICATION", "\(index)")
            }
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test func `a signature outside the tolerance is refused, and the tolerance can be longer`() async throws {
        for (tolerance, status) in [(300, 400), (3600, 200)] {
            try await Self.signedIn(options: ["webhookTolerance": .integer(Int64(tolerance))]) {
                broker, providers, person, _ in
                let event = try await Self.emit(.userGrantsRevoked, providers, person)
                providers.advance(broker, seconds: 301)

                #expect(try await broker.notify(event).status == status)
            }
        }
    }

    @Test func `the older signature is refused unless its secret is configured`() async throws {
        let keys: JSONObject = ["whk_a": .string(Self.secrets.new)]
        try await TestProviders.run(entries: Self.options(["webhookKeys": .object(keys)])) { broker, providers in
            let person = providers.onePass.people()[0]
            let event = try await Self.emit(.consentRevoked, providers, person)

            #expect(try await broker.notify(event).code == "INVALID_NOTIFICATION")
        }
    }

    @Test func `without webhooks and logout the entry has no endpoint`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.onePass.people()[0]

            let answer = try await broker.notify(Self.emit(.consentRevoked, providers, person))

            #expect(answer.status == 404)
        }
    }

    @Test func `retries and another order have one effect`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            let consent = try await Self.emit(.consentRevoked, providers, person)
            let grants = try await Self.emit(.userGrantsRevoked, providers, person)
            let again = try await providers.signInWithOnePass(broker, person)
            providers.advance(broker, seconds: 2)

            for event in [grants, consent, grants, consent, consent] {
                #expect(try await broker.notify(event).status == 200)
            }

            #expect(try await broker.auditEvents(of: localID).count { $0 == "identity.consent-revoked" } <= 1)
            #expect(again["localId"] == session["localId"])
        }
    }
}
