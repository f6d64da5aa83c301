/// The statements of `migrating_subjects`.
enum MigratingSubjectStatements {
    private static let columns = MigratingSubject.columns

    /// The last of the next identities of an issuer that a job does not have, for ``enlist``.
    static let pageEnd = Statement(
        "last_identity_to_enlist",
        """
        SELECT max(page.key) FROM (
            SELECT identities.key FROM identities WHERE provider = $1 AND issuer = $2 AND key > $3 AND NOT EXISTS (
                SELECT 1 FROM migrating_subjects AS listed
                WHERE listed.migration_key = $5 AND listed.identity_key = identities.key)
            ORDER BY identities.key LIMIT $4
        ) AS page
        """, .text, .text, .integer, .integer, .integer)

    static let enlist = Statement(
        "enlist_migrating_subjects",
        """
        INSERT INTO migrating_subjects (migration_key, identity_key, subject, state, changed_at)
        SELECT $1, identities.key, identities.subject, 'pending', $2 FROM identities
        WHERE identities.provider = $3 AND identities.issuer = $4 AND identities.key > $5 AND identities.key <= $6
            AND NOT EXISTS (
                SELECT 1 FROM migrating_subjects AS listed
                WHERE listed.migration_key = $1 AND listed.identity_key = identities.key)
        ON CONFLICT DO NOTHING
        """, .integer, .integer, .text, .text, .integer, .integer)

    static let countIdentities = Statement(
        "count_identities_of_issuer", "SELECT count(*) FROM identities WHERE provider = $1 AND issuer = $2",
        .text, .text)

    static let firstIdentity = Statement(
        "first_identity_of_issuer",
        "SELECT \(Identity.columns) FROM identities WHERE provider = $1 AND issuer = $2 ORDER BY key LIMIT 1",
        .text, .text)

    static let page = Statement(
        "migrating_subjects_in_state",
        """
        SELECT \(columns) FROM migrating_subjects
        WHERE migration_key = $1 AND state = $2 AND identity_key > $3 ORDER BY identity_key LIMIT $4
        """, .integer, .text, .integer, .integer)

    static let everyPage = Statement(
        "migrating_subjects",
        """
        SELECT \(columns) FROM migrating_subjects
        WHERE migration_key = $1 AND identity_key > $2 ORDER BY identity_key LIMIT $3
        """, .integer, .integer, .integer)

    static let ofIdentity = Statement(
        "migrating_subject_of_identity",
        "SELECT \(columns) FROM migrating_subjects WHERE migration_key = $1 AND identity_key = $2", .integer, .integer)

    static let byTransferSubject = Statement(
        "migrating_subject_by_transfer_subject",
        """
        SELECT \(columns), \(SubjectMigrationJob.columns) FROM migrating_subjects
        JOIN subject_migrations ON subject_migrations.key = migrating_subjects.migration_key
        WHERE migrating_subjects.transfer_subject = $1 AND subject_migrations.provider = $2
            AND (subject_migrations.target_issuer = $3 OR subject_migrations.source_issuer = $3)
        ORDER BY subject_migrations.key LIMIT 1
        """, .text, .text, .text)

    static let counts = Statement(
        "count_migrating_subjects",
        "SELECT state, count(*) FROM migrating_subjects WHERE migration_key = $1 GROUP BY state", .integer)

    static let failures = Statement(
        "count_migration_failures",
        """
        SELECT coalesce(reason, ''), count(*) FROM migrating_subjects
        WHERE migration_key = $1 AND state = 'failed' GROUP BY coalesce(reason, '') ORDER BY 1 LIMIT 20
        """, .integer)

    static let set = Statement(
        "set_migrating_subject",
        """
        UPDATE migrating_subjects SET state = $4, transfer_subject = $5, new_subject = $6, email = $7,
            email_relay = $8, profile = $9, reason = $10, changed_at = $11
        WHERE migration_key = $1 AND identity_key = $2 AND state = $3 RETURNING identity_key
        """, .integer, .integer, .text, .text, .text, .text, .text, .integer, .text, .text, .integer)

    /// Failed ones return to the last step that succeeded. `$2`: only those of this reason, null for all.
    static let retry = Statement(
        "retry_migrating_subjects",
        """
        UPDATE migrating_subjects SET reason = NULL, state = CASE
            WHEN new_subject IS NOT NULL THEN 'exchanged' WHEN transfer_subject IS NOT NULL THEN 'prepared'
            ELSE 'pending' END
        WHERE migration_key = $1 AND state = 'failed' AND (CAST($2 AS text) IS NULL OR reason = $2)
        """, .integer, .text)

    static let all = [
        pageEnd, enlist, countIdentities, firstIdentity, page, everyPage, ofIdentity, byTransferSubject, counts,
        failures, set, retry,
    ]
}

extension Transaction {
    /// Adds the next identities of a job's source issuer as pending; those that are there stay as they are.
    ///
    /// - Returns: The key to continue after; nil when no identity is left.
    package func enlist(
        for job: SubjectMigrationJob, after key: Int64, limit: Int
    ) throws(StoreError) -> Int64? {
        let found = try run(
            MigratingSubjectStatements.pageEnd, .text(job.provider), .text(job.sourceIssuer), .integer(key),
            .limit(limit), .integer(job.key))
        guard var row = found.first, let last = try row.optionalInteger() else { return nil }
        try run(
            MigratingSubjectStatements.enlist, .integer(job.key), .time(now), .text(job.provider),
            .text(job.sourceIssuer), .integer(key), .integer(last))
        return last
    }

    /// The number of identities of an issuer.
    package func identityCount(of provider: String, issuer: String) throws(StoreError) -> Int64 {
        let rows = try run(MigratingSubjectStatements.countIdentities, .text(provider), .text(issuer))
        guard var row = rows.first else { return 0 }
        return try row.integer()
    }

    /// The oldest identity of an issuer.
    package func firstIdentity(of provider: String, issuer: String) throws(StoreError) -> Identity? {
        let rows = try run(MigratingSubjectStatements.firstIdentity, .text(provider), .text(issuer))
        guard var row = rows.first else { return nil }
        return try Identity(reading: &row)
    }

    /// The next subjects of a job in the order of their identities, of one state or of all.
    package func migratingSubjects(
        of job: SubjectMigrationJob, in state: MigratingSubject.State?, after key: Int64, limit: Int
    ) throws(StoreError) -> [MigratingSubject] {
        let rows =
            if let state {
                try run(
                    MigratingSubjectStatements.page, .integer(job.key), .text(state.rawValue), .integer(key),
                    .limit(limit))
            } else {
                try run(MigratingSubjectStatements.everyPage, .integer(job.key), .integer(key), .limit(limit))
            }
        return try rows.map { row throws(StoreError) in
            var row = row
            return try MigratingSubject(reading: &row)
        }
    }

    /// The state of an identity in a job.
    package func migratingSubject(
        of job: SubjectMigrationJob, identityKey: Int64
    ) throws(StoreError) -> MigratingSubject? {
        let rows = try run(MigratingSubjectStatements.ofIdentity, .integer(job.key), .integer(identityKey))
        guard var row = rows.first else { return nil }
        return try MigratingSubject(reading: &row)
    }

    /// The subject that an entry of this provider and issuer was given a transfer subject for.
    package func migratingSubject(
        transferSubject: String, provider: String, issuer: String
    ) throws(StoreError) -> (MigratingSubject, SubjectMigrationJob)? {
        let rows = try run(
            MigratingSubjectStatements.byTransferSubject, .text(transferSubject), .text(provider), .text(issuer))
        guard var row = rows.first else { return nil }
        return (try MigratingSubject(reading: &row), try SubjectMigrationJob(reading: &row))
    }

    /// How many subjects of a job are in each state.
    package func subjectCounts(
        of job: SubjectMigrationJob
    ) throws(StoreError) -> [MigratingSubject.State: Int64] {
        var counts: [MigratingSubject.State: Int64] = [:]
        for var row in try run(MigratingSubjectStatements.counts, .integer(job.key)) {
            counts[try row.choice(MigratingSubject.State.self)] = try row.integer()
        }
        return counts
    }

    /// How many subjects of a job failed for each reason, at most twenty reasons.
    package func failureCounts(of job: SubjectMigrationJob) throws(StoreError) -> [(reason: String, count: Int64)] {
        try run(MigratingSubjectStatements.failures, .integer(job.key)).map { row throws(StoreError) in
            var row = row
            return (try row.text(), try row.integer())
        }
    }

    /// Stores a subject's next state.
    ///
    /// - Returns: false if it is no longer in `state`; then nothing was written.
    package func update(_ subject: MigratingSubject, from state: MigratingSubject.State) throws(StoreError) -> Bool {
        let successor = subject.successor
        let rows = try run(
            MigratingSubjectStatements.set, .integer(subject.migrationKey), .integer(subject.identityKey),
            .text(state.rawValue), .text(subject.state.rawValue), .text(orNull: subject.transferSubject),
            .text(orNull: successor?.subject), .text(orNull: successor?.email), .flag(successor?.isRelay ?? false),
            .text(orNull: successor?.profile), .text(orNull: subject.reason), .time(now))
        return !rows.isEmpty
    }

    /// Returns failed subjects to the last step that succeeded, of one reason or all.
    package func retryFailures(of job: SubjectMigrationJob, reason: String? = nil) throws(StoreError) {
        try run(MigratingSubjectStatements.retry, .integer(job.key), .text(orNull: reason))
    }
}
