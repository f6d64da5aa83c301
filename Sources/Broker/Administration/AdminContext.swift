import BrokerStore
import ProviderKit

/// The context of administration: everything that the command line and the admin API may do.
package final class AdminContext: StoreLayer {
    package let configuration: Configuration
    package let stored: StoreContext
    package let providers: ProvidersContext
    package let sessions: SessionContext
    package let outbox: OutboxContext
    package let accounts: AccountContext
    package let openID: OpenIDContext
    package let subjectMigrations: SubjectMigrations
    let auditVerification = AuditVerification()
    /// What this broker's requests came to.
    package let outcomes: OutcomeRecorder

    init(_ openID: OpenIDContext, _ configuration: Configuration) {
        self.configuration = configuration
        stored = openID.stored
        providers = openID.providers
        sessions = openID.sessions
        outbox = openID.outbox
        accounts = openID.accounts
        self.openID = openID
        subjectMigrations = SubjectMigrations(stored: stored)
        outcomes = OutcomeRecorder(openID.stored.store, now: openID.stored.clock)
    }
}

extension AdminContext {
    /// A user by localId or e-mail address.
    ///
    /// - Throws: ``AdminFailure`` when there is none, or a store's error. A user who was merged into another one is not
    ///   that other one: what is done to a user must not be done to someone else by an old id.
    package func user(named name: String) async throws -> UserRecord {
        let canonical = EmailAddress(name)?.canonical
        let record = try await store.read { transaction -> UserRecord? in
            let byEmail = try canonical.flatMap { try transaction.user(holdingEmail: $0) }
            return try (byEmail ?? transaction.user(localID: name)).map { try transaction.record(of: $0) }
        }
        guard let record else {
            let survivor = try await survivor(of: name)
            let merge = survivor.map { ": it was merged into \($0)" } ?? ""
            throw AdminFailure(code: .userNotFound, "there is no user \(name)\(merge)")
        }
        return record
    }
}
