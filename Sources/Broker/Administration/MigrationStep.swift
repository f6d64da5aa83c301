import BrokerStore
import ProviderKit

/// The requests of one phase of a migration: which users are asked about, and what their answers mean.
struct MigrationStep: Sendable {
    let phase: SubjectMigrationJob.Phase
    let side: MigrationSide
    /// The state of users who are asked about.
    let from: MigratingSubject.State
    /// The states after the step has succeeded.
    let later: Set<MigratingSubject.State>
    let request: MigrationRequests.Request

    static func of(_ phase: SubjectMigrationJob.Phase, _ migrator: any SubjectMigrator) -> MigrationStep {
        phase == .prepare ? .prepare(migrator) : .exchange(migrator)
    }

    static func prepare(_ migrator: any SubjectMigrator) -> MigrationStep {
        MigrationStep(phase: .prepare, side: .source, from: .pending, later: [.prepared, .exchanged, .applied]) {
            (subject, authorization) async throws(ProviderError) in
            var next = subject
            switch try await migrator.transferSubject(of: subject.subject, authorization) {
            case .unauthorized: return nil
            case .refused(let reason): next.fail(reason)
            case .migrated(let transferSubject):
                guard Evidence.isSubject(transferSubject) else {
                    next.fail("unusable-subject")
                    return next
                }
                (next.state, next.transferSubject, next.reason) = (.prepared, transferSubject, nil)
            }
            return next
        }
    }

    static func exchange(_ migrator: any SubjectMigrator) -> MigrationStep {
        MigrationStep(phase: .exchange, side: .target, from: .prepared, later: [.exchanged, .applied]) {
            (subject, authorization) async throws(ProviderError) in
            var next = subject
            switch try await migrator.exchange(subject.transferSubject ?? "", authorization) {
            case .unauthorized: return nil
            case .refused(let reason): next.fail(reason)
            case .migrated(let identity):
                guard Evidence.isSubject(identity.subject) else {
                    next.fail("unusable-subject")
                    return next
                }
                (next.state, next.successor, next.reason) = (.exchanged, .init(identity), nil)
            }
            return next
        }
    }
}

extension MigratingSubject {
    /// Takes a refusal; reasons are codes, never the provider's texts.
    mutating func fail(_ reason: String) {
        (state, self.reason) = (.failed, reason)
    }
}

extension MigratingSubject.Successor {
    /// The provider's answer; its profile is left out where it is too large.
    init(_ identity: ExternalIdentity) {
        let profile = identity.profile.serialized()
        let email = identity.email.flatMap { EmailAddress($0.address)?.value }
        let isRelay = identity.email?.isRelay == true || email.map(EmailAddress.isRelayDomain) ?? false
        self.init(
            subject: identity.subject, email: email, isRelay: isRelay,
            profile: profile.utf8.count <= 4096 ? profile : nil)
    }
}

extension Transaction {
    /// Gives the identity of a subject that was exchanged its new subject, unless a sign-in has done so meanwhile.
    func apply(_ subject: MigratingSubject, of job: SubjectMigrationJob, _ origin: Origin) throws {
        guard var row = try migratingSubject(of: job, identityKey: subject.identityKey), row.state == .exchanged,
            let successor = row.successor
        else { return }
        let former = IdentityKey(provider: job.provider, issuer: job.sourceIssuer, subject: row.subject)
        guard let identity = try identity(former), identity.key == row.identityKey,
            let user = try user(key: identity.userKey)
        else {
            row.fail("identity-changed")
            _ = try update(row, from: .exchanged)
            return
        }
        let change = SubjectChange(
            identity: identity, user: user,
            successor: IdentityKey(provider: job.provider, issuer: job.targetIssuer, subject: successor.subject),
            email: successor.email.flatMap(EmailAddress.init).map {
                .init(address: $0, isVerified: false, isRelay: successor.isRelay)
            },
            profile: successor.profile.flatMap { try? JSONValue(parsing: $0.utf8, limits: .stored) }?.object ?? [:],
            cause: .migration, origin: origin)
        row.finish(try change.apply(in: self), as: successor)
        // The answer is part of the identity's profile from now on.
        if row.state == .applied { row.successor?.profile = nil }
        _ = try update(row, from: .exchanged)
    }

    /// The subject of a migration by the provider's subject or by the user's localId.
    func subject(named name: String, of job: SubjectMigrationJob) throws(StoreError) -> MigratingSubject? {
        let former = IdentityKey(provider: job.provider, issuer: job.sourceIssuer, subject: name)
        var found = try identity(former)
        if found == nil, let user = try user(localID: name) {
            found = try identities(of: user.key).first { $0.provider.hasSameBytes(as: job.provider) }
        }
        guard let found else { return nil }
        if let listed = try migratingSubject(of: job, identityKey: found.key) { return listed }
        guard found.issuer.hasSameBytes(as: job.sourceIssuer) else { return nil }
        return MigratingSubject(
            migrationKey: job.key, identityKey: found.key, subject: found.subject, changedAt: now)
    }

    /// The first identity of the source issuer, before any is listed.
    func firstSubject(of job: SubjectMigrationJob) throws(StoreError) -> [MigratingSubject] {
        guard let identity = try firstIdentity(of: job.provider, issuer: job.sourceIssuer) else { return [] }
        return [
            MigratingSubject(
                migrationKey: job.key, identityKey: identity.key, subject: identity.subject, changedAt: now)
        ]
    }
}
