import BrokerStore
import StoreSchema
import Testing

@Suite("Digests of tables")
struct TableDigestTests {
    /// A store with one row in every table but that of merges, and its file.
    private static func withPopulatedStore(_ body: (Store, String) async throws -> Void) async throws {
        try await withStoreFile { store, path in
            try await Crowd(of: store).join()
            try await body(store, path)
        }
    }

    @Test func `a value that changes anywhere changes the digest of its table alone`() async throws {
        try await Self.withPopulatedStore { store, path in
            let file = try RawSQLite(path)
            try file.run("PRAGMA ignore_check_constraints = ON")
            for table in TableDefinition.all where !["pending_merges", "signing_keys"].contains(table.name) {
                let before = try await store.digests()
                let column = try #require(table.columns.last { !table.key.contains($0) } ?? table.columns.last)
                let value = ["x'00'", "'other'", "7"][[.blob, .text, .integer].firstIndex(of: column.type) ?? 0]
                try file.run("UPDATE \(table.name) SET \(column.name) = \(value)")

                #expect(try await store.digests().differing(from: before) == [table.name], "\(column.name)")
            }
        }
    }

    @Test func `what stands in one column is not taken for what stands in the next`() async throws {
        try await Self.withPopulatedStore { store, path in
            let file = try RawSQLite(path)
            try file.run("UPDATE decisions SET rule = 'ab', outcome = 'c'")
            let before = try await store.digests()
            try file.run("UPDATE decisions SET rule = 'a', outcome = 'bc'")

            #expect(try await store.digests().differing(from: before) == ["decisions"])
        }
    }

    @Test func `a null is not an empty text`() async throws {
        try await Self.withPopulatedStore { store, path in
            let file = try RawSQLite(path)
            try file.run("UPDATE audit SET actor = NULL")
            let before = try await store.digests()
            try file.run("UPDATE audit SET actor = ''")

            #expect(try await store.digests().differing(from: before) == ["audit"])
        }
    }
}
