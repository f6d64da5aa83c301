import BrokerStore
import Foundation
import Testing

@testable import Broker

/// What brokers and commands do that do not have the keys of their store.
@Suite("Brokers during a rotation of the master key", .timeLimit(.minutes(20)))
struct MasterKeyChangeTests {
    private static func refusal(
        _ scene: RotationScene, _ change: (inout Configuration) -> Void
    ) async throws -> String {
        do {
            try await scene.broker.withSecondCore(change) { _ in }
            return "started"
        } catch let error as ConfigurationError {
            return "\(error)"
        }
    }

    @Test func `one key alone suffices for the former before the rotation, for the new one after it`() async throws {
        try await RotationScene.run { scene in
            let early = try await Self.refusal(scene, RotationScene.withoutPrevious)
            let present = try await Self.refusal(scene, RotationScene.onlyPrevious)
            try await scene.rotate()
            let late = try await Self.refusal(scene, RotationScene.onlyPrevious)
            let following = try await Self.refusal(scene, RotationScene.withoutPrevious)

            #expect(early.contains("is not the key this store was made with"), "\(early)")
            #expect(present == "started" && following == "started")
            #expect(late.contains("a rotation has replaced it"), "\(late)")
        }
    }

    @Test func `a broker with the new key alone does not start while values are under the former one`() async throws {
        try await RotationScene.run { scene in
            let store = scene.broker.core.store
            _ = try await store.write(at: Timestamp(scene.broker.clock.now)) {
                try RotationStep.Plan(masterKey: scene.broker.core.masterKey, isCompromised: false).begin(in: $0)
            }

            let refused = try await Self.refusal(scene, RotationScene.withoutPrevious)
            try await scene.rotate()

            #expect(refused.contains("previousMasterKey: is missing"), "\(refused)")
            #expect(try await Self.refusal(scene, RotationScene.withoutPrevious) == "started")
        }
    }

    @Test func `a rotation does not begin while a running broker lacks the new key`() async throws {
        try await RotationScene.run { scene in
            let before = try await scene.inspect().status().sealing
            try await scene.broker.withSecondCore(RotationScene.onlyPrevious) { old in
                var watch = MasterKeyWatch(old.stored)
                try await watch.turn()
                await #expect(throws: MasterKeyRotation.Refusal.self) { try await scene.rotate() }
                #expect(try await scene.inspect().status().sealing == before)

                try await watch.end()
                try await scene.rotate()
                #expect(try await scene.inspect().status().sealing != before)
                // It was started again meanwhile, or was silent for longer than a minute.
                await #expect(throws: ConfigurationError.self) { try await watch.turn() }
            }
        }
    }

    @Test func `a rotation waits for running brokers to follow`() async throws {
        try await RotationScene.run { scene in
            var watch = MasterKeyWatch(scene.broker.core.stored)
            try await watch.turn()
            let (waits, waiting) = AsyncStream.makeStream(of: MasterKeyRotation.Progress.self)
            let rotation = Task { try await scene.rotate(progress: { waiting.yield($0) }) }
            for await progress in waits { if case .waiting(brokers: 1) = progress { break } }

            try await watch.turn()
            let outcome = try await rotation.value

            #expect(scene.broker.core.masterKey.identifier == outcome.keyID)
            #expect(try await scene.inspect().status().holders.map(\.sealing) == [outcome.keyID])
        }
    }

    @Test func `without a new key there is nothing to rotate to`() async throws {
        try await RotationScene.run { scene in
            await #expect(throws: MasterKeyRotation.Refusal.self) {
                try await scene.rotate(RotationScene.onlyPrevious)
            }
            await #expect(throws: MasterKeyRotation.Refusal.self) {
                try await scene.rotate(compromised: true, RotationScene.onlyPrevious)
            }
        }
    }

    @Test func `the former key is needed until the pages that browsers had open have expired`() async throws {
        try await RotationScene.run { scene in
            try await scene.rotate()
            let early = try await scene.inspect().status()
            scene.broker.clock.advance(seconds: 3661)
            let late = try await scene.inspect().status()

            #expect(!early.canRemovePrevious && late.canRemovePrevious)
        }
    }

    @Test func `two keys with one id are refused`() async throws {
        try await RotationScene.run { scene in
            let refused = try await Self.refusal(scene) { $0.previousMasterKey = $0.masterKey }

            #expect(refused.contains("is the same key as masterKey"), "\(refused)")
        }
    }
}
