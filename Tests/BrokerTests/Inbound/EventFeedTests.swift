import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("Event feeds", .timeLimit(.minutes(20)))
struct EventFeedTests {
    /// A broker that requests 1Pass's events every minute, and a user who has signed in.
    private static func signedIn(
        _ test: (TestBroker, TestProviders, OnePassSimulator.Person, Answer) async throws -> Void
    ) async throws {
        try await TestProviders.run(
            entries: { entry in
                guard entry["id"] == "1pass.dev", var options = entry["options"]?.object else { return }
                options["eventPollInterval"] = 60
                entry["options"] = .object(options)
            }
        ) { broker, providers in
            let person = providers.onePass.people()[0]
            let session = try await providers.signInWithOnePass(broker, person)
            providers.advance(broker, seconds: 60)
            try await test(broker, providers, person, session)
        }
    }

    private static func poll(_ core: BrokerCore, now: @escaping @Sendable () -> Date) -> ProviderEventPoll {
        ProviderEventPoll(core.accounts, clock: now)
    }

    private static func emit(
        _ type: OnePassSimulator.EventType, _ providers: TestProviders, _ person: OnePassSimulator.Person
    ) async -> [OnePassSimulator.Event] {
        await providers.onePass.emit(type, about: person, to: providers.onePass.defaultApplication)
    }

    @Test func `an event whose webhook was lost arrives by the feed, once`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            var poll = Self.poll(broker.core) { broker.clock.now }
            _ = await Self.emit(.consentRevoked, providers, person)

            await poll.turn()
            let early = providers.onePass.hits(.events)
            await poll.turn()
            let again = providers.onePass.hits(.events)
            providers.advance(broker, seconds: 60)
            await poll.turn()

            #expect((early, again, providers.onePass.hits(.events)) == (1, 1, 2))
            #expect(try await broker.lookup(session.string("idToken")).status == 400)
            #expect(try await broker.auditEvents(of: localID).count { $0 == "identity.consent-revoked" } == 1)
            let query = providers.onePass.requests(.events).last?.query ?? ""
            #expect(query.contains("since=1"), "\(query)")
        }
    }

    @Test func `a long feed is read page by page, and an unknown type does not stop it`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            for _ in 0..<130 { _ = await Self.emit(.tokenRevoked, providers, person) }
            _ = await Self.emit(.userGrantsRevoked, providers, person)
            var poll = Self.poll(broker.core) { broker.clock.now }

            await poll.turn()

            let answer = try await broker.lookup(session.string("idToken"))
            #expect(providers.onePass.hits(.events) == 2)
            #expect(answer.status == 400)
        }
    }

    @Test func `a broker that died between an event and the position applies the event once`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            let localID = try session.string("localId")
            let event = try #require(await Self.emit(.consentRevoked, providers, person).first)
            let provider = try #require(broker.core.providers.current.provider("1pass.dev"))
            let feed = try #require(provider.provider as? any ProviderEventFeed)
            let page = try await feed.events(after: nil)
            for event in page.events { _ = try await broker.core.accounts.receive(event, from: provider) }

            var poll = Self.poll(broker.core) { broker.clock.now }
            await poll.turn()

            #expect(page.events.map(\.id) == [event.id])
            #expect(try await broker.auditEvents(of: localID).count { $0 == "identity.consent-revoked" } == 1)
        }
    }

    @Test func `one broker at a time requests a feed, and another goes on where it stopped`() async throws {
        try await Self.signedIn { broker, providers, person, _ in
            for _ in 0..<3 { _ = await Self.emit(.tokenRevoked, providers, person) }
            try await broker.withSecondCore(plugins: TestProviders.plugins) { second in
                var (one, two) = (
                    Self.poll(broker.core) { broker.clock.now }, Self.poll(second) { broker.clock.now }
                )
                await one.turn()
                await two.turn()
                let hits = providers.onePass.hits(.events)
                providers.advance(broker, seconds: 60)
                await two.turn()

                #expect(hits == 1)
                #expect(providers.onePass.requests(.events).last?.query.contains("since=3") == true)
            }
        }
    }

    @Test func `a feed that fails pauses for a minute`() async throws {
        try await Self.signedIn { broker, providers, person, session in
            _ = await Self.emit(.userGrantsRevoked, providers, person)
            var poll = Self.poll(broker.core) { broker.clock.now }
            providers.onePass.fail(.events, with: .status(500))

            await poll.turn()
            let failed = providers.onePass.hits(.events)
            await poll.turn()
            providers.onePass.clearFaults()
            let paused = providers.onePass.hits(.events)
            providers.advance(broker, seconds: 120)
            await poll.turn()

            let answer = try await broker.lookup(session.string("idToken"))
            #expect(failed == paused)
            #expect(answer.status == 400)
        }
    }
}
