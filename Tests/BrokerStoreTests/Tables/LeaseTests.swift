import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Leases")
struct LeaseTests {
    private static func lease(_ holder: String = randomText(22)) -> Lease {
        Lease(name: "some work", holder: holder, duration: .seconds(60))
    }

    private static func acquire(_ lease: Lease, at now: Timestamp, in store: Store) async throws -> Bool {
        try await store.write { try $0.acquire(lease, at: now) }
    }

    private static func renew(
        _ lease: Lease, position: Int64? = nil, at now: Timestamp, in store: Store
    ) async throws -> Bool {
        try await store.write { try $0.renew(lease, position: position, at: now) }
    }

    @Test(arguments: TestEngine.allCases)
    func `one holder has it until it runs out`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (first, second) = (Self.lease(), Self.lease())

            let outcomes = [
                try await Self.acquire(first, at: .noon, in: store),
                try await Self.acquire(second, at: .seconds(afterNoon: 59), in: store),
                try await Self.acquire(second, at: .seconds(afterNoon: 60), in: store),
                try await Self.acquire(first, at: .seconds(afterNoon: 61), in: store),
            ]

            #expect(outcomes == [true, false, true, false])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `its holder keeps it by renewing, and notices that it is lost`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (first, second) = (Self.lease(), Self.lease())
            _ = try await Self.acquire(first, at: .noon, in: store)

            #expect(try await Self.renew(first, at: .seconds(afterNoon: 50), in: store))
            #expect(try await !Self.acquire(second, at: .seconds(afterNoon: 100), in: store))
            #expect(try await Self.acquire(second, at: .seconds(afterNoon: 110), in: store))
            #expect(try await !Self.renew(first, at: .seconds(afterNoon: 111), in: store))
            #expect(try await store.read { try $0.lease(named: "some work") }?.holder == second.holder)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `one that was given back is free at once, by its holder only`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (first, second) = (Self.lease(), Self.lease())
            _ = try await Self.acquire(first, at: .noon, in: store)

            #expect(try await !store.write { try $0.release(second, at: .noon) })
            #expect(try await !Self.acquire(second, at: .noon, in: store))
            #expect(try await store.write { try $0.release(first, at: .noon) })
            #expect(try await Self.acquire(second, at: .noon, in: store))
        }
    }

    @Test(arguments: [3600, 86_400, 315_360_000], TestEngine.allCases)
    func `a lease of a clock that was ahead does not block the work`(seconds: Int, on engine: TestEngine)
        async throws
    {
        try await withStore(engine) { store in
            let (mistaken, sane) = (Self.lease(), Self.lease())
            _ = try await Self.acquire(mistaken, at: .seconds(afterNoon: seconds), in: store)

            #expect(try await Self.acquire(sane, at: .noon, in: store))
        }
    }

    @Test func `no lease is longer than the longest`() {
        #expect(Lease(name: "a", holder: "b", duration: .seconds(86_400)).duration == Lease.longest)
        #expect(Lease(name: "a", holder: "b", duration: .seconds(-1)).duration == .zero)
    }

    @Test(arguments: TestEngine.allCases)
    func `how far the work has come outlives its holder`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (first, second) = (Self.lease(), Self.lease())
            _ = try await Self.acquire(first, at: .noon, in: store)
            _ = try await Self.renew(first, position: 7, at: .noon, in: store)
            _ = try await Self.renew(first, at: .noon, in: store)
            try await store.write { try $0.release(first, at: .noon) }

            _ = try await Self.acquire(second, at: .noon, in: store)

            #expect(try await store.read { try $0.lease(named: "some work") }?.position == 7)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `of many concurrent callers in two processes one gets it`(on engine: TestEngine) async throws {
        try await withTwoStores(engine) { first, second in
            for round in 0..<50 {
                let name = "work \(round)"
                let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<8 {
                        let lease = Lease(name: name, holder: randomText(22), duration: .seconds(60))
                        let store = number.isMultiple(of: 2) ? first : second
                        group.addTask { try await Self.acquire(lease, at: .noon, in: store) }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(winners == 1)
            }
        }
    }
}
