/// The migrations a broker knows, and what they mean for the schema it finds: the same for every engine.
struct SchemaHistory: Sendable {
    let migrations: [Migration]
    /// Whether a store of an earlier schema is brought up to date; otherwise it is refused.
    let appliesMigrations: Bool

    /// The schema record of a store.
    struct Found: Sendable {
        /// The version of the last migration that was applied; 0 for an empty store.
        let version: Int64
        /// The schema version a broker has to know at least to work on it; nil where the store does not say.
        let oldestBroker: Int64?
    }

    init(_ migrations: [Migration] = Migration.all, appliesMigrations: Bool = true) {
        self.migrations = migrations
        self.appliesMigrations = appliesMigrations
    }

    init(for access: Store.Access) {
        self.init(appliesMigrations: access != .lookup)
    }

    /// The version of the schema this broker makes.
    var latest: Int64 { migrations.last?.version ?? 0 }

    /// The migrations to apply.
    ///
    /// - Parameters:
    ///   - found: The store's record.
    ///   - place: The store's name in the error.
    /// - Returns: The missing migrations, in order; none for a newer, compatible schema.
    /// - Throws: `.newerSchema` when the schema of a newer broker is not compatible, `.readOnly` when an earlier one must
    ///   stay as it is.
    func missing(on found: Found, in place: String) throws(StoreError) -> [Migration] {
        guard found.version > latest else {
            let missing = migrations.filter { $0.version > found.version }
            guard appliesMigrations || missing.isEmpty else {
                throw StoreError(.readOnly, "\(place) has the schema of an earlier version, and is not changed here")
            }
            return missing
        }
        guard let oldestBroker = found.oldestBroker, oldestBroker <= latest else {
            throw StoreError(
                .newerSchema,
                """
                \(place) has schema \(found.version), made by a later broker; this one knows up to \(latest). \
                Run the later broker, or restore a backup from before it was started.
                """)
        }
        return []
    }

    /// The SQL that applies `missing` and records each step, for an engine to run text by text in one transaction in
    /// which ``Migration/table`` exists.
    func script(for missing: [Migration], at now: Timestamp) -> [String] {
        missing.flatMap { migration in
            let version = migration.version
            // Names of migrations are ours: none has a quote in it.
            let record = """
                INSERT INTO schema_migrations (version, name, applied_at)
                VALUES (\(version), '\(migration.name)', \(now.milliseconds))
                """
            let requirement = """
                UPDATE schema_migrations SET oldest_broker = \(oldestBroker(upTo: version)) WHERE version = \(version)
                """
            let isRecorded = version >= Migration.schemaRequirements.version
            return migration.statements + [record] + (isRecorded ? [requirement] : [])
        }
    }

    /// The schema version a broker has to know to work on schema `version`: the last step up to it that left older ones
    /// behind.
    func oldestBroker(upTo version: Int64) -> Int64 {
        migrations.last { $0.version <= version && !$0.keepsOlderBrokers }?.version ?? 1
    }
}
