import BrokerStore
import PostgreSQLTesting
import Testing

@Suite("Columns of sealed values")
struct SealedColumnTests {
    @Test func `every column of the schema whose name begins with sealed_ is in the catalogue`() async throws {
        try await withStoreFile { _, path in
            let found = try RawSQLite(path).rows(
                """
                SELECT tables.name || '.' || columns.name FROM sqlite_master AS tables
                JOIN pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table' AND substr(columns.name, 1, 7) = 'sealed_' ORDER BY 1
                """
            ).map(\.[0])

            #expect(found == SealedColumn.all.map { "\($0.table).\($0.column)" }.sorted())
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `values are read in pages and replaced only where they are unchanged`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let column = try #require(SealedColumn.all.first { $0.table == "pending_tokens" })
            let tokens = (1...5).map { number in
                PendingToken(
                    key: Int64(number), tokenHash: [0xFB, UInt8(number)],
                    sealedEvidence: [1, 9, 9, 9, UInt8(number % 2), 7], createdAt: .noon,
                    expiresAt: .seconds(afterNoon: 60), authTime: 0)
            }
            try await store.write { tx in for token in tokens { try tx.insert(token) } }

            let (first, rest, under, counts) = try await store.read { tx in
                (
                    try tx.sealedValues(of: column, after: 0, limit: 2),
                    try tx.sealedValues(of: column, after: 2, limit: 9),
                    try tx.sealedValues(of: column, after: 0, limit: 9, notUnder: [9, 9, 9, 1]),
                    try tx.sealedCounts(of: column).map { "\($0.keyID) \($0.rows)" }
                )
            }
            let replaced = try await store.write { tx in
                let isFirst = try tx.replace(first[0], in: column, with: [2])
                return [isFirst, try tx.replace(first[0], in: column, with: [3])]
            }
            let after = try await store.read { tx in try tx.sealedValues(of: column, after: 0, limit: 1) }

            #expect(first.map(\.key) == [1, 2])
            #expect(first[0].row == ["pending_tokens", "-wE"])
            #expect(rest.map(\.key) == [3, 4, 5])
            #expect(under.map(\.key) == [2, 4])
            #expect(counts == ["[9, 9, 9, 0] 2", "[9, 9, 9, 1] 3"])
            #expect(replaced == [true, false])
            #expect(after.map(\.bytes) == [[2]])
        }
    }
}
