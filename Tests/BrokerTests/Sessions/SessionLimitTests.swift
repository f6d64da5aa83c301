import Broker
import BrokerStore
import Foundation
import ProviderKit
import Testing

@Suite("how many sessions a user has")
struct SessionLimitTests {
    @Test func `a sign-in beyond the limit ends the session used longest ago`() async throws {
        try await TestBroker.run {
            $0.sessionsPerUser = 3
        } _: { broker in
            let person = try broker.person("ada")
            var answers: [Answer] = []
            for _ in 1...3 {
                answers.append(try await broker.signIn(person))
                broker.clock.advance(seconds: 60)
            }
            let used = try await broker.refresh(answers[0].string("refreshToken"))

            answers.append(try await broker.signIn(person))

            #expect(try await broker.lookup(answers[1].string("idToken")).code == "TOKEN_EXPIRED")
            #expect(try await broker.refresh(answers[1].string("refreshToken")).code == "TOKEN_EXPIRED")
            for answer in answers[2...] {
                #expect(try await broker.refresh(answer.string("refreshToken")).status == 200)
            }
            #expect(try await broker.refresh(used.string("refresh_token")).status == 200)
            let page = try await Self.page(broker, person: answers[0], includingEnded: true)
            #expect(page.sessions.map(\.state) == [.live, .live, .revoked, .live])
            #expect(page.sessions[2].session.revokedReason == "the user has too many sessions")
        }
    }

    @Test func `another user's sessions are left alone`() async throws {
        try await TestBroker.run {
            $0.sessionsPerUser = 1
        } _: { broker in
            let other = try await broker.signIn(broker.person("ben"))
            for _ in 1...3 { _ = try await broker.signIn(broker.person("ada")) }

            #expect(try await broker.refresh(other.string("refreshToken")).status == 200)
        }
    }

    @Test func `a list has fifty sessions, and says where the next page begins`() async throws {
        try await TestBroker.run { broker in
            let person = try broker.person("ada")
            var answers: [Answer] = []
            for _ in 1...52 { answers.append(try await broker.signIn(person)) }

            let first = try await Self.page(broker, person: answers[0])
            let second = try await Self.page(broker, person: answers[0], after: first.next)

            #expect(first.sessions.count == 50 && first.next == first.sessions.last?.session.id)
            #expect(second.sessions.count == 2 && second.next == nil)
            let keys = (first.sessions + second.sessions).map(\.session.key)
            #expect(keys == keys.sorted(by: >) && Set(keys).count == 52)
        }
    }

    private static func page(
        _ broker: TestBroker, person: Answer, includingEnded: Bool = false, after cursor: String? = nil
    ) async throws -> SessionPage {
        let localID = try person.string("localId")
        let user = try #require(try await broker.core.store.read { try $0.user(localID: localID) })
        return try await broker.core.sessions.listSessions(of: user, includingEnded: includingEnded, after: cursor)
    }
}
