import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Counts of rate limits")
struct RateCountTests {
    private static func count(_ key: UInt8, _ count: Int64, at start: Timestamp = .noon) -> RateCount {
        RateCount(name: "a limit", keyHash: Array(repeating: key, count: 16), windowStart: start, count: count)
    }

    @Test(arguments: TestEngine.allCases)
    func `a broker reads the sums of the others, the largest first`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let end = Timestamp.seconds(afterNoon: 120)
            try await store.write { tx in
                try tx.put(Self.count(1, 5), of: "one", expiresAt: end)
                try tx.put(Self.count(1, 9), of: "one", expiresAt: end)
                try tx.put(Self.count(1, 4), of: "two", expiresAt: end)
                try tx.put(Self.count(2, 20), of: "two", expiresAt: end)
                try tx.put(Self.count(3, 7), of: "me", expiresAt: end)
            }

            let others = try await store.read { try $0.rateCounts(ofOthersThan: "me", at: .noon, limit: 10) }
            let first = try await store.read { try $0.rateCounts(ofOthersThan: "me", at: .noon, limit: 1) }

            #expect(others == [Self.count(2, 20), Self.count(1, 13)])
            #expect(first == [Self.count(2, 20)])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `counts of windows that have passed are neither read nor stored`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (early, late) = (Timestamp.seconds(afterNoon: 60), Timestamp.seconds(afterNoon: 120))
            try await store.write { tx in
                try tx.put(Self.count(1, 5), of: "one", expiresAt: early)
                try tx.put(Self.count(1, 6, at: early), of: "one", expiresAt: late)
            }
            let read = try await store.read { try $0.rateCounts(ofOthersThan: "me", at: early, limit: 10) }
            try await store.write { try $0.removeRateCounts(expiredBy: early) }
            let left = try await store.read { try $0.rateCounts(ofOthersThan: "me", at: .noon, limit: 10) }

            #expect(read == [Self.count(1, 6, at: early)])
            #expect(left == read)
        }
    }
}
