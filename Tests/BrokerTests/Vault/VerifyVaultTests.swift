import BrokerStore
import Foundation
import OAuth
import Testing

@testable import Broker

@Suite("Verification of the vault", .timeLimit(.minutes(20)))
struct VerifyVaultTests {
    /// Two users with grants, each with a pending token of the other's identity, whose link was refused.
    private static func populate(_ broker: TestBroker) async throws {
        let logins = ["ada", "ben"]
        var sessions: [Answer] = []
        for login in logins {
            sessions.append(
                try await broker.signInWithCode(
                    broker.person(login), verifier: RandomText.alphanumeric(64),
                    redirectURI: RotationScene.appRedirectURI))
        }
        for (session, login) in zip(sessions, logins.reversed()) {
            _ = try await broker.refusedLink(of: login, to: session)
        }
    }

    private static func values(of column: SealedColumn, _ broker: TestBroker) async throws -> [SealedValue] {
        try await broker.core.store.read { try $0.sealedValues(of: column, after: 0, limit: 100) }
    }

    private static func write(
        _ bytes: [UInt8], over value: SealedValue, of column: SealedColumn, _ broker: TestBroker
    ) async throws {
        let isWritten = try await broker.core.store.write { try $0.replace(value, in: column, with: bytes) }
        #expect(isWritten)
    }

    @Test func `finds every flipped byte, and nothing in a store that is whole`() async throws {
        try await RotationScene.run { scene in
            try await Self.populate(scene.broker)
            let whole = try await scene.inspect().verify()
            let column = try #require(SealedColumn.all.first { $0.column == "sealed_access_token" })
            let value = try #require(try await Self.values(of: column, scene.broker).first)
            var last = value

            for index in value.bytes.indices {
                var bytes = value.bytes
                bytes[index] ^= 1
                try await Self.write(bytes, over: last, of: column, scene.broker)
                last = try #require(try await Self.values(of: column, scene.broker).first)
                let findings = try await scene.inspect().verify().findings
                #expect(findings.map(\.row) == [value.key] && findings.map(\.column) == [column.column], "\(index)")
                #expect(findings.first?.problem == ((1..<5).contains(index) ? .unknownKey : .corrupt), "\(index)")
            }

            #expect(whole.findings == [] && whole.values > 6)
        }
    }

    @Test(arguments: SealedColumn.all.map { "\($0.table).\($0.column)" })
    func `finds values that changed rows`(name: String) async throws {
        try await RotationScene.run { scene in
            let broker = scene.broker
            try await Self.populate(broker)
            for _ in 0..<2 {
                _ = try await broker.core.openID.requestDeviceIdentity(of: "github.com")
                let browser = TestBrowser(broker)
                _ = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            }
            try await scene.rotate()
            let column = try #require(SealedColumn.all.first { "\($0.table).\($0.column)" == name })
            let values = try await Self.values(of: column, broker)
            // Columns that nothing of this scene fills are swapped in tests of their own.
            guard values.count >= 2 else { return }

            try await Self.write(values[1].bytes, over: values[0], of: column, broker)
            try await Self.write(values[0].bytes, over: values[1], of: column, broker)

            let findings = try await scene.inspect().verify().findings
            #expect(Set(findings.map(\.row)) == [values[0].key, values[1].key])
            #expect(findings.allSatisfy { $0.table == column.table && $0.problem == .corrupt })
        }
    }

    @Test func `a rotation reports what opens with no key, and leaves it as it is`() async throws {
        try await RotationScene.run { scene in
            try await Self.populate(scene.broker)
            let column = try #require(SealedColumn.all.first { $0.table == "pending_tokens" })
            let value = try #require(try await Self.values(of: column, scene.broker).first)
            var damaged = value.bytes
            damaged[damaged.count - 1] ^= 0xFF
            try await Self.write(damaged, over: value, of: column, scene.broker)

            let outcome = try await scene.rotate()

            let kept = try #require(try await Self.values(of: column, scene.broker).first)
            #expect(outcome.unopened.map(\.row) == [value.key] && kept.bytes == damaged)
            #expect(try await scene.inspect().status().rowsUnderOtherKeys == 1)
            #expect(try await scene.inspect().verify().findings.map(\.row) == [value.key])
        }
    }

    @Test func `works where the broker itself does not start, because a key of sessions is damaged`() async throws {
        try await RotationScene.run { scene in
            try await scene.rotate()
            let column = try #require(SealedColumn.all.first { $0.table == "wrapped_keys" })
            let value = try #require(try await Self.values(of: column, scene.broker).first)
            var damaged = value.bytes
            damaged[30] ^= 1
            try await Self.write(damaged, over: value, of: column, scene.broker)

            let findings = try await scene.inspect().verify().findings

            #expect(findings.map(\.table) == ["wrapped_keys"])
            await #expect(throws: ConfigurationError.self) { try await scene.broker.withSecondCore { _ in } }
            var watch = MasterKeyWatch(scene.broker.core.stored)
            // A running broker goes on with the keys it has.
            await #expect(throws: StoreError.self) { try await watch.turn() }
        }
    }
}
