package import BrokerStore
package import ProviderKit

/// The subject migrations of a store: their state, their files, and the end of their time.
package struct SubjectMigrations: StoreLayer {
    package let stored: StoreContext

    /// A run of the migration between the owners that `migrator` names.
    ///
    /// - Parameters:
    ///   - provider: The entry whose identities are migrated.
    ///   - migrator: The provider's requests.
    ///   - options: The pace and what else the operator decides.
    ///   - origin: Who runs it.
    ///   - sleep: Waits between requests.
    ///   - report: Called after each batch.
    /// - Returns: The run, which has not started.
    package func run(
        of provider: ConfiguredProvider, _ migrator: any SubjectMigrator, _ options: MigrateSubjects.Options,
        origin: Origin, sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        report: @escaping @Sendable (MigrateSubjects.Progress) -> Void = { _ in }
    ) -> MigrateSubjects {
        MigrateSubjects(
            migrations: self, provider: provider, migrator: migrator, options: options, origin: origin, sleep: sleep,
            report: report)
    }

    /// The states of all migrations, oldest first.
    package func all() async throws -> [SubjectMigrationStatus] {
        let now = now
        return try await store.read { tx in
            try tx.subjectMigrations(limit: 100).map { try SubjectMigrationStatus($0, at: now, in: tx) }
        }
    }

    /// The state of the migration between the owners that `migrator` names.
    ///
    /// - Throws: ``SubjectMigrationRefusal``, or a store's error.
    package func status(of provider: String, _ migrator: any SubjectMigrator) async throws -> SubjectMigrationStatus {
        guard let job = try await job(of: provider, migrator) else { throw SubjectMigrationRefusal.noJob }
        return try await status(of: job)
    }

    func status(of job: SubjectMigrationJob) async throws -> SubjectMigrationStatus {
        let now = now
        return try await store.read { tx in
            let current = try tx.subjectMigration(of: job.provider, from: job.sourceIssuer, to: job.targetIssuer)
            return try SubjectMigrationStatus(current ?? job, at: now, in: tx)
        }
    }

    func job(of provider: String, _ migrator: any SubjectMigrator) async throws -> SubjectMigrationJob? {
        let (source, target) = (migrator.sourceInstance, migrator.targetInstance)
        return try await store.read { try $0.subjectMigration(of: provider, from: source, to: target) }
    }

    /// Adds a job, or continues the one between its issuers.
    func begin(
        _ job: SubjectMigrationJob, transferredAt: Timestamp?, by origin: Origin
    ) async throws -> SubjectMigrationJob {
        try await write(by: origin) { tx in
            var job = job
            job.key = tx.nextKey()
            let begun = try tx.begin(job)
            if let transferredAt { try tx.setTransfer(of: begun, at: transferredAt) }
            try tx.audit(
                "migration.started", of: nil, provider: job.provider,
                detail: [
                    "phase": .string(job.phase.rawValue), "from": .string(job.sourceIssuer),
                    "to": .string(job.targetIssuer),
                ])
            return try tx.subjectMigration(of: job.provider, from: job.sourceIssuer, to: job.targetIssuer) ?? begun
        }
    }
}

/// A migration with the numbers of its users.
package struct SubjectMigrationStatus: Sendable {
    package let job: SubjectMigrationJob
    package let counts: [MigratingSubject.State: Int64]
    /// The most frequent reasons of failures.
    package let failures: [(reason: String, count: Int64)]
    /// Whole days until the end of the window, rounded up; zero when it is over, nil while the transfer is not known.
    package let daysLeft: Int64?

    init(_ job: SubjectMigrationJob, at now: Timestamp, in transaction: borrowing Transaction) throws(StoreError) {
        self.job = job
        counts = try transaction.subjectCounts(of: job)
        failures = try transaction.failureCounts(of: job)
        daysLeft = job.daysLeft(at: now)
    }

    /// The users who have not got their new subject.
    package var remaining: Int64 {
        counts.filter { $0.key != .applied }.values.reduce(0, +)
    }
}

extension SubjectMigrationJob {
    func daysLeft(at now: Timestamp) -> Int64? {
        closesAt.map { closes in
            let seconds = closes.seconds - now.seconds
            return seconds <= 0 ? 0 : (seconds + 86_399) / 86_400
        }
    }
}

/// A warning that the time of a migration ends.
struct MigrationWarning: Sendable {
    let job: SubjectMigrationJob
    let remaining: Int64
    /// Zero when it is over.
    let daysLeft: Int64
}

extension SubjectMigrations {
    /// The days before the end at which brokers warn; zero is the end itself.
    private static let thresholds: [Int64] = [0, 1, 7, 14]

    /// The warnings that are due and that no broker has given yet.
    func dueWarnings() async throws -> [MigrationWarning] {
        let now = now
        let due = try await all().compactMap { status -> (MigrationWarning, Int64)? in
            guard let daysLeft = status.daysLeft, status.remaining > 0,
                let threshold = Self.thresholds.first(where: { daysLeft <= $0 })
            else { return nil }
            return (MigrationWarning(job: status.job, remaining: status.remaining, daysLeft: daysLeft), threshold)
        }
        guard !due.isEmpty else { return [] }
        return try await store.write(at: now) { tx in
            var warnings: [MigrationWarning] = []
            for (warning, threshold) in due where try tx.noteWarning(of: warning.job, days: threshold) {
                warnings.append(warning)
            }
            return warnings
        }
    }
}
