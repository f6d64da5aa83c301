import Foundation
import Testing

@testable import BrokerStore
@testable import StoreGenerator

@Suite("The catalogue of statements")
struct StatementCatalogueTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every statement in the sources is listed`() throws {
        let path = GeneratedFile.queryPath
        let queries = try #require(try GeneratedFile.all(in: Self.package).first { $0.path == path })

        let listed = try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
        #expect(listed == queries.text, "run scripts/generate")
        #expect(Statement.queries.count > 200)
    }

    @Test func `every record is what its table declares`() throws {
        let records = try GeneratedFile.all(in: Self.package).filter { $0.path.hasPrefix(GeneratedFile.recordFolder) }
        let folder = Self.package.appending(path: GeneratedFile.recordFolder)

        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == Set(records.map { $0.path.split(separator: "/").last.map(String.init) }))
        for record in records {
            let text = try String(contentsOf: Self.package.appending(path: record.path), encoding: .utf8)
            #expect(text == record.text, "\(record.path): run scripts/generate")
        }
    }

    @Test func `names are unique`() {
        let names = Statement.all.map(\.name)

        #expect(Set(names).count == names.count)
    }

    @Test func `statements keep to what both engines know`() throws {
        let foreign = /::|\blower\(|\blike\b|\bany\(|skip locked|listen|autoincrement|serial|or ignore|or replace|rowid/
            .ignoresCase()

        for statement in Statement.all {
            #expect(statement.sql.firstMatch(of: foreign) == nil, "\(statement.name)")
        }
    }

    @Test func `audit entries and decisions are never changed, and are removed by age or with an unserved copy`() {
        let changing = Statement.all.filter {
            $0.sql.contains(/(UPDATE|DELETE FROM|REPLACE INTO) (audit|decisions)/.ignoresCase())
                && !$0.sql.contains("transfers.role = 'incoming' AND transfers.phase <> 'complete'")
                && !$0.sql.contains("AND at <= $2 ORDER BY key LIMIT $3")
                // An entry gets its place in the hash chain once, and goes with the beginning of the chain.
                && !$0.sql.hasSuffix("SET sequence = $2, seal_key = $3, seal = $4 WHERE key = $1 AND sequence IS NULL")
                && !$0.sql.hasSuffix("DELETE FROM audit WHERE sequence IS NOT NULL AND sequence <= $1")
                // It says where a decision is indexed, and nothing of the decision.
                && !$0.sql.contains("UPDATE decisions SET audited = 0 WHERE audited = 1 AND key IN (")
        }

        #expect(changing.isEmpty)
    }
}

extension Statement {
    /// Every statement the store may run: those of declarations, and the queries of methods.
    static let all = StatementCatalogue.all + queries
}
