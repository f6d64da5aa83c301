package import BrokerStore
import ProviderKit

/// Runs one subject migration: prepares transfer subjects as the former owner of the app, or exchanges them as the new one
/// and gives the identities their new subjects.
///
/// Every answer is stored before the next batch is asked. A run that was killed is continued by another one, and two runs at
/// once do no harm: a state changes only from the one it was read in.
package struct MigrateSubjects: Sendable {
    package struct Options: Sendable {
        /// Requests per second.
        package var rate = 20
        /// Requests at a time.
        package var concurrency = 4
        /// The subject or localId of the user who is asked about first.
        package var first: String?
        /// Whether users who failed are asked about again.
        package var retriesFailed = false
        /// When the app was transferred.
        package var transferredAt: Timestamp?
        /// Codes of findings that do not stop the migration.
        package var ignoredFindings: Set<String> = []

        package init() {}
    }

    /// How far a phase is.
    package struct Progress: Sendable {
        package let phase: SubjectMigrationJob.Phase
        package fileprivate(set) var done: Int64
        package let total: Int64
    }

    let migrations: SubjectMigrations
    let provider: ConfiguredProvider
    let migrator: any SubjectMigrator
    let options: Options
    let origin: Origin
    let sleep: @Sendable (Duration) async throws -> Void
    let report: @Sendable (Progress) -> Void

    var store: Store { migrations.store }
    /// Users of one batch: their requests are open at most twice when the process dies.
    static let batch = 100

    /// Requests the transfer subject of every user, as the former owner.
    ///
    /// - Throws: ``SubjectMigrationRefusal``, or a store's error.
    package func prepare() async throws -> SubjectMigrationStatus {
        guard migrator.sides.contains(.source) else { throw SubjectMigrationRefusal.noCredentials(.source) }
        let job = try await begin(.prepare)
        try await pausing(job) {
            try await require(.source)
            try await enlist(job)
            try await run(.prepare(migrator), of: job)
        }
        return try await migrations.status(of: job)
    }

    /// Exchanges every prepared user's transfer subject, as the new owner, and applies the new subjects.
    ///
    /// - Throws: ``SubjectMigrationRefusal``, or a store's error.
    package func exchange() async throws -> SubjectMigrationStatus {
        let job = try await begin(.exchange)
        try await pausing(job) {
            try await store.write { try $0.retryFailures(of: job, reason: MigratingSubject.userExists) }
            try await applyExchanged(job)
            let counts = try await store.read { try $0.subjectCounts(of: job) }
            guard counts[.prepared] != nil else {
                if counts[.applied] == nil, counts[.failed] == nil { throw SubjectMigrationRefusal.nothingPrepared }
                return
            }
            guard migrator.sides.contains(.target) else { throw SubjectMigrationRefusal.noCredentials(.target) }
            try await require(.target)
            try await run(.exchange(migrator), of: job)
        }
        return try await migrations.status(of: job)
    }

    /// Continues the phase that was interrupted or paused.
    ///
    /// - Throws: ``SubjectMigrationRefusal``, or a store's error.
    package func resume() async throws -> SubjectMigrationStatus {
        guard let job = try await migrations.job(of: provider.id, migrator) else { throw SubjectMigrationRefusal.noJob }
        return switch job.phase {
        case .prepare: try await prepare()
        case .exchange: try await exchange()
        }
    }

    /// Checks a phase with the provider and asks about the first user, without storing anything.
    ///
    /// - Returns: The number of users that the phase would ask about.
    /// - Throws: ``SubjectMigrationRefusal``, or a store's error.
    package func rehearse(_ phase: SubjectMigrationJob.Phase) async throws -> Int64 {
        let side: MigrationSide = phase == .prepare ? .source : .target
        guard migrator.sides.contains(side) else { throw SubjectMigrationRefusal.noCredentials(side) }
        try await require(side)
        let known = try await migrations.job(of: provider.id, migrator)
        let job = known ?? newJob(phase)
        guard job.isOpen(at: migrations.now) else { throw SubjectMigrationRefusal.windowClosed(job) }
        let step = MigrationStep.of(phase, migrator)
        guard let first = try await candidates(for: step, of: job, isRehearsal: true).first else { return 0 }
        var authorization: MigrationAuthorization?
        let answers = await requests(step).send([first], &authorization)
        if let failure = answers.failure { throw await refusal(failure, side) }
        if let reason = answers.finished.first?.reason { throw SubjectMigrationRefusal.firstUserRefused(reason) }
        let counts = try await store.read { try $0.subjectCounts(of: job) }
        guard phase == .prepare else { return counts[.prepared] ?? 0 }
        let (all, provider) = (job.sourceIssuer, provider.id)
        return try await store.read { try $0.identityCount(of: provider, issuer: all) } - (counts[.prepared] ?? 0)
    }
}

/// The parts of a run.
extension MigrateSubjects {
    private func newJob(_ phase: SubjectMigrationJob.Phase) -> SubjectMigrationJob {
        SubjectMigrationJob(
            key: 0, provider: provider.id, sourceIssuer: migrator.sourceInstance,
            targetIssuer: migrator.targetInstance, phase: phase, windowSeconds: Int64(migrator.window),
            startedAt: migrations.now)
    }

    private func begin(_ phase: SubjectMigrationJob.Phase) async throws -> SubjectMigrationJob {
        let job = try await migrations.begin(newJob(phase), transferredAt: options.transferredAt, by: origin)
        guard job.isOpen(at: migrations.now) else { throw SubjectMigrationRefusal.windowClosed(job) }
        if options.retriesFailed { try await store.write { try $0.retryFailures(of: job) } }
        return job
    }

    /// Stores why a run stops before its end.
    private func pausing(_ job: SubjectMigrationJob, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let refusal as SubjectMigrationRefusal {
            guard refusal.pauses else { throw refusal }
            let now = migrations.now
            try await store.write(at: now, by: origin) { tx in
                try tx.pause(job, .init(at: now, code: refusal.code, reason: refusal.text))
            }
            throw refusal
        }
    }

    /// - Throws: ``SubjectMigrationRefusal`` when the provider does not accept a side's credentials.
    private func require(_ side: MigrationSide) async throws {
        let findings = await migrator.check(side).filter { !options.ignoredFindings.contains($0.code) }
        guard findings.isEmpty else { throw SubjectMigrationRefusal.notReady(findings) }
    }

    private func refusal(_ error: ProviderError, _ side: MigrationSide) async -> SubjectMigrationRefusal {
        guard error.fault == .configuration else { return .providerUnavailable(error) }
        let findings = await migrator.check(side)
        return findings.isEmpty ? .providerUnavailable(error) : .notReady(findings)
    }

    private func enlist(_ job: SubjectMigrationJob) async throws {
        var after: Int64? = 0
        while let key = after {
            after = try await migrations.write { tx in
                try tx.enlist(for: job, after: key, limit: 1000)
            }
        }
    }

    private func requests(_ step: MigrationStep) -> MigrationRequests {
        MigrationRequests(
            migrator: migrator, side: step.side, concurrency: options.concurrency,
            pace: RequestPace(rate: options.rate), clock: migrations.clock, sleep: sleep, request: step.request)
    }

    /// Runs a step for all users: one first, then the others in batches.
    private func run(_ step: MigrationStep, of job: SubjectMigrationJob) async throws {
        let requests = requests(step)
        var authorization: MigrationAuthorization?
        try await prove(step, of: job, requests, &authorization)
        var progress = try await progress(step.phase, of: job)
        var after: Int64 = 0
        while true {
            let last = after
            let batch = try await store.read {
                try $0.migratingSubjects(of: job, in: step.from, after: last, limit: Self.batch)
            }
            guard let end = batch.last else { return }
            after = end.identityKey
            let answers = await requests.send(batch, &authorization)
            try await take(answers.finished, of: step, job)
            progress.done += Int64(answers.finished.count)
            report(progress)
            if let failure = answers.failure { throw await refusal(failure, step.side) }
        }
    }

    /// Asks about one user before all others, unless the job has been proven by another one.
    private func prove(
        _ step: MigrationStep, of job: SubjectMigrationJob, _ requests: MigrationRequests,
        _ authorization: inout MigrationAuthorization?
    ) async throws {
        var reason: String?
        for candidate in try await candidates(for: step, of: job) {
            let answers = await requests.send([candidate], &authorization)
            if let failure = answers.failure { throw await refusal(failure, step.side) }
            guard let answered = answers.finished.first else { continue }
            guard answered.state == .failed else { return try await take([answered], of: step, job) }
            reason = answered.reason
        }
        if let reason { throw SubjectMigrationRefusal.firstUserRefused(reason) }
    }

    /// The users who may prove a step: the named one, or the first few; none when it is proven.
    private func candidates(
        for step: MigrationStep, of job: SubjectMigrationJob, isRehearsal: Bool = false
    ) async throws -> [MigratingSubject] {
        let name = options.first
        return try await store.read { tx in
            if let name {
                let named = try tx.subject(named: name, of: job)
                if let named, named.state == step.from { return [named] }
                if let named, step.later.contains(named.state) { return [] }
                throw SubjectMigrationRefusal.unknownFirst(name)
            }
            let counts = try tx.subjectCounts(of: job)
            guard isRehearsal || step.later.allSatisfy({ counts[$0] == nil }) else { return [] }
            let listed = try tx.migratingSubjects(of: job, in: step.from, after: 0, limit: 5)
            return listed.isEmpty && isRehearsal && step.from == .pending ? try tx.firstSubject(of: job) : listed
        }
    }

    /// Stores answers; subjects that were exchanged are applied at once.
    private func take(_ subjects: [MigratingSubject], of step: MigrationStep, _ job: SubjectMigrationJob) async throws {
        try await migrations.write(by: origin) { tx in
            for subject in subjects { _ = try tx.update(subject, from: step.from) }
            guard step.side == .target, subjects.contains(where: { $0.state == .exchanged }) else { return }
            try tx.noteTransfer(of: job, at: tx.now)
        }
        if step.side == .target { try await apply(subjects.filter { $0.state == .exchanged }, of: job) }
    }

    /// Applies what an earlier run or an imported file has exchanged.
    private func applyExchanged(_ job: SubjectMigrationJob) async throws {
        var progress = try await progress(.exchange, of: job)
        var after: Int64 = 0
        while true {
            let last = after
            let batch = try await store.read {
                try $0.migratingSubjects(of: job, in: .exchanged, after: last, limit: Self.batch)
            }
            guard let end = batch.last else { return }
            after = end.identityKey
            try await apply(batch, of: job)
            progress.done += Int64(batch.count)
            report(progress)
        }
    }

    private func apply(_ subjects: [MigratingSubject], of job: SubjectMigrationJob) async throws {
        guard !subjects.isEmpty else { return }
        let origin = origin
        try await migrations.write(by: origin) { tx in
            for subject in subjects { try tx.apply(subject, of: job, origin) }
        }
    }

    private func progress(
        _ phase: SubjectMigrationJob.Phase, of job: SubjectMigrationJob
    ) async throws -> Progress {
        let counts = try await store.read { try $0.subjectCounts(of: job) }
        let left = phase == .prepare ? counts[.pending] ?? 0 : (counts[.prepared] ?? 0) + (counts[.exchanged] ?? 0)
        let total = counts.values.reduce(0, +)
        return Progress(phase: phase, done: total - left, total: total)
    }
}
