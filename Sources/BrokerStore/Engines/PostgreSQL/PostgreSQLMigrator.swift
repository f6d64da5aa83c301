/// Brings the schema of a PostgreSQL database up to date.
///
/// The tables stand in the first schema of the connection's search path. Brokers that start at the same moment take
/// turns at the table of migrations.
struct PostgreSQLMigrator {
    let pipeline: PostgreSQLPipeline
    let history: SchemaHistory

    /// Applies what is missing, all of it or nothing.
    ///
    /// - Returns: the migrations that were applied now.
    /// - Throws: `.newerSchema` if a later broker made a schema this one cannot work on, `.foreignFile` if its tables are
    ///   another program's; ``PostgreSQLFailure``.
    func migrate(at now: Timestamp) throws -> [Migration] {
        guard try !missing().isEmpty else { return [] }
        try pipeline.once("BEGIN")
        do {
            try pipeline.once(Self.limits)
            try pipeline.once(Self.type)
            try pipeline.once(Migration.table)
            // The second broker waits here, tries again, and finds the migrations applied.
            // Readers are let in: a running broker shows by this table that it is ready.
            try pipeline.once("LOCK TABLE schema_migrations IN SHARE ROW EXCLUSIVE MODE")
            let missing = try missing()
            for sql in history.script(for: missing, at: now) { try pipeline.once(sql) }
            try pipeline.once("COMMIT")
            return missing
        } catch {
            _ = try? pipeline.once("ROLLBACK")
            throw error
        }
    }

    private func missing() throws -> [Migration] {
        let version = try version()
        let oldestBroker = version > history.latest ? try number(MigrationStatements.requirement.sql) : nil
        return try history.missing(on: .init(version: version, oldestBroker: oldestBroker), in: "the database")
    }

    /// The version of the last migration that was applied; 0 for an empty schema.
    private func version() throws -> Int64 {
        let counts = try number(
            """
            SELECT count(*) + 1000000 * count(*) FILTER (WHERE relname = 'schema_migrations') FROM pg_class
            WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
                AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
                AND NOT EXISTS (
                    SELECT 1 FROM pg_depend
                    WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
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
        return try number(MigrationStatements.version.sql)
    }

    private func number(_ sql: String) throws -> Int64 {
        guard let text = try pipeline.once(sql)?.firstText, let number = Int64(text) else {
            throw StoreError(.corrupt, "the database's answer makes no sense")
        }
        return number
    }

    /// A change of a large table may be slow, but its lock time-out is short: other transactions queue behind its lock.
    private static let limits = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '3s'"

    /// The types our DDL is written in: text compared byte by byte, as in SQLite.
    private static let type = """
        DO $$ BEGIN
            IF to_regtype('broker_text') IS NULL THEN CREATE DOMAIN broker_text AS text COLLATE "C"; END IF;
        END $$
        """
}
