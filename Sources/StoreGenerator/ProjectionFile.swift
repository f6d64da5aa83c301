import StoreSchema

/// The Swift file of a projection: the type with its properties, and how it is read and made from a whole record.
struct ProjectionFile {
    private let projection: ProjectionDefinition
    private let record: RecordFile

    /// - Returns: nil for a projection of a table without a record.
    init?(_ projection: ProjectionDefinition) {
        guard let record = RecordFile(projection.table) else { return nil }
        self.projection = projection
        self.record = record
    }

    var name: String { "\(projection.name).swift" }

    var text: String {
        let name = projection.name
        let properties = projection.fields.compactMap(\.property)
        // The record has their comments.
        let declarations = properties.map { "    package var \($0.name): \(record.type(of: $0))" }
        let copies = properties.map { "        \($0.name) = record.\($0.name)" }
        return GeneratedFile.header(from: "`\(projection.table.name)` in Sources/StoreSchema") + """
            import StoreSchema

            \(record.documentation(projection.text, ""))package struct \(name): Sendable, Hashable {
            \(declarations.joined(separator: "\n"))
            }

            extension \(name) {
                /// The columns that it reads, qualified by the table.
                static let columns = ProjectionDefinition.\(name.prefix(1).lowercased() + name.dropFirst()).columnList

                package init(_ record: \(record.record)) {
            \(copies.joined(separator: "\n"))
                }

                package init(reading row: inout Row) throws(StoreError) {
            \(record.reading(of: projection.fields))
                }
            }

            """
    }
}
