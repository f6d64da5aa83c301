import Logging

/// Brings the schema of a SQLite file up to date.
struct SQLiteMigrator {
    let connection: SQLiteConnection
    let path: String
    let history: SchemaHistory

    /// Applies what is missing, all of it or nothing.
    ///
    /// - Returns: the migrations that were applied now.
    /// - Throws: `.newerSchema` if a later broker made a schema this one cannot work on.
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
        guard case .integer(let version) = try connection.once("PRAGMA user_version") else { return history.migrations }
        let oldestBroker = version > history.latest ? try recordedRequirement(of: version) : nil
        let missing = try history.missing(on: .init(version: version, oldestBroker: oldestBroker), in: path)
        // Reads the schema and a page of data, so that a damaged file is refused now and not at the first request.
        if version > 0, try connection.once(MigrationStatements.version.sql) != .integer(version) {
            throw StoreError(.corrupt, "\(path) says its schema is \(version), its list of migrations says otherwise")
        }
        return missing
    }

    /// The record of the newer broker that made this schema; nil where the record does not cover the schema.
    private func recordedRequirement(of version: Int64) throws(StoreError) -> Int64? {
        guard try connection.once(MigrationStatements.version.sql) == .integer(version),
            case .integer(let requirement) = try connection.once(MigrationStatements.requirement.sql)
        else { return nil }
        return requirement
    }

    private func apply(_ missing: [Migration], at now: Timestamp) throws(StoreError) {
        guard let last = missing.last else { return }
        for sql in [Migration.table] + history.script(for: missing, at: now) { try connection.once(Self.dialect(sql)) }
        try connection.once("PRAGMA application_id = \(SQLiteConnection.applicationID)")
        try connection.once("PRAGMA user_version = \(last.version)")
    }

    /// Clusters tables by their primary key, which SQLite does only WITHOUT ROWID.
    private static func dialect(_ sql: String) -> String {
        sql.hasPrefix("CREATE TABLE") ? sql + " WITHOUT ROWID" : sql
    }
}
