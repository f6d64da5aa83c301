import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("Used ID tokens")
struct UsedIDTokenTests {
    private static func token(_ hash: UInt8, by localID: String = "someone", at now: Timestamp = .noon) -> UsedIDToken {
        UsedIDToken(
            key: newKey(), tokenHash: Array(repeating: hash, count: 32), localID: localID, usedAt: now,
            expiresAt: now.advanced(by: .seconds(600)))
    }

    @Test(arguments: TestEngine.allCases)
    func `the first use is recorded and reported to later ones`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (first, second, other) = (Self.token(1), Self.token(1, by: "somebody else"), Self.token(2))

            let earlier = try await store.write { tx in
                [try tx.recordUse(of: first), try tx.recordUse(of: second), try tx.recordUse(of: other)]
            }

            #expect(earlier == [nil, first, nil])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a use is known until housekeeping removes it`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let first = Self.token(1)
            let late = Self.token(1, at: .seconds(afterNoon: 600))

            let earlier = try await store.write { tx in
                let earlier = [try tx.recordUse(of: first), try tx.recordUse(of: late)]
                _ = try tx.removeUsedIDTokens(after: [], upTo: first.tokenHash, expiredBy: first.expiresAt)
                return try earlier + [tx.recordUse(of: late)]
            }

            #expect(earlier == [nil, first, nil])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of many uses at once exactly one is the first`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let earlier = try await withThrowingTaskGroup(of: UsedIDToken?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let token = Self.token(1)
                        return try await store.write { tx in try tx.recordUse(of: token) }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(earlier.count { $0 == nil } == 1)
            #expect(Set(earlier.compactMap { $0?.key }).count == 1)
        }
    }
}
