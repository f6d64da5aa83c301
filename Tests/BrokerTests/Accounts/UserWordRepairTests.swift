import Foundation
import ProviderKit
import StoreSchema
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("the repair of users' words")
struct UserWordRepairTests {
    private static func found(_ text: String, at broker: TestBroker) async throws -> SearchUsers.Answer {
        try await SearchUsers(text: text).run(
            for: AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test")))
    }

    /// What a broker before schema 46 does: it changes users without their words.
    private static func rename(to name: String, at broker: TestBroker) async throws {
        let statement = Statement("rename_as_older_broker", "UPDATE users SET display_name = $1", .text)
        try await broker.core.store.write { _ = try $0.run(statement, .text(name)) }
    }

    private static func removeWords(at broker: TestBroker) async throws {
        let statement = Statement("remove_words_as_older_broker", "DELETE FROM user_words")
        try await broker.core.store.write { _ = try $0.run(statement) }
    }

    @Test func `writes the words of users who were there before, and says when all can be found`() async throws {
        try await TestBroker.run { broker in
            let ada = try await broker.signIn(broker.person("ada")).string("localId")
            let cleo = try await broker.signIn(broker.person("cleo")).string("localId")
            try await Self.removeWords(at: broker)
            let before = try await Self.found("ada", at: broker)

            let written = try await UserWordRepair(broker.core.stored).turn()

            let after = try await Self.found("ada", at: broker)
            #expect(before.users.isEmpty && !before.complete)
            #expect(written == 2)
            #expect(after.users.map(\.localId) == [ada] && after.complete)
            #expect(try await Self.found("cleo", at: broker).users.map(\.localId) == [cleo])
        }
    }

    @Test func `comes back after ten minutes while an older broker writes, else after a day`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            let repair = UserWordRepair(broker.core.stored)
            try await Self.rename(to: "First", at: broker)
            #expect(try await repair.turn() == 1)

            try await Self.rename(to: "Second", at: broker)
            broker.clock.advance(seconds: 599)
            #expect(try await repair.turn() == 0)
            broker.clock.advance(seconds: 1)
            #expect(try await repair.turn() == 1)
            broker.clock.advance(seconds: 600)
            #expect(try await repair.turn() == 0)

            try await Self.rename(to: "Third", at: broker)
            broker.clock.advance(seconds: 86_399)
            #expect(try await repair.turn() == 0)
            broker.clock.advance(seconds: 1)
            #expect(try await repair.turn() == 1)
            #expect(try await Self.found("third", at: broker).users.count == 1)
        }
    }

    @Test func `is done by one broker at a time`() async throws {
        try await TestBroker.run { broker in
            _ = try await broker.signIn(broker.person("ada"))
            try await Self.removeWords(at: broker)
            let other = Lease(name: "user-words-\(SearchWords.rule)", holder: "other", duration: .seconds(60))
            #expect(try await broker.core.store.write(at: broker.core.stored.now) { try $0.acquire(other, at: $0.now) })
            let repair = UserWordRepair(broker.core.stored)

            #expect(try await repair.turn() == 0)
            broker.clock.advance(seconds: 61)
            #expect(try await repair.turn() == 1)
        }
    }
}
