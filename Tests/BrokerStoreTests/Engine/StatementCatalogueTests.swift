import BrokerStore
import Foundation
import Testing

@Suite("The catalogue of statements")
struct StatementCatalogueTests {
    /// The text of every source file of the module.
    private static func sources() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/BrokerStore")
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }

    @Test func `every statement in the sources is listed`() throws {
        let written = try Self.sources().map { $0.matches(of: /= Statement\(\s*"(\w+)"/).map { String($0.1) } }
            .flatMap(\.self)

        // Those that copy, examine, bound, consume, queue and seal are made for each table, those that list users for each
        // order.
        let made = ["copy_", "verify_", "bound_", "single_use_", "queue_", "sealed_", "reseal_", "listed_users_"]
        let names = StatementCatalogue.all.map(\.name).filter { name in !made.contains { name.hasPrefix($0) } }
        #expect(!written.isEmpty)
        #expect(Set(written) == Set(names))
    }

    @Test func `names are unique`() {
        let names = StatementCatalogue.all.map(\.name)

        #expect(Set(names).count == names.count)
    }

    @Test func `statements keep to what both engines know`() throws {
        let foreign = /::|\blower\(|\blike\b|\bany\(|skip locked|listen|autoincrement|serial|or ignore|or replace|rowid/
            .ignoresCase()

        for statement in StatementCatalogue.all {
            #expect(statement.sql.firstMatch(of: foreign) == nil, "\(statement.name)")
        }
    }

    @Test func `audit entries and decisions are never changed, and are removed by age or with an unserved copy`() {
        let changing = StatementCatalogue.all.filter {
            $0.sql.contains(/(UPDATE|DELETE FROM|REPLACE INTO) (audit|decisions)/.ignoresCase())
                && !$0.sql.contains("transfers.role = 'incoming' AND transfers.phase <> 'complete'")
                && !$0.sql.contains("AND at <= $2 ORDER BY key LIMIT $3")
                // An entry gets its place in the hash chain once, and goes with the beginning of the chain.
                && !$0.sql.contains("SET sequence = $2, seal_key = $3, seal = $4 WHERE key = $1 AND sequence IS NULL ")
                && !$0.sql.contains("DELETE FROM audit WHERE sequence IS NOT NULL AND sequence <= $1 ")
        }

        #expect(changing.isEmpty)
    }
}
