import Broker
import BrokerStore
import ProviderKit
import Testing

@Suite("What apps are told once about an account")
struct AccountNoticeTests {
    /// Two users that are merged in the last sign-in.
    private static func merge(_ broker: TestBroker) async throws -> (gone: Answer, stays: Answer, merging: Answer) {
        let stays = try await broker.signIn(.init("9"))
        let gone = try await broker.signIn(.init("7"))
        let merging = try await broker.signIn(.init("9", survivor: "9", absorbed: ["7"], proven: ["7"]))
        return (gone, stays, merging)
    }

    @Test func `the sign-in that merges names the user that went, and no later answer does`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let users = try await Self.merge(broker)

            let answers = [
                try await broker.refresh(users.merging.string("refreshToken")),
                try await broker.refresh(users.gone.string("refreshToken")), try await broker.signIn(.init("9")),
            ]

            #expect(users.merging["broker"] == ["mergedFrom": [.string(try users.gone.string("localId"))]])
            for answer in answers { #expect(answer.status == 200 && answer["broker"] == nil, "\(answer.text)") }
        }
    }

    @Test func `a refresh names it when it comes first, and again when its answer was lost`() async throws {
        try await TestBroker.runWithMerges { broker in
            _ = try await broker.signIn(.init("9"))
            let gone = try await broker.signIn(.init("7"))
            _ = try await broker.signIn(.init("9", survivor: "9", absorbed: ["7"], proven: ["7"]))
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(id, origin: Origin(.admin, actor: "root"))

            let first = try await broker.refresh(gone.string("refreshToken"))
            broker.clock.advance(seconds: 30)
            let repeated = try await broker.refresh(gone.string("refreshToken"))
            let next = try await broker.refresh(first.string("refresh_token"))

            #expect(first["broker"]?["mergedFrom"] == [.string(try gone.string("localId"))], "\(first.text)")
            #expect(repeated["broker"] == first["broker"], "\(repeated.text)")
            #expect(repeated["refresh_token"] == first["refresh_token"])
            #expect(next.status == 200 && next["broker"] == nil, "\(next.text)")
        }
    }

    @Test func `a promotion is told once`() async throws {
        try await TestBroker.runWithMerges { broker in
            let device = try await broker.signIn(.init("7", isAnonymous: true))
            let known = try await broker.signIn(.init("7"))
            let again = try await broker.signIn(.init("7"))
            let refreshed = try await broker.refresh(device.string("refreshToken"))

            #expect(device["broker"] == nil)
            #expect(known["broker"] == ["promoted": true], "\(known.text)")
            #expect(again["broker"] == nil && refreshed["broker"] == nil)
        }
    }

    @Test func `of concurrent refreshes one answer has it`() async throws {
        try await TestBroker.runWithMerges { broker in
            _ = try await broker.signIn(.init("9"))
            var sessions: [Answer] = []
            for _ in 1...6 { sessions.append(try await broker.signIn(.init("7"))) }
            _ = try await broker.signIn(.init("9", survivor: "9", absorbed: ["7"], proven: ["7"]))
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(id, origin: Origin(.admin, actor: "root"))

            let told = try await withThrowingTaskGroup(of: Bool.self) { group in
                for session in sessions {
                    group.addTask { try await broker.refresh(session.string("refreshToken"))["broker"] != nil }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }

            #expect(told == 1)
        }
    }
}
