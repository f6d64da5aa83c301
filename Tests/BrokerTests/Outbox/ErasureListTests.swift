import BrokerStore
import Foundation
import ProviderKit
import Testing

@testable import Broker

@Suite("the list of erasures")
struct ErasureListTests {
    private static func list(_ broker: TestBroker, _ name: String = "erasures") -> ErasureList {
        ErasureList(broker.core.stored, path: path(broker, name), retention: .seconds(400 * 86_400))
    }

    private static func path(_ broker: TestBroker, _ name: String = "erasures") -> String {
        "\(broker.folder.path)/data-erasures/\(name)"
    }

    private static func listed(_ broker: TestBroker) throws -> [String] {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path(broker))))
        return try ErasureList.parse(bytes, source: "erasures").map(\.localID)
    }

    @Test func `it has the local ids and times of deleted users, and nothing else, for its owner alone`() async throws {
        try await TestBroker.run { broker in
            var list = Self.list(broker)
            let ada = try await broker.signIn(broker.person("ada"))
            let localID = try ada.string("localId")
            try await list.turn()
            #expect(!FileManager.default.fileExists(atPath: Self.path(broker)))

            #expect(try await broker.delete(ada).status == 200)
            try await list.turn()
            try await list.turn()

            let moment = broker.clock.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            let text = try String(contentsOfFile: Self.path(broker), encoding: .utf8)
            #expect(text == "{\"localId\":\"\(localID)\",\"at\":\"\(moment)\"}\n")
            let attributes = try FileManager.default.attributesOfItem(atPath: Self.path(broker))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let folder = try FileManager.default.attributesOfItem(
                atPath: URL(filePath: Self.path(broker)).deletingLastPathComponent().path)
            #expect(folder[.posixPermissions] as? Int == 0o700)
        }
    }

    @Test func `a deletion by a process that was killed is listed by the next one`() async throws {
        try await TestBroker.run { broker in
            var first = Self.list(broker)
            let users = try await [broker.signUp(), broker.signUp(), broker.signUp()]
            _ = try await broker.delete(users[0])
            try await first.turn()
            _ = try await broker.delete(users[1])
            // A line that the crash cut off.
            let handle = try #require(FileHandle(forWritingAtPath: Self.path(broker)))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(#"{"localId":"x"#.utf8))
            try handle.close()

            var next = Self.list(broker)
            try await next.turn()
            broker.clock.advance(seconds: 3600)
            _ = try await broker.delete(users[2])
            try await next.turn()
            try await next.turn()

            let localIDs = try users.map { try $0.string("localId") }
            #expect(try Self.listed(broker) == localIDs)
        }
    }

    @Test func `lines are removed by the age of audit entries`() async throws {
        try await TestBroker.run { broker in
            var first = Self.list(broker)
            let users = try await [broker.signUp(), broker.signUp()]
            _ = try await broker.delete(users[0])
            try await first.turn()
            broker.clock.advance(seconds: 401 * 86_400)
            _ = try await broker.core.accounts.deleteAccount(
                localID: users[1].string("localId"), origin: Origin(.admin, actor: "test"))

            var next = Self.list(broker)
            try await next.turn()

            #expect(try Self.listed(broker) == [users[1].string("localId")])
        }
    }

    @Test func `a user's absorbed users are listed with it`() async throws {
        try await TestBroker.runWithMerges { broker in
            let stays = try await broker.signIn(.init("9"))
            let goes = try await broker.signIn(.init("7"))
            _ = try await broker.signIn(.init("7", survivor: "9", absorbed: ["7"]))
            let id = try #require(try await broker.merges().first).merge.id
            _ = try await broker.core.accounts.approveMerge(id, origin: Origin(.admin, actor: "root"))
            var list = Self.list(broker)

            _ = try await broker.core.accounts.deleteAccount(
                localID: stays.string("localId"), origin: Origin(.admin, actor: "root"))
            try await list.turn()

            #expect(try Self.listed(broker) == [stays.string("localId"), goes.string("localId")])
        }
    }

    @Test func `a list with a damaged line is refused with its number, and one that is cut off is read`() throws {
        let line = #"{"localId":"a b","at":"2026-11-23T10:00:00.123Z"}"#
        #expect(
            try ErasureList.parse(Array("\(line)\n{\"loc".utf8), source: "-") == [
                Erasure(localID: "a b", at: Timestamp(milliseconds: 1_795_428_000_123))
            ])
        for damaged in ["\(line)\n{}\n", "\(line)\n{\"publicURL\":\"x\"}"] {
            let error = #expect(throws: ConfigurationError.self) {
                try ErasureList.parse(Array(damaged.utf8), source: "list")
            }
            #expect(error?.description.contains("line 2") == true)
        }
    }
}
