// Generated from `client_logos` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// The content of a client's logo, apart from the client, which is read much more often.
package struct ClientLogo: Record {
    package var clientKey: Int64
    /// SHA-256 of the content in hexadecimal, and its format: another content has another name.
    package var name: String
    /// An SVG or a PNG that was checked and written anew.
    package var content: [UInt8]

    package init(clientKey: Int64, name: String, content: [UInt8]) {
        self.clientKey = clientKey
        self.name = name
        self.content = content
    }
}

extension ClientLogo {
    package static let table = TableDefinition.clientLogos
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        clientKey = try row.integer()
        name = try row.text()
        content = try row.blob()
    }

    package var values: [SQLValue] {
        [.integer(clientKey), .text(name), .blob(content)]
    }
}
