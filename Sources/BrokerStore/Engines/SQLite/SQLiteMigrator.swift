import Logging

/// Brings the schema of a SQLite file up to date.
struct SQLiteMigrator {
    let connection: SQLiteConnection
    let path: String
    let migrations: [Migration]

    /// Applies what is missing, all of it or nothing.
    ///
    /// - Returns: the migrations that were applied now.
    /// - Throws: `.newerSchema` if the file knows a migration this broker does not.
    func migrate(at now: Timestamp) throws(StoreError) -> [Migration] {
        guard try !missing().isEmpty else { return [] }
        try connection.control(.beginImmediate)
        do {
            // Another process may have been faster.
            let missing = try missing()
            try apply(missing, at: now)
            try connection.control(.commit)
            return missing
        } catch {
            if connection.isInTransaction { try? connection.control(.rollback) }
            throw error
        }
    }

    private func missing() throws(StoreError) -> [Migration] {
        guard case .integer(let version) = try connection.once("PRAGMA user_version") else { return migrations }
        let latest = migrations.last?.version ?? 0
        guard version <= latest else {
            throw StoreError(
                .newerSchema, "\(path) has schema \(version), made by a later broker; this one knows up to \(latest)")
        }
        // Reads the schema and a page of data, so that a damaged file is refused now and not at the first request.
        if version > 0, try connection.once(MigrationStatements.version.sql) != .integer(version) {
            throw StoreError(.corrupt, "\(path) says its schema is \(version), its list of migrations says otherwise")
        }
        return migrations.filter { $0.version > version }
    }

    private func apply(_ missing: [Migration], at now: Timestamp) throws(StoreError) {
        guard let last = missing.last else { return }
        try connection.once(Self.dialect(Migration.table))
        for migration in missing {
            for sql in migration.statements { try connection.once(Self.dialect(sql)) }
            _ = try connection.run(
                MigrationStatements.record, [.integer(migration.version), .text(migration.name), .time(now)])
        }
        try connection.once("PRAGMA application_id = \(SQLiteConnection.applicationID)")
        try connection.once("PRAGMA user_version = \(last.version)")
    }

    /// Tables are clustered by their primary key; SQLite has to be told.
    private static func dialect(_ sql: String) -> String {
        sql.hasPrefix("CREATE TABLE") ? sql + " WITHOUT ROWID" : sql
    }
}
