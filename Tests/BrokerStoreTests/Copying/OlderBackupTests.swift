import Foundation
import StoreSchema
import Testing

@testable import BrokerStore

@Suite("Backups of earlier brokers")
struct OlderBackupTests {
    @Test func `are read with the schema of today, and stay as they are`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("old.sqlite")
        let past = try await Store.open(sqlite: path, history: SchemaHistory(Array(Migration.all.prefix(10))))
        _ = try await past.addUserOfFirstSchema()
        await past.close()
        let before = try Data(contentsOf: URL(filePath: path))

        let (digests, version) = try await Store.withCurrent(archive: path) { store in
            (try await store.digests(), try await store.read { try $0.schemaVersion() })
        }

        #expect(digests.map(\.table) == TableDefinition.all.map(\.name))
        #expect(digests.first { $0.table == "users" }?.rows == 1)
        #expect(version == Migration.all.last?.version)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `do not replace a file, nor a link that leads nowhere`() async throws {
        try await withStoreFile { _, path in
            let link = path + ".link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path + ".nothing")

            let error = await failure(StoreError.self) { try await Store.backUp(sqlite: path, to: link) }

            #expect(error?.kind == .fileExists)
            #expect(!FileManager.default.fileExists(atPath: path + ".nothing"))
        }
    }
}
