extension Migration {
    /// Migrations of users to the subjects that another owner of an app sees.
    static let subjectMigrations = Migration(
        version: 27, name: "subject migrations",
        statements: [jobs, subjects, subjectsByState, subjectsByIdentity, subjectsByTransferSubject])

    private static let jobs = """
        CREATE TABLE subject_migrations (
            key bigint PRIMARY KEY,
            provider broker_text NOT NULL,
            source_issuer broker_text NOT NULL,
            target_issuer broker_text NOT NULL,
            phase broker_text NOT NULL CHECK (phase IN ('prepare', 'exchange')),
            window_seconds bigint NOT NULL,
            started_at bigint NOT NULL,
            transferred_at bigint,
            warned_days bigint,
            paused_at bigint,
            pause_code broker_text,
            pause_reason broker_text,
            UNIQUE (provider, source_issuer, target_issuer),
            CHECK (source_issuer <> target_issuer)
        )
        """

    private static let subjects = """
        CREATE TABLE migrating_subjects (
            migration_key bigint NOT NULL REFERENCES subject_migrations (key) ON DELETE CASCADE,
            identity_key bigint NOT NULL REFERENCES identities (key) ON DELETE CASCADE,
            subject broker_text NOT NULL,
            transfer_subject broker_text,
            new_subject broker_text,
            email broker_text,
            email_relay bigint NOT NULL DEFAULT 0 CHECK (email_relay IN (0, 1)),
            profile broker_text,
            state broker_text NOT NULL CHECK (state IN ('pending', 'prepared', 'exchanged', 'applied', 'failed')),
            reason broker_text,
            changed_at bigint NOT NULL,
            PRIMARY KEY (migration_key, identity_key)
        )
        """

    private static let subjectsByState = """
        CREATE INDEX migrating_subjects_state ON migrating_subjects (migration_key, state, identity_key)
        """

    private static let subjectsByIdentity = """
        CREATE INDEX migrating_subjects_identity_key ON migrating_subjects (identity_key)
        """

    private static let subjectsByTransferSubject = """
        CREATE INDEX migrating_subjects_transfer_subject ON migrating_subjects (transfer_subject)
        """
}
