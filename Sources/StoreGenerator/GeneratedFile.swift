import Foundation
import StoreSchema

/// A file that `scripts/generate` writes.
struct GeneratedFile: Hashable {
    /// Below the package.
    let path: String
    let text: String

    static func header(from origin: String) -> String {
        "// Generated from \(origin) by scripts/generate. Do not edit.\n\n"
    }

    /// All files, from the sources of the package in `root`.
    static func all(in root: URL) throws -> [GeneratedFile] {
        let records = TableDefinition.all.compactMap(RecordFile.init)
        let projections = ProjectionDefinition.all.compactMap(ProjectionFile.init)
        return records.map { GeneratedFile(path: "\(recordFolder)/\($0.name)", text: $0.text) }
            + projections.map { GeneratedFile(path: "\(recordFolder)/\($0.name)", text: $0.text) }
            + [
                GeneratedFile(
                    path: queryPath, text: try QueryFile(sources: root.appending(path: "Sources/BrokerStore")).text)
            ]
    }

    static let recordFolder = "Sources/BrokerStore/Records"
    static let queryPath = "Tests/BrokerStoreTests/Support/Queries.swift"
}
