import Broker
import Foundation
import ProviderKit
import Testing

@Suite("Accounts, whatever clients do", .timeLimit(.minutes(20)))
struct AccountPropertyTests {
    /// New ones in each run; `TESTS_SEED` repeats the one that a failure names.
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["TESTS_SEED"].flatMap { UInt64($0) }.map { [$0] }
        ?? (0..<6).map { _ in UInt64.random(in: .min ... .max) }

    private static let stepCount = 60

    @Test(arguments: [Policy.Preset.strict, .firebase])
    func `no identity is shared, no way in is lost, no token outlives its revocation`(
        preset: Policy.Preset
    ) async throws {
        for seed in Self.seeds {
            do {
                try await Self.walk(Policy(preset), seed: seed)
            } catch {
                Issue.record("TESTS_SEED=\(seed), policy \(preset): \(error)")
                return
            }
        }
    }

    private static func walk(_ policy: Policy, seed: UInt64) async throws {
        try await TestBroker.run(
            { $0.policy = policy },
            entries: { simulator in .array(AccountWalk.providers.map { TestBroker.gitHub(simulator, id: $0) }) }
        ) { broker in
            var walk = AccountWalk(broker, policy, seed: seed)
            for _ in 0..<stepCount {
                try await walk.step()
                try await walk.checkUsers()
                try await walk.checkTokens(all: false)
            }
            try await walk.checkTokens(all: true)
            try await walk.checkLiveSessions()
        }
    }
}
