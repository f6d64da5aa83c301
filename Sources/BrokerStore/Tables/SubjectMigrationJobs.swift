extension SubjectMigrationJob {
    /// The phase that runs, or ran last.
    package enum Phase: String, Sendable, Hashable {
        /// The former owner requests a transfer subject for each user.
        case prepare
        /// The new owner exchanges transfer subjects, and the new subjects replace the old ones.
        case exchange
    }

    /// The end of the window; nil while the transfer of the app is not known.
    package var closesAt: Timestamp? { transferredAt?.advanced(by: .seconds(windowSeconds)) }

    /// Whether subjects can still be exchanged.
    package func isOpen(at now: Timestamp) -> Bool { closesAt.map { now < $0 } ?? true }
}

extension Transaction {
    /// Adds a job, or continues the one with the same provider and issuers in the phase of `job`; a pause ends.
    ///
    /// - Returns: The stored job.
    package func begin(_ job: SubjectMigrationJob) throws(StoreError) -> SubjectMigrationJob {
        let stored: SubjectMigrationJob? = try first(
            "begin_subject_migration",
            """
            INSERT INTO subject_migrations
                (key, provider, source_issuer, target_issuer, phase, window_seconds, started_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (provider, source_issuer, target_issuer) DO UPDATE SET
                phase = excluded.phase, paused_at = NULL, pause_code = NULL, pause_reason = NULL
            RETURNING \(SubjectMigrationJob.columns)
            """, .integer(job.key), .text(job.provider), .text(job.sourceIssuer), .text(job.targetIssuer),
            .text(job.phase.rawValue), .integer(job.windowSeconds), .time(job.startedAt))
        guard let stored else { throw StoreError(.misuse, "a subject migration was not stored") }
        return stored
    }

    /// The job of an entry between two issuers.
    package func subjectMigration(
        of provider: String, from source: String, to target: String
    ) throws(StoreError) -> SubjectMigrationJob? {
        try first(
            "subject_migration",
            """
            SELECT \(SubjectMigrationJob.columns) FROM subject_migrations
            WHERE provider = $1 AND source_issuer = $2 AND target_issuer = $3
            """, .text(provider), .text(source), .text(target))
    }

    /// All jobs, oldest first.
    package func subjectMigrations(limit: Int) throws(StoreError) -> [SubjectMigrationJob] {
        try all(
            "subject_migrations", "SELECT \(SubjectMigrationJob.columns) FROM subject_migrations ORDER BY key LIMIT $1",
            .limit(limit))
    }

    /// Stores why a job stopped.
    package func pause(_ job: SubjectMigrationJob, _ pause: SubjectMigrationJob.Pause) throws(StoreError) {
        try run(
            "pause_subject_migration",
            "UPDATE subject_migrations SET paused_at = $2, pause_code = $3, pause_reason = $4 WHERE key = $1",
            .integer(job.key), .time(pause.at), .text(pause.code), .text(pause.reason))
    }

    /// Stores when the app was transferred, unless that is known.
    package func noteTransfer(of job: SubjectMigrationJob, at time: Timestamp) throws(StoreError) {
        guard job.transferredAt == nil else { return }
        try run(
            "note_app_transfer",
            "UPDATE subject_migrations SET transferred_at = $2 WHERE key = $1 AND transferred_at IS NULL",
            .integer(job.key), .time(time))
    }

    /// Stores when the app was transferred, in place of what was assumed.
    package func setTransfer(of job: SubjectMigrationJob, at time: Timestamp) throws(StoreError) {
        try run(
            "set_app_transfer", "UPDATE subject_migrations SET transferred_at = $2, warned_days = NULL WHERE key = $1",
            .integer(job.key), .time(time))
    }

    /// Notes a warning that `days` are left.
    ///
    /// - Returns: false if a broker warned of this or a later threshold already.
    package func noteWarning(of job: SubjectMigrationJob, days: Int64) throws(StoreError) -> Bool {
        try run(
            "warn_of_subject_migration",
            """
            UPDATE subject_migrations SET warned_days = $2
            WHERE key = $1 AND (warned_days IS NULL OR warned_days > $2)
            """, .integer(job.key), .integer(days)) > 0
    }
}
