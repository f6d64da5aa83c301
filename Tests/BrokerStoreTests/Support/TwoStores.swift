import BrokerStore
import Foundation
import PostgreSQLTesting

/// Two stores on one database, as two brokers have them.
struct TwoStores: Sendable {
    let engine: TestEngine
    let one: Store
    let other: Store

    /// `TESTS_ROUNDS` raises the number for a soak run.
    static let rounds = ProcessInfo.processInfo.environment["TESTS_ROUNDS"].flatMap { Int($0) } ?? 50

    /// Opens both on an empty database and lends them to `body`.
    static func run<T>(on engine: TestEngine, _ body: (TwoStores) async throws -> T) async throws -> T {
        switch engine {
        case .sqlite:
            try await withStoreFile { one, path in
                try await lend(TwoStores(engine: engine, one: one, other: try await .open(sqlite: path)), body)
            }
        case .postgreSQL:
            try await withDatabase { one, url in
                try await lend(TwoStores(engine: engine, one: one, other: try await .open(postgreSQL: url)), body)
            }
        }
    }

    private static func lend<T>(_ stores: TwoStores, _ body: (TwoStores) async throws -> T) async throws -> T {
        do {
            let value = try await body(stores)
            await stores.other.close()
            return value
        } catch {
            await stores.other.close()
            throw error
        }
    }

    /// Runs a race again and again.
    static func race(on engine: TestEngine, _ round: (TwoStores) async throws -> Void) async throws {
        try await run(on: engine) { stores in
            for _ in 0..<rounds { try await round(stores) }
        }
    }

    /// What `contender` comes to when it runs `count` times at the same moment, in turn at one and at the other store.
    func contend<T: Sendable>(
        _ count: Int = 2, _ contender: @escaping @Sendable (Store, Int) async throws -> T
    ) async throws -> [T] {
        let line = StartingLine(for: count)
        return try await withThrowingTaskGroup(of: (Int, T).self) { group in
            for number in 0..<count {
                let store = number.isMultiple(of: 2) ? one : other
                group.addTask {
                    await line.wait()
                    return (number, try await contender(store, number))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Where transactions of this many contenders meet between what they read and what they write.
    func meetingPoint(for parties: Int = 2) -> MeetingPoint {
        // SQLite lets one writer in at a time.
        MeetingPoint(for: engine == .postgreSQL ? parties : 0)
    }
}
