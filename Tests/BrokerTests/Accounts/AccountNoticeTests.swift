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

    @Test func `the sign-in that merges names the user that went, and so does the first answer in each session`()
        async throws
    {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let users = try await Self.merge(broker)
            let gone: JSONValue = ["mergedFrom": [.string(try users.gone.string("localId"))]]

            let again = try await broker.refresh(users.merging.string("refreshToken"))
            let others = [
                try await broker.refresh(users.gone.string("refreshToken")),
                try await broker.refresh(users.stays.string("refreshToken")), try await broker.signIn(.init("9")),
            ]
            let later = try await broker.refresh(others[1].string("refresh_token"))

            #expect(users.merging["broker"] == gone)
            for answer in others { #expect(answer["broker"] == gone, "\(answer.text)") }
            for answer in [again, later] { #expect(answer.status == 200 && answer["broker"] == nil, "\(answer.text)") }
        }
    }

    @Test func `an undone merge is told to both users, in each session once`() async throws {
        try await TestBroker.runWithMerges(autoMerge: true) { broker in
            let users = try await Self.merge(broker)
            let (stays, gone) = (try users.stays.string("localId"), try users.gone.string("localId"))
            let merge = try #require(try await broker.core.accounts.undoableMerges(limit: 1).first)
            _ = try await broker.core.accounts.undoMerge(merge.id, origin: Origin(.admin, actor: "root"))

            let (one, other) = (try await broker.signIn(.init("9")), try await broker.signIn(.init("7")))
            let next = try await broker.refresh(one.string("refreshToken"))

            #expect(one["localId"]?.string == stays && one["broker"] == ["unmerged": [.string(gone)]], "\(one.text)")
            #expect(other["localId"]?.string == gone && other["broker"] == ["unmerged": [.string(stays)]])
            #expect(next["broker"] == nil)
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

    @Test func `a promotion is told once in each session`() async throws {
        try await TestBroker.runWithMerges { broker in
            let device = try await broker.signIn(.init("7", isAnonymous: true))
            let known = try await broker.signIn(.init("7"))
            let again = try await broker.signIn(.init("7"))
            let refreshed = try await broker.refresh(device.string("refreshToken"))
            let next = try await broker.refresh(refreshed.string("refresh_token"))

            #expect(device["broker"] == nil)
            for answer in [known, again, refreshed] {
                #expect(answer["broker"] == ["promoted": true], "\(answer.text)")
            }
            #expect(next.status == 200 && next["broker"] == nil)
        }
    }

    @Test func `of concurrent refreshes in several sessions each answer has it`() async throws {
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

            #expect(told == sessions.count)
        }
    }
}
