import CSQLite
import Foundation
import StoreSchema

extension Store {
    /// Copies a SQLite store into a new file of mode 0600, as it is at one moment, while others go on writing.
    ///
    /// - Parameters:
    ///   - path: The store. Its schema is not touched.
    ///   - destination: A file that must not be there yet, in a folder that is.
    ///   - report: Receives the progress.
    /// - Throws: ``StoreError``; then there is no new file.
    package static func backUp(
        sqlite path: String, to destination: String, report: @escaping @Sendable (StoreProgress) -> Void = { _ in }
    ) async throws {
        try await PrivateFile.create(destination) { draft in
            // One statement writes the file, and says nothing meanwhile.
            let total = PrivateFile.size(of: path)
            let watch = Task {
                while (try? await Task.sleep(for: .milliseconds(200))) != nil {
                    report(StoreProgress(.writing, PrivateFile.size(of: draft) ?? 0, of: total))
                }
            }
            defer { watch.cancel() }
            let thread = try await SQLiteThread("store backup") { () throws(StoreError) in
                let connection = try SQLiteConnection.reader(path, SQLiteOptions())
                try connection.refuseUnservable(path)
                try connection.copyFile(to: draft)
                return connection
            } work: { _ in
            }
            await thread.end()
        }
    }

    /// Copies a store of any engine into a new SQLite file of mode 0600, as it is at one moment.
    ///
    /// - Parameters:
    ///   - destination: A file that must not be there yet, in a folder that is.
    ///   - now: Recorded with the new file's schema.
    ///   - report: Receives the progress.
    /// - Throws: ``StoreError``; then there is no new file.
    package func backUp(
        to destination: String, now: Timestamp, report: @escaping @Sendable (StoreProgress) -> Void = { _ in }
    ) async throws {
        try await PrivateFile.create(destination) { draft in
            try await read { tx in
                try tx.refuseIfMoved(for: .starting)
                try tx.writeEverything(to: draft, at: now, report)
            }
        }
    }
}

extension Transaction {
    /// Writes all tables into `draft`, a file that is made anew.
    fileprivate func writeEverything(
        to draft: String, at now: Timestamp, _ report: (StoreProgress) -> Void
    ) throws(StoreError) {
        // The transaction may run again, after it got somewhere.
        for file in [draft + "-wal", draft + "-shm"] { unlink(file) }
        try PrivateFile.makeEmpty(draft)
        let connection = try SQLiteConnection.writer(draft, SQLiteOptions())
        _ = try SQLiteMigrator(connection: connection, path: draft, history: SchemaHistory()).migrate(at: now)
        try connection.control(.beginImmediate)
        let total = try rowCount()
        var copied = 0
        for table in TableDefinition.all {
            try copy(table, into: Transaction(on: connection)) { count in
                copied += count
                report(StoreProgress(.copying, table: table.name, copied, of: total))
            }
        }
        try connection.control(.commit)
        // A file that is only read needs no log beside it.
        try connection.once("PRAGMA journal_mode = DELETE")
    }

    private func copy(
        _ table: TableDefinition, into other: borrowing Transaction, counting: (_ rows: Int) -> Void
    ) throws(StoreError) {
        var last: RowKey?
        while true {
            let page = try rows(of: table, after: last, limit: StoreCopy.pageSize)
            guard try other.place(page).isEmpty else {
                throw StoreError(.corrupt, "\(table.name) refers to rows that are not there: broker store verify")
            }
            counting(page.count)
            guard page.count == StoreCopy.pageSize, let end = page.last else { return }
            last = end.key
        }
    }
}

extension SQLiteConnection {
    /// A backup of what is half filled, or not the truth any more, would be found out only when it is needed.
    fileprivate func refuseUnservable(_ path: String) throws(StoreError) {
        let foreign = StoreError(.foreignFile, "\(path) is not a database of the broker")
        do throws(StoreError) {
            guard try once("PRAGMA application_id") == .integer(Self.applicationID) else { throw foreign }
        } catch {
            throw error.kind == .foreignFile ? foreign : error
        }
        // Before schema 10 there were no transfers.
        guard case .integer(let version) = try once("PRAGMA user_version"), version >= 10 else { return }
        try Transaction(on: self).refuseIfMoved(for: .starting)
    }

    /// Writes everything into `draft`, an empty file.
    fileprivate func copyFile(to draft: String) throws(StoreError) {
        // The file itself is opened for reading only; this switch would also forbid writing to another one.
        try once("PRAGMA query_only = OFF")
        try once("VACUUM INTO '\(draft.replacingOccurrences(of: "'", with: "''"))'")
    }
}
