extension MigratingSubject {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Nothing was requested yet.
        case pending
        /// The former owner's side has the transfer subject.
        case prepared
        /// The new owner's subject is known.
        case exchanged
        /// The identity has the new subject.
        case applied
        /// The provider or the store refused the user; the reason says why.
        case failed
    }
}

extension Transaction {
    /// Adds the next identities of a job's source issuer as pending; those that are there stay as they are.
    ///
    /// - Returns: The key to continue after; nil when no identity is left.
    package func enlist(
        for job: SubjectMigrationJob, after key: Int64, limit: Int
    ) throws(StoreError) -> Int64? {
        // The last of the next identities of the issuer that the job does not have.
        let found = try value(
            "last_identity_to_enlist",
            """
            SELECT max(page.key) FROM (
                SELECT identities.key FROM identities WHERE provider = $1 AND issuer = $2 AND key > $3 AND NOT EXISTS (
                    SELECT 1 FROM migrating_subjects AS listed
                    WHERE listed.migration_key = $5 AND listed.identity_key = identities.key)
                ORDER BY identities.key LIMIT $4
            ) AS page
            """, .text(job.provider), .text(job.sourceIssuer), .integer(key), .limit(limit), .integer(job.key)
        ) { row throws(StoreError) in try row.optionalInteger() }
        guard let last = found ?? nil else { return nil }
        try run(
            "enlist_migrating_subjects",
            """
            INSERT INTO migrating_subjects (migration_key, identity_key, subject, state, changed_at)
            SELECT $1, identities.key, identities.subject, 'pending', $2 FROM identities
            WHERE identities.provider = $3 AND identities.issuer = $4 AND identities.key > $5 AND identities.key <= $6
                AND NOT EXISTS (
                    SELECT 1 FROM migrating_subjects AS listed
                    WHERE listed.migration_key = $1 AND listed.identity_key = identities.key)
            ON CONFLICT DO NOTHING
            """, .integer(job.key), .time(now), .text(job.provider), .text(job.sourceIssuer), .integer(key),
            .integer(last))
        return last
    }

    /// The number of identities of an issuer.
    package func identityCount(of provider: String, issuer: String) throws(StoreError) -> Int64 {
        let count = try value(
            "count_identities_of_issuer", "SELECT count(*) FROM identities WHERE provider = $1 AND issuer = $2",
            .text(provider), .text(issuer)
        ) { row throws(StoreError) in try row.integer() }
        return count ?? 0
    }

    /// The oldest identity of an issuer.
    package func firstIdentity(of provider: String, issuer: String) throws(StoreError) -> Identity? {
        try first(
            "first_identity_of_issuer",
            "SELECT \(Identity.columns) FROM identities WHERE provider = $1 AND issuer = $2 ORDER BY key LIMIT 1",
            .text(provider), .text(issuer))
    }

    /// The next subjects of a job in the order of their identities, of one state or of all.
    package func migratingSubjects(
        of job: SubjectMigrationJob, in state: MigratingSubject.State?, after key: Int64, limit: Int
    ) throws(StoreError) -> [MigratingSubject] {
        guard let state else {
            return try all(
                "migrating_subjects",
                """
                SELECT \(MigratingSubject.columns) FROM migrating_subjects
                WHERE migration_key = $1 AND identity_key > $2 ORDER BY identity_key LIMIT $3
                """, .integer(job.key), .integer(key), .limit(limit))
        }
        return try all(
            "migrating_subjects_in_state",
            """
            SELECT \(MigratingSubject.columns) FROM migrating_subjects
            WHERE migration_key = $1 AND state = $2 AND identity_key > $3 ORDER BY identity_key LIMIT $4
            """, .integer(job.key), .text(state.rawValue), .integer(key), .limit(limit))
    }

    /// The state of an identity in a job.
    package func migratingSubject(
        of job: SubjectMigrationJob, identityKey: Int64
    ) throws(StoreError) -> MigratingSubject? {
        try first(
            "migrating_subject_of_identity",
            """
            SELECT \(MigratingSubject.columns) FROM migrating_subjects WHERE migration_key = $1 AND identity_key = $2
            """, .integer(job.key), .integer(identityKey))
    }

    /// The subject that an entry of this provider and issuer was given a transfer subject for.
    package func migratingSubject(
        transferSubject: String, provider: String, issuer: String
    ) throws(StoreError) -> (MigratingSubject, SubjectMigrationJob)? {
        try value(
            "migrating_subject_by_transfer_subject",
            """
            SELECT \(MigratingSubject.columns), \(SubjectMigrationJob.columns) FROM migrating_subjects
            JOIN subject_migrations ON subject_migrations.key = migrating_subjects.migration_key
            WHERE migrating_subjects.transfer_subject = $1 AND subject_migrations.provider = $2
                AND (subject_migrations.target_issuer = $3 OR subject_migrations.source_issuer = $3)
            ORDER BY subject_migrations.key LIMIT 1
            """, .text(transferSubject), .text(provider), .text(issuer)
        ) { row throws(StoreError) in
            (try MigratingSubject(reading: &row), try SubjectMigrationJob(reading: &row))
        }
    }

    /// How many subjects of a job are in each state.
    package func subjectCounts(
        of job: SubjectMigrationJob
    ) throws(StoreError) -> [MigratingSubject.State: Int64] {
        let counts = try rows(
            "count_migrating_subjects",
            "SELECT state, count(*) FROM migrating_subjects WHERE migration_key = $1 GROUP BY state", .integer(job.key)
        ) { row throws(StoreError) in
            (try row.choice(MigratingSubject.State.self), try row.integer())
        }
        return Dictionary(uniqueKeysWithValues: counts)
    }

    /// How many subjects of a job failed for each reason, at most twenty reasons.
    package func failureCounts(of job: SubjectMigrationJob) throws(StoreError) -> [(reason: String, count: Int64)] {
        try rows(
            "count_migration_failures",
            """
            SELECT coalesce(reason, ''), count(*) FROM migrating_subjects
            WHERE migration_key = $1 AND state = 'failed' GROUP BY coalesce(reason, '') ORDER BY 1 LIMIT 20
            """, .integer(job.key)
        ) { row throws(StoreError) in
            (reason: try row.text(), count: try row.integer())
        }
    }

    /// Stores a subject's next state.
    ///
    /// - Returns: false if it is no longer in `state`; then nothing was written.
    package func update(_ subject: MigratingSubject, from state: MigratingSubject.State) throws(StoreError) -> Bool {
        let successor = subject.successor
        return try run(
            "set_migrating_subject",
            """
            UPDATE migrating_subjects SET state = $4, transfer_subject = $5, new_subject = $6, email = $7,
                email_relay = $8, profile = $9, reason = $10, changed_at = $11
            WHERE migration_key = $1 AND identity_key = $2 AND state = $3
            """, .integer(subject.migrationKey), .integer(subject.identityKey), .text(state.rawValue),
            .text(subject.state.rawValue), .text(orNull: subject.transferSubject), .text(orNull: successor?.subject),
            .text(orNull: successor?.email), .flag(successor?.isRelay ?? false), .text(orNull: successor?.profile),
            .text(orNull: subject.reason), .time(now)) > 0
    }

    /// Returns failed subjects to the last step that succeeded, of one reason or all.
    package func retryFailures(of job: SubjectMigrationJob, reason: String? = nil) throws(StoreError) {
        // `$2`: only those of this reason, null for all.
        try run(
            "retry_migrating_subjects",
            """
            UPDATE migrating_subjects SET reason = NULL, state = CASE
                WHEN new_subject IS NOT NULL THEN 'exchanged' WHEN transfer_subject IS NOT NULL THEN 'prepared'
                ELSE 'pending' END
            WHERE migration_key = $1 AND state = 'failed' AND (CAST($2 AS text) IS NULL OR reason = $2)
            """, .integer(job.key), .text(orNull: reason))
    }
}
