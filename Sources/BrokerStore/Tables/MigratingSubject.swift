/// One user's identity on its way to the subject of the app's new owner.
package struct MigratingSubject: Sendable, Hashable {
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

    /// The user as the app's new owner sees them.
    package struct Successor: Sendable, Hashable {
        package var subject: String
        package var email: String?
        package var isRelay: Bool
        /// The provider's answer, JSON as text; its members replace those of the identity's profile.
        package var profile: String?

        package init(subject: String, email: String? = nil, isRelay: Bool = false, profile: String? = nil) {
            (self.subject, self.email, self.isRelay, self.profile) = (subject, email, isRelay, profile)
        }
    }

    package var migrationKey: Int64
    package var identityKey: Int64
    /// The subject at the former owner.
    package var subject: String
    /// The transfer subject of this user, which the former owner gives the new one.
    package var transferSubject: String?
    package var successor: Successor?
    package var state: State
    /// The reason the state is `failed`.
    package var reason: String?
    package var changedAt: Timestamp

    package init(
        migrationKey: Int64, identityKey: Int64, subject: String, transferSubject: String? = nil,
        successor: Successor? = nil, state: State = .pending, reason: String? = nil, changedAt: Timestamp
    ) {
        self.migrationKey = migrationKey
        self.identityKey = identityKey
        self.subject = subject
        self.transferSubject = transferSubject
        self.successor = successor
        self.state = state
        self.reason = reason
        self.changedAt = changedAt
    }
}

extension MigratingSubject {
    /// All columns, in the order in which `init(reading:)` reads them.
    static let columns = [
        "migration_key", "identity_key", "subject", "transfer_subject", "new_subject", "email", "email_relay",
        "profile", "state", "reason", "changed_at",
    ].map { "migrating_subjects.\($0)" }.joined(separator: ", ")

    init(reading row: inout Row) throws(StoreError) {
        let (migrationKey, identityKey, subject) = try (row.integer(), row.integer(), row.text())
        let (transferSubject, newSubject) = try (row.optionalText(), row.optionalText())
        let (email, isRelay, profile) = try (row.optionalText(), row.flag(), row.optionalText())
        try self.init(
            migrationKey: migrationKey, identityKey: identityKey, subject: subject, transferSubject: transferSubject,
            successor: newSubject.map { Successor(subject: $0, email: email, isRelay: isRelay, profile: profile) },
            state: row.choice(State.self), reason: row.optionalText(), changedAt: row.time())
    }
}
