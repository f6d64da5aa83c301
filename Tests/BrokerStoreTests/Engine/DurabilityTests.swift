import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("answers of the store come after the disk has the change")
struct DurabilityTests {
    private static let synchronous = Statement("pragma_synchronous", "PRAGMA synchronous")
    private static let journal = Statement("pragma_journal_mode", "PRAGMA journal_mode")

    /// For PostgreSQL see `PostgreSQLOpeningTests`.
    @Test func `synchronous is FULL on the connection that writes, with a write-ahead log`() async throws {
        try await withStore(.sqlite) { store in
            let (level, mode) = try await store.write { transaction in
                (
                    try transaction.value(Self.synchronous) { row throws(StoreError) in try row.integer() },
                    try transaction.value(Self.journal) { row throws(StoreError) in try row.text() }
                )
            }

            // 0 OFF, 1 NORMAL, 2 FULL, 3 EXTRA.
            #expect(level == 2 && mode == "wal")
        }
    }
}
