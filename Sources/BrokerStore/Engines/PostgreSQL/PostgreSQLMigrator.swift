/// Brings the schema of a PostgreSQL database up to date.
///
/// The tables stand in the first schema of the connection's search path. Brokers that start at the same moment take
/// turns at the table of migrations.
struct PostgreSQLMigrator {
    let pipeline: PostgreSQLPipeline
    let migrations: [Migration]

    /// Applies what is missing, all of it or nothing.
    ///
    /// - Returns: the migrations that were applied now.
    /// - Throws: `.newerSchema` if the database knows a migration this broker does not, `.foreignFile` if its tables are
    ///   another program's; ``PostgreSQLTrouble``.
    func migrate(at now: Timestamp) throws -> [Migration] {
        guard try !missing(from: version()).isEmpty else { return [] }
        try pipeline.once("BEGIN")
        do {
            try pipeline.once(Self.limits)
            try pipeline.once(Self.type)
            try pipeline.once(Migration.table)
            // Whoever comes second waits here, and finds the work done.
            try pipeline.once("LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE")
            let missing = try missing(from: version())
            for migration in missing { try apply(migration, at: now) }
            try pipeline.once("COMMIT")
            return missing
        } catch {
            _ = try? pipeline.once("ROLLBACK")
            throw error
        }
    }

    private func apply(_ migration: Migration, at now: Timestamp) throws {
        for sql in migration.statements { try pipeline.once(sql) }
        // Names of migrations are ours and need no quoting beyond the quotes.
        try pipeline.once(
            """
            INSERT INTO schema_migrations (version, name, applied_at)
            VALUES (\(migration.version), '\(migration.name)', \(now.milliseconds))
            """)
    }

    private func missing(from version: Int64) throws -> [Migration] {
        let latest = migrations.last?.version ?? 0
        guard version <= latest else {
            throw StoreError(
                .newerSchema,
                "the database has schema \(version), made by a later broker; this one knows up to \(latest)")
        }
        return migrations.filter { $0.version > version }
    }

    /// The version of the last migration that was applied; 0 for an empty schema.
    private func version() throws -> Int64 {
        let counts = try number(
            """
            SELECT count(*) + 1000000 * count(*) FILTER (WHERE table_name = 'schema_migrations')
            FROM information_schema.tables WHERE table_schema = current_schema()
            """)
        guard counts > 0 else { return 0 }
        let foreign = StoreError(.foreignFile, "the database holds tables of another program; none was touched")
        guard counts > 1_000_000 else {
            guard counts == 1_000_000 else { throw foreign }
            return 0
        }
        let isOurs = try number(
            """
            SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema()
            AND table_name = 'schema_migrations' AND column_name = 'applied_at' AND data_type = 'bigint'
            """)
        guard isOurs == 1 else { throw foreign }
        return try number("SELECT coalesce(max(version), 0) FROM schema_migrations")
    }

    private func number(_ sql: String) throws -> Int64 {
        guard let text = try pipeline.once(sql)?.firstText, let number = Int64(text) else {
            throw StoreError(.corrupt, "the database's answer makes no sense")
        }
        return number
    }

    /// A change of a great table takes its time, but waits for nobody for long: whoever comes after it would wait too.
    private static let limits = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '3s'"

    /// The types our DDL is written in: text compared byte by byte, as in SQLite.
    private static let type = """
        DO $$ BEGIN
            IF to_regtype('broker_text') IS NULL THEN CREATE DOMAIN broker_text AS text COLLATE "C"; END IF;
        END $$
        """
}
