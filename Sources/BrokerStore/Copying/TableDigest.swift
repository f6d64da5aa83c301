import Crypto
import StoreSchema
import StrictJSON

/// A digest of a table's rows, equal for equal tables of both engines.
package struct TableDigest: Sendable, Hashable {
    package let table: String
    package let rows: Int
    /// SHA-256 of all rows in the order of their keys, in hexadecimal.
    package let sha256: String

    private static let pageSize = 500

    /// Reads a table page by page.
    init(of table: TableDefinition, in transaction: borrowing Transaction) throws(StoreError) {
        var hash = SHA256()
        var (count, last) = (0, RowKey?.none)
        while true {
            let page = try transaction.rows(of: table, after: last, limit: Self.pageSize)
            for row in page { hash.update(data: Self.encoding(row)) }
            count += page.count
            guard page.count == Self.pageSize, let end = page.last else { break }
            last = end.key
        }
        self.table = table.name
        rows = count
        sha256 = Hexadecimal.encode(hash.finalize())
    }

    /// Each value with its kind and its length, so that no two rows have one spelling.
    private static func encoding(_ row: TableRow) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in row.values {
            switch value {
            case .null: bytes.append(0)
            case .integer(let number): append(1, number, to: &bytes)
            case .text(let text):
                append(2, Int64(text.utf8.count), to: &bytes)
                bytes += text.utf8
            case .blob(let blob):
                append(3, Int64(blob.count), to: &bytes)
                bytes += blob
            }
        }
        return bytes
    }

    private static func append(_ kind: UInt8, _ number: Int64, to bytes: inout [UInt8]) {
        bytes.append(kind)
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}

extension Store {
    /// The digests of all tables, at one moment.
    package func digests() async throws -> [TableDigest] {
        try await read { tx in
            try TableDefinition.all.map { table throws(StoreError) in try TableDigest(of: table, in: tx) }
        }
    }
}

extension [TableDigest] {
    /// The tables that are not the same in `other`.
    package func differing(from other: [TableDigest]) -> [String] {
        let known = Set(other)
        return filter { !known.contains($0) }.map(\.table)
    }
}
