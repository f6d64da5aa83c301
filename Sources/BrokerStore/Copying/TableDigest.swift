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
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - transaction: Reads it.
    ///   - counting: Called with the number of rows of each page that has some.
    /// - Throws: The store's error.
    init(
        of table: TableDefinition, in transaction: borrowing Transaction, counting: (_ rows: Int) -> Void
    ) throws(StoreError) {
        var hash = SHA256()
        var (count, last) = (0, RowKey?.none)
        while true {
            let page = try transaction.rows(of: table, after: last, limit: Self.pageSize)
            for row in page { hash.update(data: Self.encoding(row)) }
            count += page.count
            if !page.isEmpty { counting(page.count) }
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
    ///
    /// - Parameter report: Receives the progress.
    /// - Returns: One for each table.
    /// - Throws: The store's error.
    package func digests(
        report: @escaping @Sendable (StoreProgress) -> Void = { _ in }
    ) async throws -> [TableDigest] {
        try await read { tx in try tx.digests(.reading, of: try tx.rowCount(), report) }
    }

    /// The number of rows of all tables.
    func rowCount() async throws -> Int { try await read { tx in try tx.rowCount() } }
}

extension Transaction {
    /// The digests of all tables.
    ///
    /// - Parameters:
    ///   - work: What they are read for.
    ///   - total: The number of all rows, as far as it is known.
    ///   - report: Receives the progress.
    /// - Returns: One for each table.
    /// - Throws: The store's error.
    func digests(
        _ work: StoreProgress.Work, of total: Int?, _ report: (StoreProgress) -> Void
    ) throws(StoreError) -> [TableDigest] {
        var digests: [TableDigest] = []
        var done = 0
        for table in TableDefinition.all {
            digests.append(
                try TableDigest(of: table, in: self) { count in
                    done += count
                    report(StoreProgress(work, table: table.name, done, of: total))
                })
        }
        return digests
    }

    /// The number of rows of all tables.
    func rowCount() throws(StoreError) -> Int {
        var rows: Int64 = 0
        for table in TableDefinition.all { rows += try count(of: table) }
        return Int(clamping: rows)
    }
}

extension [TableDigest] {
    /// The tables that are not the same in `other`.
    package func differing(from other: [TableDigest]) -> [String] {
        let known = Set(other)
        return filter { !known.contains($0) }.map(\.table)
    }
}
