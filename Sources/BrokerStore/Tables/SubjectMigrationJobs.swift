/// The statements of `subject_migrations`.
enum SubjectMigrationJobStatements {
    static let begin = Statement(
        "begin_subject_migration",
        """
        INSERT INTO subject_migrations (key, provider, source_issuer, target_issuer, phase, window_seconds, started_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (provider, source_issuer, target_issuer) DO UPDATE SET
            phase = excluded.phase, paused_at = NULL, pause_code = NULL, pause_reason = NULL
        RETURNING \(columns)
        """, .integer, .text, .text, .text, .text, .integer, .integer)

    private static let columns = SubjectMigrationJob.columns

    static let find = Statement(
        "subject_migration",
        "SELECT \(columns) FROM subject_migrations WHERE provider = $1 AND source_issuer = $2 AND target_issuer = $3",
        .text, .text, .text)

    static let every = Statement(
        "subject_migrations", "SELECT \(columns) FROM subject_migrations ORDER BY key LIMIT $1", .integer)

    static let pause = Statement(
        "pause_subject_migration",
        "UPDATE subject_migrations SET paused_at = $2, pause_code = $3, pause_reason = $4 WHERE key = $1",
        .integer, .integer, .text, .text)

    static let noteTransfer = Statement(
        "note_app_transfer",
        "UPDATE subject_migrations SET transferred_at = $2 WHERE key = $1 AND transferred_at IS NULL",
        .integer, .integer)

    static let setTransfer = Statement(
        "set_app_transfer", "UPDATE subject_migrations SET transferred_at = $2, warned_days = NULL WHERE key = $1",
        .integer, .integer)

    static let warn = Statement(
        "warn_of_subject_migration",
        """
        UPDATE subject_migrations SET warned_days = $2
        WHERE key = $1 AND (warned_days IS NULL OR warned_days > $2) RETURNING key
        """, .integer, .integer)

    static let all = [begin, find, every, pause, noteTransfer, setTransfer, warn]
}

extension Transaction {
    /// Adds a job, or continues the one with the same provider and issuers in the phase of `job`; a pause ends.
    ///
    /// - Returns: The stored job.
    package func begin(_ job: SubjectMigrationJob) throws(StoreError) -> SubjectMigrationJob {
        let rows = try run(
            SubjectMigrationJobStatements.begin, .integer(job.key), .text(job.provider), .text(job.sourceIssuer),
            .text(job.targetIssuer), .text(job.phase.rawValue), .integer(job.windowSeconds), .time(job.startedAt))
        guard var row = rows.first else { throw StoreError(.misuse, "a subject migration was not stored") }
        return try SubjectMigrationJob(reading: &row)
    }

    /// The job of an entry between two issuers.
    package func subjectMigration(
        of provider: String, from source: String, to target: String
    ) throws(StoreError) -> SubjectMigrationJob? {
        let rows = try run(SubjectMigrationJobStatements.find, .text(provider), .text(source), .text(target))
        guard var row = rows.first else { return nil }
        return try SubjectMigrationJob(reading: &row)
    }

    /// All jobs, oldest first.
    package func subjectMigrations(limit: Int) throws(StoreError) -> [SubjectMigrationJob] {
        try run(SubjectMigrationJobStatements.every, .limit(limit)).map { row throws(StoreError) in
            var row = row
            return try SubjectMigrationJob(reading: &row)
        }
    }

    /// Stores why a job stopped.
    package func pause(_ job: SubjectMigrationJob, _ pause: SubjectMigrationJob.Pause) throws(StoreError) {
        try run(
            SubjectMigrationJobStatements.pause, .integer(job.key), .time(pause.at), .text(pause.code),
            .text(pause.reason))
    }

    /// Stores when the app was transferred, unless that is known.
    package func noteTransfer(of job: SubjectMigrationJob, at time: Timestamp) throws(StoreError) {
        guard job.transferredAt == nil else { return }
        try run(SubjectMigrationJobStatements.noteTransfer, .integer(job.key), .time(time))
    }

    /// Stores when the app was transferred, in place of what was assumed.
    package func setTransfer(of job: SubjectMigrationJob, at time: Timestamp) throws(StoreError) {
        try run(SubjectMigrationJobStatements.setTransfer, .integer(job.key), .time(time))
    }

    /// Notes a warning that `days` are left.
    ///
    /// - Returns: false if a broker warned of this or a later threshold already.
    package func noteWarning(of job: SubjectMigrationJob, days: Int64) throws(StoreError) -> Bool {
        try !run(SubjectMigrationJobStatements.warn, .integer(job.key), .integer(days)).isEmpty
    }
}
