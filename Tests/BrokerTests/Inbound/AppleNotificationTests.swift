import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Apple's notifications", .timeLimit(.minutes(20)))
struct AppleNotificationTests {
    typealias Event = AppleSimulator.Event

    private static func signedIn(
        _ change: (inout Configuration) -> Void = { _ in },
        _ test: (TestBroker, TestProviders, AppleSimulator.Person, Answer) async throws -> Void
    ) async throws {
        try await TestProviders.run(change) { broker, providers in
            let person = providers.apple.people()[0]
            let session = try await providers.signInWithApple(broker, person)
            providers.advance(broker, seconds: 60)
            try await test(broker, providers, person, session)
        }
    }

    private static func notification(
        _ event: Event, _ providers: TestProviders, _ person: AppleSimulator.Person,
        _ options: AppleSimulator.NotificationOptions = .init()
    ) -> AppleSimulator.Notification {
        providers.apple.notification(event, about: person, application: providers.apple.nativeApplication, options)
    }

    @Test(arguments: [true, false])
    func `withdrawn consent ends the sessions and removes the grant without a withdrawal`(twice: Bool) async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            let before = try await broker.grantCount(of: localID)

            let answer = try await broker.notify(
                Self.notification(.consentRevoked, providers, person, .init(encodesEventsTwice: twice)))

            #expect(answer.status == 200)
            #expect(before == 1)
            #expect(try await broker.grantCount(of: localID) == 0)
            #expect(try await broker.withdrawals().isEmpty)
            #expect(try await broker.refresh(session.string("refreshToken")).code == "TOKEN_EXPIRED")
            let identity = try await broker.identity(of: localID, at: "apple.com")
            #expect(identity?.consentRevokedAt != nil)
            let again = try await providers.signInWithApple(broker, person)
            #expect(again["localId"] == session["localId"])
            #expect(try await broker.identity(of: localID, at: "apple.com")?.consentRevokedAt == nil)
        }
    }

    @Test func `sessions that began with another identity of the user stay valid`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let gitHub = try await broker.signIn(broker.person("ben"))
            let nonce = RandomText.alphanumeric(32)
            let native = providers.apple.nativeCredential(
                for: person, application: providers.apple.nativeApplication, rawNonce: nonce)
            _ = try await broker.signIn(
                postBody: [("id_token", native.idToken), ("providerId", "apple.com"), ("nonce", nonce)],
                extra: ["idToken": .string(gitHub.string("idToken"))])
            let apple = try await providers.signInWithApple(broker, person)
            providers.advance(broker, seconds: 60)

            _ = try await broker.notify(Self.notification(.consentRevoked, providers, person))

            #expect(apple["localId"] == gitHub["localId"])
            #expect(try await broker.lookup(gitHub.string("idToken")).status == 200)
            #expect(try await broker.lookup(apple.string("idToken")).status == 400)
        }
    }

    @Test func `withdrawn consent unlinks where the policy says so, and never the last way to sign in`() async throws {
        try await Self.signedIn({ $0.policy.revokedConsent = .unlink }) { broker, providers, person, session in
            let localID = try session.string("localId")
            let other = providers.apple.people()[1]
            let both = try await providers.signInWithApple(broker, other)
            _ = try await broker.link(broker.person("ben"), to: both)
            providers.advance(broker, seconds: 60)

            for person in [person, other] {
                #expect(try await broker.notify(Self.notification(.consentRevoked, providers, person)).status == 200)
            }

            #expect(try await broker.identity(of: localID, at: "apple.com") != nil)
            #expect(try await broker.identity(of: both.string("localId"), at: "apple.com") == nil)
            #expect(try await broker.identity(of: both.string("localId"), at: "github.com") != nil)
            #expect(try await broker.withdrawals().isEmpty)
        }
    }

    @Test func `an event that is older than the last sign-in withdraws nothing from it`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let late = Self.notification(
                .consentRevoked, providers, person, .init(time: broker.clock.now.addingTimeInterval(-120)))

            #expect(try await broker.notify(late).status == 200)

            let localID = try session.string("localId")
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            #expect(try await broker.grantCount(of: localID) == 1)
            #expect(try await broker.identity(of: localID, at: "apple.com")?.consentRevokedAt == nil)
        }
    }

    @Test func `an event between two sign-ins ends the session of the first`() async throws {
        try await Self.signedIn { broker, providers, person, first in
            let event = Self.notification(.consentRevoked, providers, person)
            providers.advance(broker, seconds: 60)
            let second = try await providers.signInWithApple(broker, person)

            #expect(try await broker.notify(event).status == 200)

            #expect(try await broker.lookup(first.string("idToken")).status == 400)
            #expect(try await broker.lookup(second.string("idToken")).status == 200)
        }
    }

    @Test(arguments: [Event.accountDelete, .accountDeleted])
    func `a deleted account disables a user who has no other way to sign in`(event: Event) async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")

            #expect(try await broker.notify(Self.notification(event, providers, person)).status == 200)

            let record = try await broker.user(localID)
            #expect(record?.user.isDisabled == true)
            #expect(record?.identities.isEmpty == true)
            #expect(try await broker.withdrawals().isEmpty)
            #expect(try await broker.auditEvents(of: localID).contains("user.disabled"))
            let enabled = try await broker.core.accounts.disableUser(false, localID: localID, origin: Origin(.admin))
            #expect(!enabled.user.isDisabled)
        }
    }

    @Test func `a deleted account leaves the user their other identities`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            _ = try await broker.link(broker.person("ben"), to: try await providers.signInWithApple(broker, person))
            providers.advance(broker, seconds: 60)

            #expect(try await broker.notify(Self.notification(.accountDelete, providers, person)).status == 200)

            let record = try await broker.user(localID)
            #expect(record?.user.isDisabled == false)
            #expect(record?.identities.map(\.provider) == ["github.com"])
        }
    }

    @Test func `the latest event about mail holds, in any order of arrival`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            let enabled = Self.notification(.emailEnabled, providers, person)
            providers.advance(broker, seconds: 60)
            let disabled = Self.notification(.emailDisabled, providers, person)

            for event in [disabled, enabled] { #expect(try await broker.notify(event).status == 200) }

            #expect(try await broker.identity(of: localID, at: "apple.com")?.isMailDisabled == true)
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
            let events = try await broker.auditEvents(of: localID)
            #expect(events.contains("identity.mail-disabled") && !events.contains("identity.mail-enabled"))
        }
    }

    @Test func `deliveries at once and later have one effect`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            let event = Self.notification(.consentRevoked, providers, person)

            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await broker.notify(event).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let later = try await broker.notify(event)

            #expect(statuses.allSatisfy { $0 == 200 } && later.status == 200)
            #expect(try await broker.auditEvents(of: localID).count { $0 == "identity.consent-revoked" } == 1)
        }
    }

    @Test func `a broker on the same store knows the event`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            let event = Self.notification(.consentRevoked, providers, person)
            _ = try await broker.notify(event)

            try await broker.withSecondBroker(plugins: TestProviders.plugins) { second in
                let answer = try await second.notify(event)
                #expect(answer.status == 200)
            }

            #expect(try await broker.auditEvents(of: localID).count { $0 == "identity.consent-revoked" } == 1)
        }
    }

    @Test(arguments: [IDTokenForgery.brokenSignature, .expired, .foreignKey, .wrongIssuer])
    func `a message that Apple did not sign for this broker is refused`(forgery: IDTokenForgery) async throws {
        try await Self.signedIn { broker, providers, person, session in
            let answer = try await broker.notify(
                Self.notification(.accountDelete, providers, person, .init(forgery: forgery)))

            #expect(answer.status == 400 && answer.code == "INVALID_NOTIFICATION")
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test func `a notification for another client, an ID token and a malformed body are refused`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let foreign = Self.notification(.accountDelete, providers, person, .init(audience: "com.example.other"))
            let native = providers.apple.nativeCredential(
                for: person, application: providers.apple.nativeApplication, rawNonce: "n")
            let bodies = [
                foreign.body, JSONValue.object(["payload": .string(native.idToken)]).serialized(), "", "{}", "[1]",
                #"{"payload":1}"#, #"{"payload":"a.b.c"}"#, #"{"payload":"a","payload":"b"}"#,
            ]

            for body in bodies {
                let answer = try await broker.notify("apple.com", body: body)
                #expect(answer.status == 400 && answer.code == "INVALID_NOTIFICATION", "\(body.prefix(40))")
            }

            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test func `an unknown type is answered with 200 and changes nothing`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let event = providers.apple.notification(
                type: "account-frozen", about: person, application: providers.apple.nativeApplication)

            let answer = try await broker.notify(event)

            #expect(answer.status == 200)
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test func `an event about a stranger is answered with 200`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]

            let answer = try await broker.notify(Self.notification(.accountDelete, providers, person))

            #expect(answer.status == 200)
        }
    }

    @Test func `while Apple's keys cannot be loaded the message is to be sent again`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.apple.people()[0]
            let event = Self.notification(.consentRevoked, providers, person)
            providers.apple.fail(.keys, with: .status(500))

            let answer = try await broker.notify(event)

            #expect(answer.status == 503 && answer.headers.first(name: "Retry-After") != nil)
        }
    }

    @Test func `who sends many messages that prove nothing has to wait, and an unknown entry is not found`()
        async throws
    {
        try await TestProviders.run({ $0.rateLimits.failures = 60 }) { broker, providers in
            let missing = try await broker.notify("nobody.example", body: "{}")
            let silent = try await broker.notify("github.com", body: "{}")
            var statuses: [Int] = []
            for _ in 0..<61 { statuses.append(try await broker.notify("apple.com", body: "{}").status) }

            #expect(statuses.prefix(60).allSatisfy { $0 == 400 } && statuses.last == 429)
            #expect(missing.status == 404 && silent.status == 404)
        }
    }
}
